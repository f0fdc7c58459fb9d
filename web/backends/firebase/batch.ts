import {
  doc,
  documentId,
  endAt,
  type Firestore,
  getDocsFromServer,
  orderBy,
  query,
  serverTimestamp,
  startAt,
} from 'firebase/firestore'
import {
  type Batch,
  countChanges,
  decideBatchRestore,
  decideOutcome,
  maxBatchSize,
  type RestoredState,
} from '../../../contract/batches.ts'
import {
  completeFields,
  type Employee,
  type EmployeeFields,
  fillFields,
  findInvalidField,
  hasSameFields,
  pickFields,
} from '../../../contract/employees.ts'
import { importGroupSize, splitIntoChunks, splitIntoParts, toImportId } from '../../../contract/firestore.ts'
import type { BatchOptions } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { read } from './firestore.ts'
import type { ExecutedBatch, RequestedWrite } from './page-view.ts'
import {
  activityOf,
  booksOf,
  isStored,
  maxRecordedTogether,
  type ReadRecord,
  readRecord,
  readWritten,
  toEntryId,
  toRestoredState,
  writeRecorded,
} from './recorded-writes.ts'
import { readTimeoutMs } from './snapshot-listener.ts'
import type { RunTransaction } from './transactions.ts'

/** Transactions that change records are small, so that some run at once. */
const maxAtOnce = 6

interface BatchContext {
  db: Firestore
  runTransaction: RunTransaction
  /** The ids of the records to add, in ascending order. No other record's id lies between them. */
  ids: string[]
  key: string
  /** The account of who executes it. */
  uid: string
  options: BatchOptions
  /** Receives the records that the same batch has changed before: they may have been changed again since. */
  repeated: Set<string>
  /** The email of who executes it. */
  by: string | null
}

interface BatchChange {
  id: string
  /** Null for a removal. */
  fields: EmployeeFields | null
  /** Decides what happens, and which fields the record gets. */
  decide(state: RestoredState): Pick<BatchChange, 'fields'> & { outcome: ReturnType<typeof decideOutcome> }
}

const toChange = (seen: Employee, fields: EmployeeFields | null): BatchChange => ({
  ...{ id: seen.id, fields },
  decide({ last, isRemoved }) {
    const current = isRemoved ? undefined : last
    return { outcome: decideOutcome(current, seen, fields), fields: fields && fillFields(fields, current) }
  },
})

const toRestore = ({ id, ...fields }: Employee) => ({
  ...{ id, fields },
  decide: (state: RestoredState) => decideBatchRestore(state, fields),
})

/**
 * Executes a batch in parts, each of which is a transaction. A repeated batch continues where it was interrupted: records
 * that have already been added are skipped, also if they were deleted since.
 */
export async function executeBatch(batch: Batch, context: BatchContext): Promise<ExecutedBatch> {
  const { db, ids, options } = context
  const additions = batch.add.map((fields, i) => ({ id: ids[i] ?? '', ...pickFields(fields) }))
  const existingIds = await findExistingIds(db, ids)
  const written = new Map<string, EmployeeFields | null>()
  const conflicts = new Set<BatchChange>()
  let doneCount = existingIds.size

  async function writeInParts<T>(parts: T[][], atOnce: number, write: (part: T[]) => Promise<void>) {
    for (const some of splitIntoChunks(parts, atOnce)) {
      if (options.signal?.aborted) throw createServiceError('cancelled')
      await Promise.all(some.map(write))
      doneCount += some.flat(2).length
      options.onProgress?.(Math.min(doneCount / countChanges(batch), 1))
    }
  }

  const recordAdded = (added: Employee[]) => {
    for (const { id, ...fields } of added) written.set(id, fields)
  }
  const change = (kind: string) => async (part: BatchChange[]) => {
    for (const [id, fields] of await changeIfUnchanged(kind, part, conflicts, context))
      written.set(id, fields)
  }

  const updates = batch.update.map(({ seen, fields }) => toChange(seen, fields))
  const removals = batch.remove.map((seen) => toChange(seen, null))
  const restores = batch.restore?.map(toRestore)
  const changes = { update: updates, remove: removals, restore: restores ?? [] }
  const groups = splitIntoChunks(additions, importGroupSize)
  recordAdded(additions.filter(({ id }) => existingIds.has(id)))
  const isBegun = (group: Employee[]) => group.some(({ id }) => existingIds.has(id))
  const rest = groups.filter(isBegun).flat()
  const missing = rest.filter(({ id }) => !existingIds.has(id))
  await writeInParts(splitIntoParts(groups.filter((group) => !isBegun(group))), 1, async (part) =>
    recordAdded(await addGroups(part, context)),
  )
  await writeInParts(splitIntoChunks(missing, maxRecordedTogether), 1, async (part) =>
    recordAdded(await addMissing(part, context)),
  )
  for (const [kind, each] of Object.entries(changes))
    await writeInParts(splitById(each), maxAtOnce, change(kind))
  const kept = Object.values(changes)
    .flat()
    .filter((each) => conflicts.has(each))
  const findOther = (id: string, requested: EmployeeFields) => {
    const fields = written.get(id)
    return fields && !hasSameFields(fields, requested) ? fields : undefined
  }
  const restored = restores
    ?.filter((each) => !conflicts.has(each))
    .map(({ id, fields }) => [id, findOther(id, fields)] as const)
  return {
    ids,
    kept: kept.map(({ id }) => id),
    restored: restored && new Map(restored),
    written: [...written],
  }
}

