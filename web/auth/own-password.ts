import { readStoredUser } from './stored-user.tsx'

/** As OWASP recommends for PBKDF2 with SHA-256. */
const iterations = 600_000

export interface KnownPassword {
  uid: string
  salt: Uint8Array<ArrayBuffer>
  hash: Uint8Array
  /** 8 bits, so that other passwords are hardly ever hashed: that takes a quarter of a second. */
  fingerprint: number
}

/** In the memory of this page only, until it is reloaded. */
let known: KnownPassword | undefined

export function keepOwnPassword(kept: KnownPassword): void {
  known = kept
}

export function forgetOwnPassword(): void {
  known = undefined
}

/** Whether a text may be the password of the signed-in account: `isOwnPassword` tells. */
export const mayBeOwnPassword = (text: string) =>
  known !== undefined &&
  known.uid === readStoredUser()?.uid &&
  takeFingerprint(text, known.salt) === known.fingerprint

export async function isOwnPassword(text: string): Promise<boolean> {
  if (!known || !mayBeOwnPassword(text)) return false
  const { hash } = known
  return (await hashSlowly(text, known.salt)).every((byte, i) => byte === hash[i])
}

export async function hashSlowly(password: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, [
    'deriveBits',
  ])
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256),
  )
}

/** FNV-1a. */
export function takeFingerprint(text: string, salt: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of [...salt, ...new TextEncoder().encode(text)]) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xff
}
