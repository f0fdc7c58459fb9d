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
