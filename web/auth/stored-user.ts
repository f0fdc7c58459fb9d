import type { User } from '../../contract/accounts.ts'
import { useStorage, writeStorage } from '../lib/stored-state.ts'

/** The specification's local storage key (point 9). */
const key = 'user'

export function storeUser(user: User): void {
  writeStorage(key, JSON.stringify(user))
}

export function removeStoredUser(): void {
  writeStorage(key, null)
}

/** The signed-in user as this browser remembers it, or null; followed, also when another tab signs in or out. */
export function useStoredUser(): User | null {
  return parse(useStorage(key))
}

/** Text that is no user counts as none. */
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
