import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  fieldOf,
  mapFields,
} from '../../../../contract/employees.ts'
import { type DocumentStore, hasCode } from '../../../backends/ports.ts'
import type { RecordOperation } from './operation.ts'

/**
 * Adds a record that was edited after attempts that may have added it with other fields. What others have changed in it since is
 * merged; if it was deleted, it is restored. `instead` of an error is the operation to send from now on.
 */
export async function addEdited(
  documents: DocumentStore,
  { fields, key, sent = [emptyFields] }: RecordOperation & { kind: 'add' },
): Promise<Employee> {
  const id = await documents.add(fields, key).catch((error: unknown) => {
    if (hasCode(error, 'key-reused') && error.id) return error.id
    throw error
  })
  const seen = findSeen(await readRecord(documents, { id, ...fields }, key), fields, sent)
  try {
    return { id, ...(await documents.update(id, fields, seen, key)) }
  } catch (error) {
    if (!hasCode(error, 'conflict') && !hasCode(error, 'not-found')) throw error
    const instead: RecordOperation = { kind: 'update', employee: { id, ...fields }, before: { id, ...seen } }
    throw Object.assign(error, { instead })
  }
}

/** Returns the record as the author of an update has seen it last, who may have saved earlier attempts since. */
export async function findSeenNow(
  documents: DocumentStore,
  { employee: { id, ...fields }, before, sent = [] }: RecordOperation & { kind: 'update' },
): Promise<EmployeeFields> {
  const current = await documents.update(id, fields, fields)
  return findSeen(current, fields, [before, ...sent])
}

/** An update, or a restore, by somebody who has changed nothing resolves with the record as it is, or was last. */
async function readRecord(
  documents: DocumentStore,
  { id, ...fields }: Employee,
  key: string,
): Promise<EmployeeFields> {
  try {
    return await documents.update(id, fields, fields)
  } catch (error) {
    if (!hasCode(error, 'not-found')) throw error
    const { document } = await documents.restore({ id, ...fields }, fields, key)
    return document
  }
}

/**
 * What the author has seen last of each field: what is stored, if an attempt has sent it. Anything else is somebody else's: it stays
 * where the author has always sent the same text, and is a conflict where they have changed it.
 */
const findSeen = (current: EmployeeFields, fields: EmployeeFields, sent: readonly EmployeeFields[]) =>
  mapFields((name) => {
    const isAs = (record: EmployeeFields) => (other: EmployeeFields) =>
      fieldOf(other, name) === fieldOf(record, name)
    const own = sent.find(isAs(current)) ?? sent.find((version) => !isAs(fields)(version)) ?? fields
    return fieldOf(own, name)
  })
