import { forgetOwnPassword, hashSlowly, keepOwnPassword, takeFingerprint } from './own-password.ts'
import { readStoredUser } from './stored-user.tsx'

/** Call when the account of the stored user has this password. Keeps a salted slow hash of it, where the browser can compute one. */
export async function rememberOwnPassword(password: string): Promise<void> {
  forgetOwnPassword()
  const uid = readStoredUser()?.uid
  if (!uid || !globalThis.crypto?.subtle) return
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const hash = await hashSlowly(password, salt)
  keepOwnPassword({ uid, salt, hash, fingerprint: takeFingerprint(password, salt) })
}
