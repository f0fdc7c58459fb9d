import { decryptText, encryptText, type RecordsKey } from './field-encryption.ts'

const knownPlaintext = 'staffbook'

/** Whether a register is sealed with this key, or is plain where there is none. */
export type KeyCheckResult = 'match' | 'key-missing' | 'wrong-key' | 'not-encrypted'

/** A known text, sealed with the key; null where there is none and the records are plain. */
export function createKeyCheck(key: RecordsKey | undefined): Uint8Array | null {
  return key ? encryptText(key, 'register', knownPlaintext) : null
}

export function verifyKeyCheck(keyCheck: Uint8Array | null, key: RecordsKey | undefined): KeyCheckResult {
  if (keyCheck === null) return key ? 'not-encrypted' : 'match'
  if (!key) return 'key-missing'
  try {
    return decryptText(key, 'register', keyCheck) === knownPlaintext ? 'match' : 'wrong-key'
  } catch {
    return 'wrong-key'
  }
}

/** What is wrong with the key of a register, behind the register's name, and what to do. */
export const keyErrorMessages: Record<Exclude<KeyCheckResult, 'match'>, string> = {
  'key-missing': 'is encrypted. Set RECORDS_KEY or RECORDS_KEY_FILE to its key',
  'wrong-key': 'is encrypted with another key than the one in RECORDS_KEY or RECORDS_KEY_FILE',
  'not-encrypted': 'is not encrypted. Encrypt it with "staffbook key change", or unset RECORDS_KEY',
}
