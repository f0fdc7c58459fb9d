import { type EmployeeFields, type SecretFields, secretFieldNames } from '../../contract/employees.ts'
import type { EncryptedField, FieldEncryption } from './encryption/field-encryption.ts'
import type { DigestPassword } from './encryption/password-digests.ts'

/** A record keeps the texts of so many. */
const maxPrevious = 10

/** A record keeps the digests of about a hundred, in so many characters. More would make its writes slow. */
const maxLength = 2700

/** What a record remembers of its passwords. */
export interface KnownPasswords {
  /** The revision at which the present password first appeared in the record, and the first one. */
  revision: number
  first: number
  /**
   * The latest first, a line for each: its digest, the revision at which it first appeared, and the one under which its text is
   * kept; 0 if it is not, nothing if it is the present one, which older registers lack. Null: it has had no other, or was wiped.
   */
  digests: string | null
}

export interface PasswordChange {
  id: string
  revision: number
  replaced: EmployeeFields
  fields: EmployeeFields
}

/**
 * Returns what a record remembers after a change, and the revisions of texts that are no longer to be kept, because they are too
 * many or the present one. `isKept`: the replaced text is stored under the revision of the change.
 */
export function replacePassword(
  known: KnownPasswords,
  { id, revision, replaced, fields }: PasswordChange,
  digest: DigestPassword,
  isKept: boolean,
) {
  const { revision: since, first, digests: stored } = known
  const after = digest(id, fields)
  const hasPresent = stored?.split('\n', 1)[0]?.endsWith(' ')
  const lines = hasPresent
    ? (stored as string)
    : `${digest(id, replaced)} ${since} ${stored ? `\n${stored}` : ''}`
  const [present = '', earlier] = splitAt(lines, lines.indexOf('\n'))
  const [later, fromKnown] = splitAt(earlier, earlier.indexOf(`\n${after}`))
  const [same, others] = splitAt(fromKnown, fromKnown.indexOf('\n', 1))
  const [newSince, keptAt] = same ? readLine(same) : [revision, 0]
  const all = `${after} ${newSince} \n${present}${isKept ? revision : 0}${later}${others}`
  const surplus = all.split('\n', maxPrevious + 2)[maxPrevious + 1] ?? ''
  const digests = all.length > maxLength ? all.slice(0, all.lastIndexOf('\n', maxLength)) : all
  return {
    passwords: { revision: newSince, first, digests },
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
