import { openText, type RecordsKey, sealText } from './field-encryption.ts'

const proven = 'staffbook'

/** Whether a register is sealed with this key, or is plain where there is none. */
export type KeyFit = 'fits' | 'needs-key' | 'wrong-key' | 'is-plain'

/** A known text, sealed with the key; null where there is none and the records are plain. */
export function proofOf(key: RecordsKey | undefined): Uint8Array | null {
  return key ? sealText(key, 'register', proven) : null
}

export function fitOf(proof: Uint8Array | null, key: RecordsKey | undefined): KeyFit {
  if (proof === null) return key ? 'is-plain' : 'fits'
  if (!key) return 'needs-key'
  try {
    return openText(key, 'register', proof) === proven ? 'fits' : 'wrong-key'
  } catch {
    return 'wrong-key'
  }
}

/** What is wrong with the key of a register, behind the register's name, and what to do. */
export const keyAdvice: Record<Exclude<KeyFit, 'fits'>, string> = {
  'needs-key': 'is encrypted. Set RECORDS_KEY or RECORDS_KEY_FILE to its key',
  'wrong-key': 'is encrypted with another key than the one in RECORDS_KEY or RECORDS_KEY_FILE',
  'is-plain': 'is not encrypted. Encrypt it with "staffbook key change", or unset RECORDS_KEY',
}
