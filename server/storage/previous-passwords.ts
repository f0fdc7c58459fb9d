import { type SecretFields, secretFieldNames } from '../../contract/employees.ts'
import type { EncryptedField, FieldEncryption } from './encryption/field-encryption.ts'

/** A record keeps the texts of so many. */
export const maxKept = 10

/** A record recognizes so many. More would make its writes slow. */
export const maxRecognized = 100

/** What a record knows of its present password. */
export interface KnownPasswords {
  /** The revision at which the text first appeared in the record. */
  revision: number
  /** The revision at which the first of its passwords appeared. */
  first: number
}

/** A row of the table `previousPasswords`: a password that a record has had and no longer has. */
export interface PreviousPassword {
  /** See `createPasswordDigest`. */
  digest: string
  /** The revision at which it first appeared in the record. */
  since: number
  /** That of the change that has replaced it. */
  revision: number
  /** Whether its text is kept. */
  isKept: boolean
}

const purposeOf = (id: string) => `previous password of ${id}`

/** Returns the replaced secret fields of a record as they are stored. */
export function encryptPrevious(
  encryption: FieldEncryption,
  id: string,
  fields: SecretFields,
): EncryptedField {
  const secrets = secretFieldNames.map((name) => [name, fields[name]])
  return encryption.encryptText(purposeOf(id), JSON.stringify(Object.fromEntries(secrets)))
}

/** SQL: the column `total` of the latest row with a text. */
export const keptBytesSql =
  'coalesce((SELECT total FROM "previousPasswords" WHERE fields IS NOT NULL ORDER BY revision DESC LIMIT 1), 0)'

/** What the database stores of a kept text. */
export interface EncryptedPrevious {
  seq: number
  revision: number
  id: string
  fields: unknown
}

/** SQL: selects all `EncryptedPrevious`. */
export const previousFieldsSql =
  'SELECT seq, previous.revision, id, fields FROM "previousPasswords" AS previous JOIN books USING (seq) WHERE fields IS NOT NULL'

/** Throws as `FieldEncryption.decrypt` does. */
export const decryptPrevious = (encryption: FieldEncryption, id: string, column: unknown): SecretFields =>
  JSON.parse(encryption.decryptText(purposeOf(id), column))
