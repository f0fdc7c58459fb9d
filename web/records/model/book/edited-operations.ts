import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  type FieldName,
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
import {
  isSent,
  isTransient,
  type Operation,
  type OwnChanges,
  type RecordOperation,
  type SentFields,
  toSent,
} from './operation.ts'

type EditedAddition = RecordOperation & { kind: 'add' }

/**
 * Adds a record that was edited after attempts that may have added it with other fields. If they have, what others have changed in it
 * since is merged; if it was deleted, it is restored. What the author has changed in it since, as the `outbox` knows, is done before, so
 * that the later text of each field stays. `key` is that of this version, of which each attempt has the same. `instead` of an error is
 * the operation to send from now on.
 */
export async function addEdited(
  documents: DocumentStore,
  operation: EditedAddition,
  key?: string,
  outbox: OwnChanges = noChanges,
): Promise<Change | { type: 'added'; document: Employee }> {
  const { fields } = operation
  const { id, isCreator } = await createOrFind(documents, operation)
  const isLast = isLastSent(operation)
  if (isCreator && isLast) return { type: 'added', document: { id, ...fields } }
  // With the edit key, the service would take fields that were sent before others for a repetition, and keep the others.
  const changeKey = isLast ? editKeyOf(operation) : key
  await finishUpdates(outbox, id)
  const current = await readRecord(documents, { id, ...fields }, changeKey)
  const { sent = [emptyFields] } = operation
  const edited = [...sent, { ...fields, key }]
  const document = await mergeEdited(documents, current, edited, findUpdates(outbox, id), changeKey)
  // What its author does while it is being sent follows it.
  outbox.takeOut({ id, state: 'updated', before: document, employee: current })
  return { type: 'saved', document, after: anyPlace }
}

const noChanges: OwnChanges = { entries: () => [], queues: new Map(), takeOut() {} }

const isUpdateOf = (id: string, operation: Operation | undefined): operation is EditedUpdate =>
  operation?.kind === 'update' && operation.employee.id === id

/** Resolves when no update of a record is being sent. Rejects if one waits to be sent again. */
async function finishUpdates(outbox: OwnChanges, id: string): Promise<void> {
  const findInState = (state: string) =>
    outbox.entries().find((entry) => entry.state === state && isUpdateOf(id, entry.operation))
  while (findInState('sending') && outbox.queues.has(id)) await outbox.queues.get(id)
  const { refusal } = findInState('refused') ?? {}
  if (refusal && isTransient(refusal.code)) throw refusal
}

/** The author's own updates of a record, which are saved, or may be. */
const findUpdates = (outbox: OwnChanges, recordId: string): SentFields[] =>
  outbox.entries().flatMap(({ id, operation, before, employee }) => {
    if (isUpdateOf(recordId, operation)) return [...(operation.sent ?? []), toSent(operation, id)]
    return before && employee?.id === recordId ? [toSent({ before, employee }, id)] : []
  })

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

/** Merges what the author has `edited`, of which the last is what they want now, with the record as it is, also by their own `updates`. */
async function mergeEdited(
  documents: DocumentStore,
  { id, ...current }: Employee,
  edited: readonly SentFields[],
  updates: readonly SentFields[],
  key: string | undefined,
): Promise<Employee> {
  const fields = wantLatest(current, edited, updates)
  const seen = findSeen(current, fields, [...edited.slice(0, -1), ...updates])
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

/** Returns what the author wants: a text of an update that they have submitted after they have edited the field stays. */
function wantLatest(
  current: EmployeeFields,
  edited: readonly SentFields[],
  updates: readonly SentFields[],
): EmployeeFields {
  const isUpdated = (name: FieldName) => {
    const isSame = (a: EmployeeFields, b: EmployeeFields) => fieldOf(a, name) === fieldOf(b, name)
    const update = updates.findLast((version) => isSent(name)(version) && isSame(version, current))
    const edit = edited.findLast((version, i) => !isSame(version, edited[i - 1] ?? version))
    return update?.key !== undefined && update.key > (edit?.key ?? '')
  }
  const fields = pickFields(edited.at(-1) ?? emptyFields)
  return { ...fields, ...pickNamed(fieldNames.filter(isUpdated), current) }
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
): Promise<Employee> {
  try {
    return { id, ...(await documents.update(id, fields, fields)) }
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
