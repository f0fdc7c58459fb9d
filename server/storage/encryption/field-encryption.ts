import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import {
  type EmployeeFields,
  fieldNames,
  fieldOf,
  listTexts,
  mapFields,
  withoutEmpty,
} from '../../../contract/employees.ts'

export type EncryptedField = string | Uint8Array

/** Converts a record's fields to the values of their columns, in the order of `fieldNames`, and back. */
export interface FieldEncryption {
  encrypt(id: string, fields: EmployeeFields): EncryptedField[]
  /** Throws if the fields were not encrypted for this id with this key. A field that the record was stored without is missing. */
  decrypt(id: string, columns: readonly unknown[]): EmployeeFields
  /** Returns the form in which the digest of a request is stored. With a key, nobody can try contents without it. */
  protectDigest(digest: string): string
  /** Converts a text that belongs to no record, and back. `purpose` tells such texts apart. */
  encryptText(purpose: string, text: string): EncryptedField
  decryptText(purpose: string, column: unknown): string
}

/** 32 bytes. */
export type RecordsKey = Uint8Array

/** Stores plain text if there is no key, as the specification requires. */
export function createFieldEncryption(key: RecordsKey | undefined): FieldEncryption {
  return key ? aesGcmEncryption(key) : noEncryption
}

const noEncryption: FieldEncryption = {
  encrypt: (_id, fields) => fieldNames.map((name) => fieldOf(fields, name)),
  decrypt: (_id, columns) => toFields(columns),
  protectDigest: (digest) => digest,
  encryptText: (_purpose, text) => text,
  decryptText: (_purpose, column) => String(column),
}

/**
 * AES-256-GCM with a random nonce. The first column holds all fields as one ciphertext; the others hold empty
 * blobs. The record's id is associated data, so a ciphertext moved to another record cannot be decrypted.
 */
function aesGcmEncryption(key: RecordsKey): FieldEncryption {
  const digestKey = deriveKey(key, 'digest')
  return {
    encrypt(id, fields) {
      const ciphertext = encryptText(key, id, JSON.stringify(listTexts(fields)))
      return fieldNames.map((_, i) => (i === 0 ? ciphertext : emptyBlob))
    },
    decrypt: (id, [ciphertext]) => toFields(JSON.parse(decryptText(key, id, ciphertext as Uint8Array))),
    protectDigest: (digest) =>
      createHmac('sha256', digestKey).update(digest).digest('base64url').slice(0, digest.length),
    encryptText: (purpose, text) => encryptText(key, purpose, text),
    decryptText: (purpose, column) => decryptText(key, purpose, column as Uint8Array),
  }
}

function toFields(texts: readonly unknown[]): EmployeeFields {
  let i = 0
  return withoutEmpty(mapFields(() => String(texts[i++] ?? '')))
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
