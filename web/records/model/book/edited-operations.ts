import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  fieldNames,
  fieldOf,
  hasSameFields,
  mapFields,
  mergeFields,
  pickFields,
  pickNamed,
} from '../../../../contract/employees.ts'
import type { Change } from '../../../../contract/protocol.ts'
import { anyPlace } from '../../../backends/apply-changes.ts'
import { newIdempotencyKey } from '../../../backends/idempotency-key.ts'
import { type DocumentStore, hasCode } from '../../../backends/ports.ts'
import { isSent, type RecordOperation, type SentFields, toSent } from './operation.ts'

type EditedAddition = RecordOperation & { kind: 'add' }

/**
 * Adds a record that was edited after attempts that may have added it with other fields. If they have, what others have changed in it
 * since is merged; if it was deleted, it is restored. `key` is that of this version, of which each attempt has the same. `instead` of an
 * error is the operation to send from now on.
 */
export async function addEdited(
  documents: DocumentStore,
  operation: EditedAddition,
  key?: string,
): Promise<Change | { type: 'added'; document: Employee }> {
  const { fields } = operation
  const { id, isCreator } = await createOrFind(documents, operation)
  const isLast = isLastSent(operation)
  if (isCreator && isLast) return { type: 'added', document: { id, ...fields } }
  // With the edit key, the service would take fields that were sent before others for a repetition, and keep the others.
  const changeKey = isLast ? editKeyOf(operation) : key
  const document = await mergeEdited(documents, { id, ...fields }, operation, changeKey)
  return { type: 'saved', document, after: anyPlace }
}

/** Whether no other fields were sent after these. False if it is unknown what was sent. */
function isLastSent({ fields, sent }: EditedAddition): boolean {
  const isSame = (version: EmployeeFields) => hasSameFields(version, fields)
  const firstIndex = sent?.findIndex(isSame)
  return firstIndex === -1 || (sent?.slice(firstIndex).every(isSame) ?? false)
}

/**
 * The key of all requests after the first attempt. The key of the addition would tell too much: the record's id has it in some services,
 * and whoever knows it could guess from an entry of the activity what was sent.
 */
const editKeyOf = ({ sent }: EditedAddition) => sent?.[0]?.key

/** `isCreator`: the record was created with these fields, now or before. */
async function createOrFind(documents: DocumentStore, operation: EditedAddition) {
  const { fields, key } = operation
  try {
    const editKey = editKeyOf(operation) ?? newIdempotencyKey()
    return { id: await documents.add(fields, key, editKey), isCreator: true }
  } catch (error) {
    if (hasCode(error, 'key-reused') && error.id) return { id: error.id, isCreator: false }
    throw error
  }
}

async function mergeEdited(
  documents: DocumentStore,
  { id, ...fields }: Employee,
  { sent = [emptyFields] }: EditedAddition,
  key: string | undefined,
): Promise<Employee> {
  const current = await readRecord(documents, { id, ...fields }, key)
  const seen = findSeen(current, fields, sent)
  const merged = mergeFields(current, seen, fields)
  // A change of nothing is not recognized when it is sent again, after others have changed what it found.
  if (merged.conflicts.length === 0 && hasSameFields(merged.fields, current)) return { id, ...current }
  try {
    return { id, ...(await documents.update(id, fields, seen, key)) }
  } catch (error) {
    if (!hasCode(error, 'conflict') && !hasCode(error, 'not-found')) throw error
    const instead: RecordOperation = { kind: 'update', employee: { id, ...fields }, before: { id, ...seen } }
    throw Object.assign(error, { instead })
  }
}

type EditedUpdate = RecordOperation & { kind: 'update' }

/** Changes a record whose author has edited the change after attempts that may have succeeded. Resolves with its fields. */
export async function updateEdited(
  documents: DocumentStore,
  operation: EditedUpdate,
  key: string | undefined,
): Promise<EmployeeFields> {
  const { employee, before, sent = [] } = operation
  const { id } = employee
  const fields = pickFields(employee)
  const current = await documents.update(id, fields, fields).catch(async (error) => {
    if (!hasCode(error, 'not-found')) throw error
    // Somebody may have deleted the record after the change was saved.
    const [saved] = (await findSaved(documents, operation, [...sent, toSent(operation, key)])) ?? []
    if (!saved || !hasSameFields(saved, fields)) throw error
  })
  if (!current) return fields
  const update = (versions: readonly SentFields[]) =>
    documents.update(id, fields, findSeen(current, fields, versions), key)
  try {
    return await update([before, ...sent])
  } catch (error) {
    const saved = hasCode(error, 'conflict') && (await findSaved(documents, operation, sent, current))
    if (!saved) throw error
    return await update(saved)
  }
}

/**
 * What is known of the record since the latest attempt that the service knows to have succeeded: what its author had in view
 * then, and the later attempts. Others have changed or deleted the record since.
 */
async function findSaved(
  documents: DocumentStore,
  { before, employee: { id } }: EditedUpdate,
  sent: readonly SentFields[],
  current: EmployeeFields | undefined = undefined,
): Promise<readonly SentFields[] | undefined> {
  for (const [i, version] of [...sent.entries()].reverse()) {
    const { key, names = fieldNames } = version
    const fields = pickFields(version)
    // One that could be merged would be saved now. Whoever has seen an empty record can change nothing of this one.
    if (!key || (current && mergeFields(current, emptyFields, fields).conflicts.length === 0)) continue
    const isSaved = await documents.update(id, fields, emptyFields, key).then(
      () => true,
      (error) => {
        if (!hasCode(error, 'conflict') && !hasCode(error, 'not-found')) throw error
        return false
      },
    )
    if (isSaved) return [{ ...before, ...pickNamed(names, version) }, ...sent.slice(i + 1)]
  }
  return undefined
}

/** An update, or a restore, by somebody who has changed nothing resolves with the record as it is, or was last. */
async function readRecord(
  documents: DocumentStore,
  { id, ...fields }: Employee,
  key: string | undefined,
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
const findSeen = (current: EmployeeFields, fields: EmployeeFields, sent: readonly SentFields[]) =>
  mapFields((name) => {
    const isAs = (record: EmployeeFields) => (other: EmployeeFields) =>
      fieldOf(other, name) === fieldOf(record, name)
    const versions = sent.filter(isSent(name))
    const own = versions.find(isAs(current)) ?? versions.find((version) => !isAs(fields)(version)) ?? fields
    return fieldOf(own, name)
  })
