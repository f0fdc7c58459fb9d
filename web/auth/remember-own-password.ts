import { forgetOwnPassword, keepOwnPassword } from './own-password.ts'
import { readStoredUser } from './stored-user.tsx'

/** As OWASP recommends for PBKDF2 with SHA-256. */
const iterations = 600_000

/** Call when the account of the stored user has this password. Keeps a salted slow hash of it, where the browser can compute one. */
export async function rememberOwnPassword(password: string): Promise<void> {
  forgetOwnPassword()
  const uid = readStoredUser()?.uid
  if (!uid || !globalThis.crypto?.subtle) return
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const hash = await hashSlowly(password, salt)
  const fingerprint = takeFingerprint(password, salt)
  keepOwnPassword({
    uid,
    resembles: (text) => takeFingerprint(text, salt) === fingerprint,
    matches: async (text) => (await hashSlowly(text, salt)).every((byte, i) => byte === hash[i]),
  })
}

async function hashSlowly(password: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, [
    'deriveBits',
  ])
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256),
  )
}

/** FNV-1a, of which 8 bits are kept. */
function takeFingerprint(text: string, salt: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of [...salt, ...new TextEncoder().encode(text)]) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xff
}
