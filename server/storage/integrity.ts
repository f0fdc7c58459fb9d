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
  for (const { id, ...row } of rows) {
    const columns = toColumns(row)
    if (columns[0] === null) {
      problems.push(`Record ${id} has no fields.`)
      continue
    }
    try {
      encryption.decrypt(id, columns)
    } catch {
      problems.push(`Record ${id} cannot be decrypted with RECORDS_KEY.`)
    }
  }
  for (const { id, fields } of previous) {
    try {
      decryptPrevious(encryption, id, fields)
    } catch {
      problems.push(`A previous password of record ${id} cannot be decrypted with RECORDS_KEY.`)
    }
  }
  return problems
}
