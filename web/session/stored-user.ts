import { useSyncExternalStore } from 'react'
import type { User } from '../../contract/accounts.ts'

/** The specification's local storage key (point 9). */
const key = 'user'
const listeners = new Set<() => void>()

/** The signed-in user as this browser remembers it, or null. Text that is no user counts as none. */
export function readStoredUser(): User | null {
  return parse(localStorage.getItem(key))
}

export function storeUser(user: User): void {
  localStorage.setItem(key, JSON.stringify(user))
  for (const listener of listeners) listener()
}

export function removeStoredUser(): void {
  localStorage.removeItem(key)
  for (const listener of listeners) listener()
}

/** Follows the stored user, also when another tab signs in or out. */
export function useStoredUser(): User | null {
  return parse(useSyncExternalStore(subscribe, () => localStorage.getItem(key)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function parse(text: string | null): User | null {
  try {
    const user: unknown = JSON.parse(text ?? 'null')
    return isUser(user) ? user : null
  } catch {
    return null
  }
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && 'email' in value && typeof value.email === 'string'
}
