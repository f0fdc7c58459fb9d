import type { EmployeeFields } from '../../contract/employees.ts'
import { createFieldEncryption, type RecordsKey } from './encryption/field-encryption.ts'
import type { KeyCheckResult } from './encryption/key-check.ts'

/** What is wrong with the key of a register that is examined. */
export const keyProblemMessages: Record<Exclude<KeyCheckResult, 'match'>, string> = {
  'key-missing': 'The records are encrypted: set RECORDS_KEY to have them examined too.',
  'wrong-key': 'RECORDS_KEY is not the key of this register.',
  'not-encrypted': 'RECORDS_KEY is set, and the records are not encrypted.',
}

type StoredFields = Record<keyof EmployeeFields, unknown> & { id: string }

/** The records whose fields do not come back as text. */
export function findRecordProblems(rows: Iterable<StoredFields>, key: RecordsKey | undefined): string[] {
  const encryption = createFieldEncryption(key)
  const problems: string[] = []
  for (const { id, ...fields } of rows) {
    try {
      const values = Object.values(encryption.decrypt(id, fields))
      if (!values.every((value) => typeof value === 'string')) problems.push(`Record ${id} is not text.`)
    } catch {
      problems.push(`Record ${id} cannot be opened with the key.`)
    }
  }
  return problems
}