/** Adds groups with one entry of the activity each, unless they were added before. Resolves to the new records. */
function addGroups(groups: Employee[][], { db, runTransaction, by }: BatchContext): Promise<Employee[]> {
  return runTransaction(async (transaction) => {
    const refs = groups.map(([first]) => doc(activityOf(db), toImportId(first?.id ?? '') ?? ''))
    const entries = await Promise.all(refs.map((ref) => transaction.get(ref)))
    const missing = groups.filter((_, i) => !entries[i]?.exists())
    for (const [first, ...others] of missing) {
      const id = toImportId(first?.id ?? '') ?? ''
      const entry = { kind: 'import', ids: [id], count: 1 + others.length, by, at: serverTimestamp() }
      transaction.set(doc(activityOf(db), id), entry)
    }
    for (const record of missing.flat()) transaction.set(doc(booksOf(db), record.id), completeFields(record))
    return missing.flat()
  })
}

/** Adds what is missing of groups that have been added, or that an earlier version of the page has begun. */
function addMissing(part: Employee[], { db, runTransaction, by }: BatchContext): Promise<Employee[]> {
  return runTransaction(async (transaction) => {
    const read = async (added: Employee) => [await readRecord(db, transaction, added.id), added] as const
    const missing = (await Promise.all(part.map(read))).filter(([{ stored, details }]) => !stored && !details)
    writeRecorded(db, transaction, by, missing)
    return missing.map(([, added]) => added)
  })
}

const fieldsOf = ({ last, isRemoved }: RestoredState) => (isRemoved ? null : (last ?? null))

/** Resolves to what is done, and adds the others to `conflicts`. */
async function changeIfUnchanged(
  kind: string,
  part: BatchChange[],
  conflicts: Set<BatchChange>,
  context: BatchContext,
) {
  const { db, runTransaction, by, key, uid } = context
  const entryId = await toEntryId(uid, key, kind, part[0]?.id)
  const result = await runTransaction(async (transaction) => {
    const ids = new Set(part.map(({ id }) => id))
    const isDeletion = part.some(({ fields }) => !fields)
    const records = await Promise.all(Array.from(ids, (id) => readRecord(db, transaction, id, isDeletion)))
    // A restore of what is no longer kept adds it.
    const toId = (kind: string) => (kind === 'add' ? `${entryId}-added` : entryId)
    const entryIds = kind === 'restore' ? [entryId, toId('add')] : [entryId]
    const entries = await Promise.all(entryIds.map((id) => readWritten(db, transaction, id)))
    const repeated = new Set(entries.flat())
    const states = new Map(records.map((record) => [record.id, toRestoredState(record)]))
    const stateOf = (id: string) => states.get(id) ?? { last: undefined, isRemoved: true }
    const done: RequestedWrite[] = []
    const refused: BatchChange[] = []
    const changed = new Set<string>()
    for (const each of part) {
      const { id } = each
      const decided = each.decide(stateOf(id))
      const { outcome, fields } = repeated.has(id)
        ? { outcome: 'done', fields: fieldsOf(stateOf(id)) }
        : decided
      if (outcome === 'conflict') refused.push(each)
      else done.push([id, fields])
      if (outcome !== 'write') continue
      states.set(id, { last: fields ?? stateOf(id).last, isRemoved: !fields })
      changed.add(id)
    }
    const isWritten = (record: ReadRecord, fields: EmployeeFields | null) =>
      changed.has(record.id) && !(fields && isStored(record, fields))
    const wanted = records.map((record) => [record, fieldsOf(stateOf(record.id))] as const)
    const writes = wanted.filter((write) => isWritten(...write))
    writeRecorded(db, transaction, by, writes, toId)
    return { done, refused, repeated }
  })
  for (const each of result.refused) conflicts.add(each)
  for (const id of result.repeated) context.repeated.add(id)
  return result.done
}

/** Changes of the same record stay together, in order, since parts are executed at once. */
function splitById(changes: BatchChange[]): BatchChange[][] {
  const byId = [...Map.groupBy(changes, ({ id }) => id).values()]
  return splitIntoChunks(byId, maxRecordedTogether).map((part) => part.flat())
}

/** Throws `too-large`, or `invalid-request` with the path of the first invalid field. */
export function requireValidBatch(batch: Batch): void {
  if (countChanges(batch) > maxBatchSize) throw createServiceError('too-large')
  for (const [i, fields] of batch.add.entries()) requireValidFields(fields, `add/${i}/`)
  for (const [i, { fields }] of batch.update.entries()) requireValidFields(fields, `update/${i}/fields/`)
  for (const [i, record] of batch.restore?.entries() ?? []) requireValidFields(record, `restore/${i}/`)
}

/** Throws `invalid-request` with the name of the first invalid field. */
export function requireValidFields(fields: EmployeeFields, path = ''): void {
  const field = findInvalidField(fields)
  if (field) throw createServiceError('invalid-request', { field: path + field })
}

/** Returns which of these adjacent ids exist, in one query for their range. */
async function findExistingIds(db: Firestore, ids: string[]): Promise<Set<string>> {
  const [first] = ids
  if (first === undefined) return new Set()
  const range = query(booksOf(db), orderBy(documentId()), startAt(first), endAt(ids.at(-1)))
  const { docs } = await read(db, () => getDocsFromServer(range), readTimeoutMs)
  return new Set(docs.map(({ id }) => id))
}
