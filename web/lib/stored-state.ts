import { useSyncExternalStore } from 'react'
import { listen } from './dom.ts'

/** What the browser refuses to store, because its storage is full or by a policy. The page has it until it is closed. */
const unstored = new Map<string, string>()

/** Whether the browser allows this page no storage at all: then it sends no cookies either, and nobody can stay signed in. */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage
  } catch {
    return true
  }
}

export const readLocalStorage = (key: string) => unstored.get(key) ?? localStorage.getItem(key)

/** Stores a text under a key, in memory if the browser refuses; null removes the key. */
export function writeLocalStorage(key: string, text: string | null): void {
  unstored.delete(key)
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    if (text !== null) unstored.set(key, text)
  }
  // The browser does so in other tabs only.
  dispatchEvent(new StorageEvent('storage', { key }))
}

/** The text under a key, or null. Re-renders when any tab changes it, also after the browser’s Back button. */
export function useLocalStorage(key: string): string | null {
  return useSyncExternalStore(subscribe, () => readLocalStorage(key))
}

const subscribe = (listener: () => void) => listen(window, 'storage pageshow', listener)

/** A setting in local storage. The first option is the default; it is stored as no value. */
export interface StoredChoice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

export function readStoredChoice<T extends string>(choice: StoredChoice<T>): T {
  return parseChoice(readLocalStorage(choice.key), choice)
}

/** The stored option and its setter. Re-renders when this or another tab changes it. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>): [T, (chosen: T) => void] {
  const chosen = parseChoice(useLocalStorage(choice.key), choice)
  return [chosen, (next) => writeLocalStorage(choice.key, next === choice.options[0] ? null : next)]
}

function parseChoice<T extends string>(stored: string | null, { options }: StoredChoice<T>): T {
  return options.find((option) => option === stored) ?? options[0]
}
