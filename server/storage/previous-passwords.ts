import { type SecretFields, secretFieldNames } from '../../contract/employees.ts'
import type { EncryptedField, FieldEncryption } from './encryption/field-encryption.ts'

/** A record keeps the texts of so many. */
const maxPrevious = 10

/** A record keeps the digests of so many; the oldest are forgotten first. More would make its writes slow. */
const maxDigests = 100

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
 * `digests` is what a record remembers of its passwords: a line for each, the latest first, with its digest, the revision at which it
 * first appeared, and the one under which its text is kept, or 0; nothing of the present one. Undefined: it has had no other, or
 * the record was wiped. Returns them after a change, the revision at which the new password first appeared, and the revisions of
 * texts that are no longer to be kept, because they are too many or the present one.
 */
export function replacePassword(digests: string | undefined | null, change: PasswordChange) {
  const { before, after, since, revision, isKept } = change
  const lines = digests?.split('\n') ?? []
  const replaced = lines[0]?.endsWith(' ') ? lines.shift() : `${before()} ${since} `
  const known = lines.find((line) => line.startsWith(after))
  const replacedDigest = replaced?.split(' ', 1)[0] as string
  const others = lines.filter((line) => line !== known && !line.startsWith(replacedDigest))
  const [firstSince, keptAt] = known ? readLine(known) : [revision, 0]
  const latest = [`${after} ${firstSince} `, `${replaced}${isKept ? revision : 0}`, ...others].slice(
    0,
    maxDigests + 1,
  )
  const surplus = latest[maxPrevious + 1]
  const unkept = [keptAt, surplus ? readLine(surplus)[1] : 0].filter((at) => at > 0)
  return { digests: latest.join('\n'), since: firstSince, unkept }
}

function readLine(line: string): [since: number, keptAt: number] {
  const [, since, keptAt] = line.split(' ')
  return [Number(since), Number(keptAt)]
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
