import { cbc } from '@noble/ciphers/aes.js'
import { bytesToUtf8, concatBytes, equalBytes, utf8ToBytes } from '@noble/ciphers/utils.js'
import { argon2id } from '@noble/hashes/argon2.js'
import { expand } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** A Bitwarden export that is protected with a password of its own. */
export interface LockedFile {
  salt: string
  /** 0: PBKDF2-SHA256, 1: Argon2id. */
  kdfType: number
  kdfIterations: number
  /** With Argon2id, in MiB. */
  kdfMemory: number
  kdfParallelism: number
  data: string
}

/** What Bitwarden allows at most: a file could ask for years of work. */
const maxima = { pbkdf2: 2_000_000, argon2: 10, memory: 1024, parallelism: 16 }

/** Decrypts the JSON in it. Returns null if the password is wrong, or the file changed. Takes up to seconds. */
export function unlockBitwarden(file: LockedFile, password: string): string | null {
  const key = deriveKey(file, utf8ToBytes(password))
  const [, ...parts] = /^2\.([^|]+)\|([^|]+)\|([^|]+)$/.exec(file.data) ?? []
  const [iv, cipherText, mac] = parts.map((part) => Uint8Array.from(atob(part), (byte) => byte.charCodeAt(0)))
  if (!key || !iv || !cipherText || !mac) return null
  const macKey = expand(sha256, key, utf8ToBytes('mac'), 32)
  if (!equalBytes(hmac(sha256, macKey, concatBytes(iv, cipherText)), mac)) return null
  return bytesToUtf8(cbc(expand(sha256, key, utf8ToBytes('enc'), 32), iv).decrypt(cipherText))
}

function deriveKey(file: LockedFile, password: Uint8Array): Uint8Array | null {
  const { kdfType, kdfIterations: t, kdfMemory, kdfParallelism: p } = file
  const salt = utf8ToBytes(String(file.salt))
  if (kdfType === 0 && t <= maxima.pbkdf2) return pbkdf2(sha256, password, salt, { c: t, dkLen: 32 })
  if (kdfType !== 1 || t > maxima.argon2 || kdfMemory > maxima.memory || p > maxima.parallelism) return null
  return argon2id(password, sha256(salt), { t, m: kdfMemory * 1024, p, dkLen: 32, maxmem: 2 ** 31 })
}
