import { useSyncExternalStore } from 'react'

/** The `storage` event fires in other tabs only, so `writeLocalStorage` notifies the hooks of this page. */
const listeners = new Set<() => void>()

/** Stores a text under a key; null removes the key. */
export function writeLocalStorage(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key)
  else localStorage.setItem(key, text)
  for (const listener of listeners) listener()
}

/**
 * The text under a key, or null. Re-renders when this page or another tab changes it, also while this page was left and kept
 * by the browser for its Back button.
 */
export function useLocalStorage(key: string): string | null {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(key))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  addEventListener('pageshow', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
    removeEventListener('pageshow', listener)
  }
}

/** A setting in local storage. The first option is the default; it is stored as no value. */
export interface StoredChoice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

export function readStoredChoice<T extends string>(choice: StoredChoice<T>): T {
  return parseChoice(localStorage.getItem(choice.key), choice)
}

/** The stored option and its setter. Re-renders when this or another tab changes it. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>): [T, (chosen: T) => void] {
  const chosen = parseChoice(useLocalStorage(choice.key), choice)
  return [chosen, (next) => writeLocalStorage(choice.key, next === choice.options[0] ? null : next)]
}

function parseChoice<T extends string>(stored: string | null, { options }: StoredChoice<T>): T {
  return options.find((option) => option === stored) ?? options[0]
}
