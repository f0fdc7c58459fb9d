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
import { type Batch, type BatchResult, fateOf, maxBatchSize, sizeOf } from '../../../contract/batches.ts'
import { type Employee, type EmployeeFields, fieldsOf, wrongField } from '../../../contract/employees.ts'
import { partsOf, slicesOf } from '../../../contract/firestore.ts'
import type { BatchOptions } from '../ports.ts'
import { employeeOf } from './employee-of.ts'
import { failure, refuse } from './errors.ts'
import { longestReading, within } from './timeout.ts'
import type { Commit } from './transactions.ts'

/** Records that one transaction reads before it writes them. */
const readsAtOnce = 100

interface Parts {
  books: CollectionReference
  commit: Commit
  /** The id of each record to add; neighbours in the register's order. */
  ids: string[]
  options: BatchOptions
}

/** A change to a record that is there; without fields it is removed. */
interface Revision {
  seen: Employee
  fields: EmployeeFields | null
}

/**
 * Carries a batch out, part by part, each whole or not at all. Sent again, it goes on where it was cut off: of the
 * records to add it first asks which are there.
 */
export async function carryOut(batch: Batch, { books, commit, ids, options }: Parts): Promise<BatchResult> {
  const kept: string[] = []
  const present = await presentOf(books, ids)
  let done = present.size

  async function inParts<T>(parts: T[][], write: (part: T[]) => Promise<unknown>) {
    for (const part of parts) {
      if (options.signal?.aborted) throw failure('cancelled')
      await write(part)
      done += part.length
      options.onProgress?.(done / sizeOf(batch))
    }
  }

  function add(part: Employee[]) {
    return commit((transaction) => {
      for (const { id, ...fields } of part) transaction.set(doc(books, id), fields)
    })
  }

  async function revise(part: Revision[]) {
    const keptOfPart = await commit(async (transaction) => {
      const there = await Promise.all(part.map(({ seen }) => transaction.get(doc(books, seen.id))))
      return part.flatMap(({ seen, fields }, i) => {
        const document = there[i]
        const present = document?.exists() ? employeeOf(document.id, document.data()) : undefined
        const fate = fateOf(present, seen, fields)
        if (fate === 'done') return []
        if (fate === 'kept') return [seen.id]
        if (fields) transaction.set(doc(books, seen.id), fieldsOf(fields))
        else transaction.delete(doc(books, seen.id))
        return []
      })
    })
    kept.push(...keptOfPart)
  }

  const additions = batch.add.map((fields, i) => ({ id: ids[i] ?? '', ...fieldsOf(fields) }))
  const removals = batch.remove.map((seen) => ({ seen, fields: null }))
  const missing = additions.filter(({ id }) => !present.has(id))
  await inParts(partsOf(missing), add)
  await inParts(slicesOf(batch.update, readsAtOnce), revise)
  await inParts(slicesOf(removals, readsAtOnce), revise)
  return { ids, kept }
}

/** Rejects a batch that no backend takes, naming the first value that is wrong. */
export function requireGoodBatch(batch: Batch): void {
  if (sizeOf(batch) > maxBatchSize) throw failure('too-large')
  batch.add.forEach((fields, i) => {
    requireGood(fields, `add/${i}/`)
  })
  batch.update.forEach(({ fields }, i) => {
    requireGood(fields, `update/${i}/fields/`)
  })
}

/** Rejects fields that no backend takes, by the name of the first that is wrong. */
export function requireGood(fields: EmployeeFields, path = ''): void {
  const field = wrongField(fields)
  if (field) throw failure('invalid-request', { field: path + field })
}

/** Which of these neighbouring ids are there: one question, whatever their number. */
async function presentOf(books: CollectionReference, ids: string[]): Promise<Set<string>> {
  const [first] = ids
  if (first === undefined) return new Set()
  const range = query(books, orderBy(documentId()), startAt(first), endAt(ids.at(-1)))
  const { docs } = await within(longestReading, getDocsFromServer(range)).catch(refuse)
  return new Set(docs.map(({ id }) => id))
}
