import { type SecretFields, secretFieldNames } from '../../contract/employees.ts'
import type { EncryptedField, FieldEncryption } from './encryption/field-encryption.ts'

/** A record keeps the texts of so many. */
const maxPrevious = 10

/** A record keeps the digests of about a hundred, in so many characters. More would make its writes slow. */
const maxLength = 2700

interface PasswordChange {
  /** The digests of the replaced password, which is often not needed, and of the new one. */
  before(): string
  after: string
  /** The revision at which the replaced password first appeared in the record. */
  since: number
  revision: number
  /** The replaced text is stored under the revision of the change. */
  isKept: boolean
}

/**
 * `stored` is what a record remembers of its passwords, the latest first, a line for each: its digest, the revision at which it first
 * appeared, and the one under which its text is kept; 0 if it is not, nothing if it is the present one, which older registers lack.
 * Null: it has had no other, or was wiped. Returns this after a change, the revision at which the new password first appeared, and
 * the revisions of texts that are no longer to be kept, because they are too many or the present one.
 */
export function replacePassword(stored: string | null, change: PasswordChange) {
  const { before, after, since, revision, isKept } = change
  const hasPresent = stored?.split('\n', 1)[0]?.endsWith(' ')
  const lines = hasPresent ? (stored as string) : `${before()} ${since} ${stored ? `\n${stored}` : ''}`
  const [present = '', earlier] = splitAt(lines, lines.indexOf('\n'))
  const [later, fromKnown] = splitAt(earlier, earlier.indexOf(`\n${after}`))
  const [known, others] = splitAt(fromKnown, fromKnown.indexOf('\n', 1))
  const [firstSince, keptAt] = known ? readLine(known) : [revision, 0]
  const all = `${after} ${firstSince} \n${present}${isKept ? revision : 0}${later}${others}`
  const surplus = all.split('\n', maxPrevious + 2)[maxPrevious + 1] ?? ''
  return {
    digests: all.length > maxLength ? all.slice(0, all.lastIndexOf('\n', maxLength)) : all,
    since: firstSince,
    unkept: [keptAt, readLine(surplus)[1]].filter((at) => at > 0),
  }
}

/** The whole text and an empty one if `at` is -1. */
const splitAt = (text: string, at: number) =>
  at === -1 ? ([text, ''] as const) : ([text.slice(0, at), text.slice(at)] as const)

function readLine(line: string): [since: number, keptAt: number] {
  const [, since, keptAt] = line.split(' ')
  return [Number(since), Number(keptAt ?? 0)]
}

/** The revisions under which texts are kept, the latest first. Some may have been wiped. */
export const keptRevisions = (digests: string): number[] =>
  digests
    .split('\n', maxPrevious + 1)
    .map((line) => readLine(line)[1])
    .filter((at) => at > 0)

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

/** SQL: the column `total` of the latest row. */
export const keptBytesSql =
  'coalesce((SELECT total FROM "previousPasswords" ORDER BY revision DESC LIMIT 1), 0)'

/** What the database stores of a kept text. */
export interface EncryptedPrevious {
  revision: number
  id: string
  fields: unknown
}

/** SQL: selects all `EncryptedPrevious`. */
export const previousFieldsSql =
  'SELECT previous.revision, id, fields FROM "previousPasswords" AS previous JOIN books USING (seq)'

/** Throws as `FieldEncryption.decrypt` does. */
export const decryptPrevious = (encryption: FieldEncryption, id: string, column: unknown): SecretFields =>
  JSON.parse(encryption.decryptText(purposeOf(id), column))
