import { useSyncExternalStore } from 'react'

/** Local storage tells other tabs of a change, but not the page that made it; so writing goes through here. */
const listeners = new Set<() => void>()

/** Keeps a text under a key, or forgets the key: null. */
export function writeLocalStorage(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key)
  else localStorage.setItem(key, text)
  for (const listener of listeners) listener()
}

/** The text under a key, also when this page or another tab changes it; null where there is none. */
export function useLocalStorage(key: string): string | null {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(key))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
