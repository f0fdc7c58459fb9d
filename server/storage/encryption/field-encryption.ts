import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { EmployeeFields } from '../../../contract/employees.ts'

export type EncryptedField = string | Uint8Array
export type EncryptedFields = [eName: EncryptedField, email: EncryptedField, password: EncryptedField]

/** Converts a record's fields to the values in the database and back. */
export interface FieldEncryption {
  encrypt(id: string, fields: EmployeeFields): EncryptedFields
  /** Throws if the fields were not encrypted for this id with this key. */
  decrypt(id: string, row: Record<keyof EmployeeFields, unknown>): EmployeeFields
  /** Returns the form in which the digest of a request is stored. With a key, nobody can try contents without it. */
  protectDigest(digest: string): string
}

/** 32 bytes. */
export type RecordsKey = Uint8Array

/** Stores plain text if there is no key, as the specification requires. */
export function createFieldEncryption(key: RecordsKey | undefined): FieldEncryption {
  return key ? aesGcmEncryption(key) : noEncryption
}

const noEncryption: FieldEncryption = {
  encrypt: (_id, { eName, email, password }) => [eName, email, password],
  decrypt: (_id, { eName, email, password }) => ({
    eName: String(eName),
    email: String(email),
    password: String(password),
  }),
  protectDigest: (digest) => digest,
}

/**
 * AES-256-GCM with a random nonce. The first column holds all three fields as one ciphertext; the other two hold empty
 * blobs. The record's id is associated data, so a ciphertext moved to another record cannot be decrypted.
 */
function aesGcmEncryption(key: RecordsKey): FieldEncryption {
  const digestKey = deriveKey(key, 'digest')
  return {
    encrypt: (id, { eName, email, password }) => [
      encryptText(key, id, JSON.stringify([eName, email, password])),
      emptyBlob,
      emptyBlob,
    ],
    decrypt(id, row) {
      const [eName, email, password] = JSON.parse(decryptText(key, id, row.eName as Uint8Array))
      return { eName, email, password }
    },
    protectDigest: (digest) =>
      createHmac('sha256', digestKey).update(digest).digest('base64url').slice(0, digest.length),
  }
}

/** A key for another purpose than encryption. */
export function deriveKey(key: RecordsKey, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `staffbook ${purpose}`, 32))
}

const emptyBlob = new Uint8Array(0)
const nonceBytes = 12
const authTagBytes = 16

/** Returns nonce, ciphertext and authentication tag. */
export function encryptText(key: RecordsKey, associatedData: string, text: string): Uint8Array {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws if the key or the associated data differs, or the ciphertext was changed. */
export function decryptText(key: RecordsKey, associatedData: string, ciphertext: Uint8Array): string {
  const tagStart = ciphertext.length - authTagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(associatedData)).setAuthTag(ciphertext.subarray(tagStart))
  return (
    decipher.update(ciphertext.subarray(nonceBytes, tagStart), undefined, 'utf8') + decipher.final('utf8')
  )
}
