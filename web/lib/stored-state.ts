import { useSyncExternalStore } from 'react'
import { listen } from './dom.ts'

/** Whether the browser allows this page no storage at all: then it sends no cookies either, and nobody can stay signed in. */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage
  } catch {
    return true
  }
}

/** A storage that the browser may refuse to use, because it is full or by a policy. The page then has it until it is closed. */
function createStorage(getStorage: () => Storage) {
  const unstored = new Map<string, string>()
  return {
    read(key: string): string | null {
      const text = unstored.get(key)
      if (text !== undefined) return text
      try {
        return getStorage().getItem(key)
      } catch {
        return null
      }
    },

    /** Stores a text under a key; null removes the key. An earlier text never stays. */
    write(key: string, text: string | null): void {
      unstored.delete(key)
      try {
        const storage = getStorage()
        storage.removeItem(key)
        if (text !== null) storage.setItem(key, text)
      } catch {
        if (text !== null) unstored.set(key, text)
      }
    },
  }
}

const local = createStorage(() => localStorage)

/** The session storage, which this tab keeps over reloads. */
export const tabStorage = createStorage(() => sessionStorage)

export const readLocalStorage = local.read

/** As `writeLocalStorage`, but this page shows what it did before. */
export const writeForOtherTabs = local.write

/** Stores a text under a key; null removes the key. */
export function writeLocalStorage(key: string, text: string | null): void {
  local.write(key, text)
  // The browser does so in other tabs only.
  dispatchEvent(new StorageEvent('storage', { key }))
}

/** Tells the page that the browser may have cleared all it stores, as Chromium and WebKit do by themselves. */
export function reportClearedStorage(): void {
  globalThis.window?.dispatchEvent(new StorageEvent('storage'))
}

/** Calls the listener when the browser may have cleared all it stores. */
export const onClearedStorage = (listener: () => void) =>
  listen(globalThis.window, 'storage', ({ key }: StorageEvent) => key === null && listener())

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
