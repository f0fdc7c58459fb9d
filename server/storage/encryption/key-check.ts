import { decryptText, encryptText, type RecordsKey } from './field-encryption.ts'

const knownPlaintext = 'staffbook'

/** `match`: the key is the one that the records are encrypted with; or there is none and they are not encrypted. */
export type KeyCheckResult = 'match' | 'key-missing' | 'wrong-key' | 'not-encrypted'

/** A known text encrypted with the key; null without a key. It is stored to verify the key later. */
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

/** Predicates of a sentence whose subject is the database. */
export const keyErrorMessages: Record<Exclude<KeyCheckResult, 'match'>, string> = {
  'key-missing': 'is encrypted. Set RECORDS_KEY or RECORDS_KEY_FILE to its key',
  'wrong-key':
    'is encrypted with a different key than the one in RECORDS_KEY or RECORDS_KEY_FILE. Set the right key',
  'not-encrypted': 'is not encrypted. Encrypt it with "staffbook key change", or unset RECORDS_KEY',
}
