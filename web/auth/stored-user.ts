import type { User } from '../../contract/accounts.ts'
import { useLocalStorage, writeLocalStorage } from '../lib/stored-state.ts'

/** The specification's local storage key (point 9). */
const storageKey = 'user'

export function storeUser(user: User): void {
  writeLocalStorage(storageKey, JSON.stringify(user))
}

export function removeStoredUser(): void {
  writeLocalStorage(storageKey, null)
}

export function readStoredUser(): User | null {
  return parseUser(localStorage.getItem(storageKey))
}

/** The signed-in user that this browser stores, or null. Renders again when this or another tab signs in or out. */
export function useStoredUser(): User | null {
  return parseUser(useLocalStorage(storageKey))
}

/** Text that is no user counts as none. */
function parseUser(text: string | null): User | null {
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
