import {
  createFieldEncryption,
  type EncryptedField,
  type RecordsKey,
} from '../encryption/field-encryption.ts'
import { createKeyCheck } from '../encryption/key-check.ts'
import { reencryptPasswordKey } from '../encryption/password-digests.ts'
import { assignFields, type StoredFields, storedFieldsSql, toColumns } from '../field-columns.ts'
import {
  decryptPrevious,
  type EncryptedPrevious,
  encryptPrevious,
  previousFieldsSql,
} from '../previous-passwords.ts'
import { type Command, execute, executeAll, lockRegister, selectAll, selectOne } from './command.ts'
import { logActivity } from './history.ts'

/**
 * Encrypts everything again; either key may be undefined for plain text. `toColumn` converts a field to a parameter of the
 * database. Returns the number of existing records.
 */
export function* changeKey(
  oldKey: RecordsKey | undefined,
  newKey: RecordsKey | undefined,
  toColumn: (field: EncryptedField) => unknown = (field) => field,
): Command<number> {
  const [from, to] = [createFieldEncryption(oldKey), createFieldEncryption(newKey)]
  // A server that is starting waits for this lock, then verifies its key.
  yield* lockRegister()
  const records = yield* selectAll<StoredFields>(`${storedFieldsSql} FOR UPDATE`)
  yield* executeAll(
    `UPDATE books SET ${assignFields(() => '?')} WHERE seq = ?`,
    records.map((row) => [
      ...to.encrypt(row.id, from.decrypt(row.id, toColumns(row))).map(toColumn),
      row.seq,
    ]),
  )
  const previous = yield* selectAll<EncryptedPrevious>(previousFieldsSql)
  yield* executeAll(
    'UPDATE "previousPasswords" SET fields = ? WHERE seq = ? AND revision = ?',
    previous.map(({ seq, revision, id, fields }) => [
      toColumn(encryptPrevious(to, id, decryptPrevious(from, id, fields))),
      seq,
      revision,
    ]),
  )
  // Digests cannot be derived from each other. Retries of earlier requests are then not compared.
  yield* execute('UPDATE books SET digest = NULL WHERE digest IS NOT NULL')
  const { passwordKey } =
    (yield* selectOne<{ passwordKey: unknown }>('SELECT "passwordKey" FROM register')) ?? {}
  yield* execute(
    'UPDATE register SET "keyProof" = ?, "passwordKey" = ?',
    createKeyCheck(newKey),
    passwordKey && toColumn(reencryptPasswordKey(passwordKey, from, to)),
  )
  yield* logActivity({ kind: 'change-key' })
  return records.filter(({ removed }) => !removed).length
}
