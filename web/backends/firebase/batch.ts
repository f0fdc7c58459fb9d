import {
  type CollectionReference,
  doc,
  documentId,
  endAt,
  getDocsFromServer,
  orderBy,
  query,
  startAt,
} from 'firebase/firestore'
import { type Batch, countChanges, decideOutcome, maxBatchSize } from '../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  findInvalidField,
  pickFields,
} from '../../../contract/employees.ts'
import { splitIntoChunks, splitIntoParts } from '../../../contract/firestore.ts'
import type { BatchOptions } from '../ports.ts'
import { createServiceError, throwServiceError, withTimeout } from './errors.ts'
import { type ExecutedBatch, type RequestedWrite, toEmployee } from './page-view.ts'
import { keepReplaced } from './previous-passwords.ts'
import { readTimeoutMs } from './snapshot-listener.ts'
import type { RunTransaction } from './transactions.ts'

const maxReadsPerTransaction = 100

interface BatchContext {
  books: CollectionReference
  runTransaction: RunTransaction
  /** The ids of the records to add, in ascending order. No other record's id lies between them. */
  ids: string[]
  options: BatchOptions
  /** The email of who executes it. */
  by: string | null
}

/**
 * Executes a batch in parts, each of which is a transaction. A repeated batch continues where it was interrupted: records
 * that have already been added are skipped.
 */
export async function executeBatch(
  batch: Batch,
  { books, runTransaction, ids, options, by }: BatchContext,
): Promise<ExecutedBatch> {
  const kept: string[] = []
  const additions = batch.add.map((fields, i) => ({ id: ids[i] ?? '', ...pickFields(fields) }))
  const written = new Map(additions.map(({ id, ...fields }): RequestedWrite => [id, fields]))
  const existingIds = await findExistingIds(books, ids)
  let doneCount = existingIds.size

  async function writeInParts<T>(parts: T[][], write: (part: T[]) => Promise<unknown>) {
    for (const part of parts) {
      if (options.signal?.aborted) throw createServiceError('cancelled')
      await write(part)
      doneCount += part.length
      options.onProgress?.(doneCount / countChanges(batch))
    }
  }

  function addPart(part: Employee[]) {
    return runTransaction((transaction) => {
      for (const { id, ...fields } of part) transaction.set(doc(books, id), fields)
    })
  }

  async function writeIfUnchanged(part: { seen: Employee; fields: EmployeeFields | null }[]) {
    const result = await runTransaction(async (transaction) => {
      const ids = new Set(part.map(({ seen }) => seen.id))
      const documents = await Promise.all(Array.from(ids, (id) => transaction.get(doc(books, id))))
      const current = new Map<string, EmployeeFields | null>()
      const stored = new Map(documents.map((document) => [document.id, document.data()]))
      for (const [id, data] of stored) if (data) current.set(id, toEmployee(id, data))
      const conflicts: string[] = []
      const done: RequestedWrite[] = []
      for (const { seen, fields } of part) {
        const { id } = seen
        const outcome = decideOutcome(current.get(id) ?? undefined, seen, fields)
        if (outcome === 'conflict') conflicts.push(id)
        else done.push([id, fields])
        if (outcome !== 'write') continue
        current.set(id, fields)
        const replaced = stored.get(id)
        if (fields && replaced) keepReplaced(transaction, books, by, [id, replaced, fields])
        stored.delete(id)
        if (fields) transaction.set(doc(books, id), pickFields(fields))
        else transaction.delete(doc(books, id))
      }
      return { conflicts, done }
    })
    kept.push(...result.conflicts)
    for (const [id, fields] of result.done) written.set(id, fields)
  }

  const removals = batch.remove.map((seen) => ({ seen, fields: null }))
  const missing = additions.filter(({ id }) => !existingIds.has(id))
  await writeInParts(splitIntoParts(missing), addPart)
  await writeInParts(splitIntoChunks(batch.update, maxReadsPerTransaction), writeIfUnchanged)
  await writeInParts(splitIntoChunks(removals, maxReadsPerTransaction), writeIfUnchanged)
  return { ids, kept, written: [...written] }
}

/** Throws `too-large`, or `invalid-request` with the path of the first invalid field. */
export function requireValidBatch(batch: Batch): void {
  if (countChanges(batch) > maxBatchSize) throw createServiceError('too-large')
  for (const [i, fields] of batch.add.entries()) requireValidFields(fields, `add/${i}/`)
  for (const [i, { fields }] of batch.update.entries()) requireValidFields(fields, `update/${i}/fields/`)
}

/** Throws `invalid-request` with the name of the first invalid field. */
export function requireValidFields(fields: EmployeeFields, path = ''): void {
  const field = findInvalidField(fields)
  if (field) throw createServiceError('invalid-request', { field: path + field })
}

/** Returns which of these adjacent ids exist, in one query for their range. */
async function findExistingIds(books: CollectionReference, ids: string[]): Promise<Set<string>> {
  const [first] = ids
  if (first === undefined) return new Set()
  const range = query(books, orderBy(documentId()), startAt(first), endAt(ids.at(-1)))
  const { docs } = await withTimeout(readTimeoutMs, getDocsFromServer(range)).catch(throwServiceError)
  return new Set(docs.map(({ id }) => id))
}
