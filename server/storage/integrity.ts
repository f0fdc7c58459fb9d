import { createFieldEncryption, type RecordsKey } from './encryption/field-encryption.ts'
import type { KeyCheckResult } from './encryption/key-check.ts'
import { type StoredFields, toColumns } from './field-columns.ts'
import { decryptPrevious, type EncryptedPrevious } from './previous-passwords.ts'

/** Problems that `staffbook check` reports about the key. */
export const keyProblemMessages: Record<Exclude<KeyCheckResult, 'match'>, string> = {
  'key-missing': 'The records are encrypted: set RECORDS_KEY to check them too.',
  'wrong-key': 'RECORDS_KEY is not the key that the records are encrypted with.',
  'not-encrypted': 'RECORDS_KEY is set, but the records are not encrypted.',
}

/** Returns one message for each record that has no fields, and for each whose fields or previous password cannot be decrypted. */
export function findRecordProblems(
  rows: Iterable<StoredFields>,
  previous: Iterable<EncryptedPrevious>,
  key: RecordsKey | undefined,
): string[] {
  const encryption = createFieldEncryption(key)
  const problems: string[] = []
  function tryDecrypt(subject: string, decrypt: () => unknown) {
    try {
      decrypt()
    } catch {
      problems.push(`${subject} cannot be decrypted with RECORDS_KEY.`)
    }
  }
  for (const { id, ...row } of rows) {
    const columns = toColumns(row)
    if (columns[0] === null) problems.push(`Record ${id} has no fields.`)
    else tryDecrypt(`Record ${id}`, () => encryption.decrypt(id, columns))
  }
  for (const { id, fields } of previous)
    tryDecrypt(`A previous password of record ${id}`, () => decryptPrevious(encryption, id, fields))
  return problems
}
