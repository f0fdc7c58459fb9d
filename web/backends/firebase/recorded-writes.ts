import {
  type CollectionReference,
  collection,
  type DocumentData,
  type DocumentReference,
  doc,
  type Firestore,
  serverTimestamp,
  type Transaction,
} from 'firebase/firestore'
import type { RestoredState } from '../../../contract/batches.ts'
import {
  collection as booksName,
  completeFields,
  type EmployeeFields,
  fieldNames,
  fieldOf,
  fieldRules,
  isFieldName,
  secretFieldNames,
} from '../../../contract/employees.ts'
import { previousPasswordCollection, toImportId } from '../../../contract/firestore.ts'
import { hashText } from '../../lib/hash-text.ts'
import { toEmployee } from './page-view.ts'

/** The number of records in one transaction: the rules may read 20 documents for it. */
export const maxRecordedTogether = 3

export const booksOf = (db: Firestore): CollectionReference => collection(db, booksName)
export const detailsOf = (db: Firestore) => collection(db, 'details')
export const deletedOf = (db: Firestore) => collection(db, 'deleted')
export const activityOf = (db: Firestore) => collection(db, 'activity')

/** A record in a transaction, as it was read. */
export interface ReadRecord {
  id: string
  stored: DocumentData | undefined
  details: DocumentData | undefined
  /** Its copy, if it was deleted. */
  deleted: DocumentData | undefined
  /** The id of an entry that has to be made before a deletion, as otherwise an import could use its id again. */
  unreserved: string | undefined
}

/** `isDeletion`: the record is going to be deleted. */
export async function readRecord(
  db: Firestore,
  transaction: Transaction,
  id: string,
  isDeletion = false,
): Promise<ReadRecord> {
  const [stored, details] = await Promise.all(
    [booksOf(db), detailsOf(db)].map((all) => transaction.get(doc(all, id))),
  )
  const mayBeDeleted = !stored?.exists() && details?.exists()
  const deleted = mayBeDeleted ? (await transaction.get(doc(deletedOf(db), id))).data() : undefined
  const importId = isDeletion ? toImportId(id) : undefined
  const isReserved = importId && (await transaction.get(doc(activityOf(db), importId))).exists()
  const unreserved = isReserved ? undefined : importId
  return { id, stored: stored?.data(), details: details?.data(), deleted, unreserved }
}

/** What a restore of a record is decided by. */
export const toRestoredState = ({ id, stored, deleted }: ReadRecord): RestoredState => {
  const last = stored ?? deleted?.fields
  return { last: last && toEmployee(id, last), isRemoved: !stored }
}

/**
 * Returns the id of the entry that a change with this key makes, so that it is found when the change is repeated. The hash says
 * nothing of the content, because keys are random and stored nowhere. Undefined without a key, or on plain HTTP, where browsers cannot
 * hash: the entry then gets an id of its own, and the change is not recognized when it is repeated.
 */
export async function toEntryId(uid: string, key: string | undefined, ...content: unknown[]) {
  const { subtle } = crypto as Partial<Crypto>
  if (key === undefined || !subtle) return undefined
  return `change-${(await hashText(JSON.stringify([uid, key, ...content]))).slice(0, 20)}`
}

/** The records that a change with this entry has written, if it was made already. */
export async function readWritten(
  db: Firestore,
  transaction: Transaction,
  entryId: string | undefined,
): Promise<string[]> {
  return entryId === undefined
    ? []
    : ((await transaction.get(doc(activityOf(db), entryId))).data()?.ids ?? [])
}

/**
 * Writes records, or with null deletes those that exist, together with what the rules require: details, a copy of what is
 * deleted, and one entry of the activity for each kind of change. At most `maxRecordedTogether`. `toId` gives the id of that entry.
 */
export function writeRecorded(
  db: Firestore,
  transaction: Transaction,
  by: string | null,
  writes: readonly RecordedWrite[],
  toId: (kind: string) => string | undefined = () => undefined,
): void {
  const byKind = Map.groupBy(writes, (write) => toKind(...write))
  for (const [kind, some] of byKind) {
    const id = toId(kind)
    const entry = id === undefined ? doc(activityOf(db)) : doc(activityOf(db), id)
    writeWithEntry(db, transaction, { entry, kind, by }, some)
  }
}

export type RecordedWrite = readonly [record: ReadRecord, fields: EmployeeFields | null]

function writeWithEntry(
  db: Firestore,
  transaction: Transaction,
  { entry, kind, by }: { entry: DocumentReference; kind: string; by: string | null },
  writes: readonly RecordedWrite[],
): void {
  const at = serverTimestamp()
  const ids = writes.map(([{ id }]) => id)
  transaction.set(entry, { kind, ids, by, at })
  const unreserved = new Map(
    writes.flatMap(([{ id, unreserved }, fields]) => (fields || !unreserved ? [] : [[unreserved, id]])),
  )
  for (const [importId, record] of unreserved)
    transaction.set(doc(activityOf(db), importId), { kind: 'reserve', ids: [], record, by, at })
  for (const [{ id, stored, details, deleted }, fields] of writes) {
    const before = stored ?? deleted?.fields
    if (fields) {
      // Replaces the whole document: the rules reject documents with additional fields, which Firebase's console allows. They
      // also reject one that lacks an optional field that is there: a page that does not know it never deletes it.
      transaction.set(doc(booksOf(db), id), completeFields(fields))
      const previous = before && toPrevious(before, fields, by)
      if (previous) transaction.set(doc(collection(booksOf(db), id, previousPasswordCollection)), previous)
      if (deleted) transaction.delete(doc(deletedOf(db), id))
    } else {
      transaction.set(doc(deletedOf(db), id), { fields: stored, by, at }).delete(doc(booksOf(db), id))
    }
    const keepsPassword = !fields || (before !== undefined && keepsSecrets(before, fields))
    const passwordChangedAt = keepsPassword ? details?.passwordChangedAt : at
    const deletedAt = fields ? details?.deletedAt : at
    transaction.set(doc(detailsOf(db), id), {
      changedAt: at,
      changedBy: by,
      entry: entry.id,
      isDeleted: !fields,
      ...(passwordChangedAt && { passwordChangedAt }),
      ...(deletedAt && { deletedAt }),
    })
  }
}

/** The secret fields that a write replaces, to keep them; undefined if it replaces none. `stored`: the document as it was read. */
function toPrevious(stored: DocumentData, fields: EmployeeFields, by: string | null) {
  // The console can have stored anything, which the rules reject.
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isKept = secretFieldNames.every((name) => isText(stored[name]) || fieldRules[name].isOptional)
  if (!isKept || keepsSecrets(stored, fields)) return
  const secrets = secretFieldNames.filter((name) => isText(stored[name])).map((name) => [name, stored[name]])
  return { ...Object.fromEntries(secrets), replacedAt: serverTimestamp(), replacedBy: by }
}

const keepsSecrets = (stored: DocumentData, fields: EmployeeFields) =>
  secretFieldNames.every((name) => (stored[name] ?? '') === fieldOf(fields, name))

function toKind({ stored, deleted }: ReadRecord, fields: EmployeeFields | null) {
  if (!fields) return 'delete'
  if (stored) return 'change'
  return deleted ? 'restore' : 'add'
}

/** Whether the document has these fields, and no other. */
export const isStored = ({ stored = {} }: ReadRecord, fields: EmployeeFields) =>
  Object.keys(stored).every(isFieldName) &&
  fieldNames.every((name) => (stored[name] ?? '') === fieldOf(fields, name))
