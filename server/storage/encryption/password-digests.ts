import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { type EmployeeFields, listTexts, secretFieldNames } from '../../../contract/employees.ts'
import type { EncryptedField, FieldEncryption } from './field-encryption.ts'

const purpose = 'password digests'

/**
 * Creates the key of the digests of earlier passwords, as it is stored. It is random and stored encrypted, not derived from the
 * records' key, because digests cannot be computed again when that changes.
 */
export const createPasswordKey = (encryption: FieldEncryption): EncryptedField =>
  encryption.encryptText(purpose, randomBytes(32).toString('base64url'))

/** Encrypts the stored key again, for a change of the records' key. */
export const reencryptPasswordKey = (stored: unknown, from: FieldEncryption, to: FieldEncryption) =>
  to.encryptText(purpose, from.decryptText(purpose, stored))

export type DigestPassword = (id: string, fields: EmployeeFields) => string

/** Returns a function whose digests are equal only for the same password of the same record. 12 characters. */
export function createPasswordDigest(encryption: FieldEncryption, storedKey: unknown): DigestPassword {
  // Faster than a text.
  const key = createSecretKey(encryption.decryptText(purpose, storedKey), 'utf8')
  return (id, fields) => {
    const text = JSON.stringify([id, ...listTexts(fields, secretFieldNames)])
    return createHmac('sha256', key).update(text).digest('base64url').slice(0, 12)
  }
}
