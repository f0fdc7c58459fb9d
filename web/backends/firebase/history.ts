import {
  collectionGroup,
  type DocumentData,
  doc,
  type Firestore,
  getCountFromServer,
  getDocFromServer,
  getDocsFromServer,
  limit,
  orderBy,
  query,
  serverTimestamp,
  where,
} from 'firebase/firestore'
import { groupDeleted, maxListedDeleted } from '../../../contract/deletions.ts'
import { type EmployeeFields, pickFields } from '../../../contract/employees.ts'
import {
  previousPasswordCollection,
  previousPasswordDays,
  splitIntoChunks,
  toImportId,
} from '../../../contract/firestore.ts'
import {
  type DeletedEmployee,
  type Deletion,
  type ExposedRecords,
  maxRecordEvents,
  type RecordDetails,
  type RecordEvent,
} from '../../../contract/history.ts'
import type { HistoryService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { anyRecord, listActivity } from './activity.ts'
import { read, readAll, readWhere, toIso } from './firestore.ts'
import { type PageView, toEmployee } from './page-view.ts'
import { keptSince } from './previous-passwords.ts'
import {
  activityOf,
  booksOf,
  deletedOf,
  detailsOf,
  maxRecordedTogether,
  readRecord,
  writeRecorded,
} from './recorded-writes.ts'
import type { Session } from './session.ts'
import { isUnchanged } from './team/handovers.ts'
import { handoversOf, membersOf } from './team/members.ts'
import { createTransactions } from './transactions.ts'

/** Rejects with `not-found` if there is no such record. */
async function requireRecord(db: Firestore, id: string): Promise<void> {
  const record = await read(db, () => getDocFromServer(doc(booksOf(db), id)))
  if (!record.exists()) throw createServiceError('not-found')
}

/** Reads what recorded-writes.ts has written. */
export function createHistoryService(db: Firestore, session: Session, view: PageView): HistoryService {
  const details = createDetails(db, session, view)

  return {
    details,
    ...createDeletedRecords(db, session),

    async listOldPasswords(until) {
      const all = await details()
      const isOld = ({ passwordChangedAt }: RecordDetails) =>
        passwordChangedAt !== undefined && Date.parse(passwordChangedAt) <= Date.parse(until)
      return all.filter(isOld).map(({ id }) => id)
    },

    async listEvents(id) {
      await session.requireUid()
      const names = [id, anyRecord, toImportId(id) ?? id]
      const about = query(activityOf(db), where('ids', 'array-contains-any', names))
      const latest = await readAll(query(about, orderBy('at', 'desc'), limit(maxRecordEvents)))
      const entries = [...latest.values()]
      const hasOwn = entries.some(({ ids }) => ids[0] !== anyRecord)
      if (!hasOwn) await requireRecord(db, id)
      const links = await readWhere(handoversOf(db), [id], 'record')
      const events = [...entries.map(toEvent), ...[...links.values()].flatMap(toLinkEvents)]
        .sort((a, b) => b.at.localeCompare(a.at))
        .slice(0, maxRecordEvents)
      const added = events.findLastIndex(({ kind }) => kind === 'add')
      return added < 0 ? events : events.slice(0, added + 1)
    },

    async listExposed(accountId) {
      await session.requireUid()
      const member = await read(db, () => getDocFromServer(doc(membersOf(db), accountId)))
      if (!member.exists()) throw createServiceError('not-found')
      const removedAt = toIso(member.get('removedAt'))
      if (!removedAt) return { ids: view.listIds(), canSignIn: true }
      return findExposed(db, view, await details(), Date.parse(removedAt))
    },

    isMetered: async () => true,
    listNews: async () => [],
    forgetNews: async () => {},

    async listActivity(query) {
      await session.requireUid()
      return listActivity(db, query)
    },

    async report({ kind, ids = [anyRecord], count }) {
      await session.requireUid()
      const entry = {
        kind,
        ids,
        by: session.email(),
        at: serverTimestamp(),
        ...(count !== undefined && { count }),
      }
      await createTransactions(db)((transaction) => void transaction.set(doc(activityOf(db)), entry))
    },
  }
}

function createDetails(db: Firestore, session: Session, view: PageView) {
  return async (ids?: string[]): Promise<RecordDetails[]> => {
    await session.requireUid()
    const importIdOf = (id: string) => toImportId(id) ?? ''
    const importIds = new Set(ids?.map(importIdOf).filter((id) => id !== ''))
    const [stored, entries, links] = await Promise.all([
      ids ? readWhere(detailsOf(db), ids) : readAll(query(detailsOf(db), where('isDeleted', '==', false))),
      ids
        ? readWhere(activityOf(db), [...importIds])
        : readAll(query(activityOf(db), where('kind', '==', 'import'))),
      readWhere(handoversOf(db), ids ?? [], 'record'),
    ])
    // An entry may only reserve its id.
    const imports = new Map([...entries].filter(([, { kind }]) => kind === 'import'))
    const linksOf = Map.groupBy(links.values(), ({ record }) => record)
    const mayExist = ids ?? [...new Set([...view.listIds(), ...stored.keys()])]
    const isUnknown = (id: string) => !stored.has(id) && imports.has(importIdOf(id)) && !view.get(id)
    const existing = await readWhere(booksOf(db), mayExist.filter(isUnknown))
    return mayExist
      .filter((id) => (isUnknown(id) ? existing.has(id) : !stored.get(id)?.isDeleted))
      .flatMap((id) => {
        const details = toDetails(id, stored.get(id), imports.get(importIdOf(id)))
        return details ? { ...details, ...toReceipt(linksOf.get(id) ?? [], stored.get(id)) } : []
      })
  }
}

function createDeletedRecords(db: Firestore, session: Session) {
  const runTransaction = createTransactions(db)

  async function restoreTogether(ids: string[]) {
    await runTransaction(async (transaction) => {
      const records = await Promise.all(ids.map((id) => readRecord(db, transaction, id)))
      const restored = records.flatMap((record) => {
        if (record.stored || !record.deleted) return []
        return [[record, pickFields(toEmployee(record.id, record.deleted.fields))] as const]
      })
      writeRecorded(db, transaction, session.email(), restored)
    })
  }

  const keptDeleted = () => query(deletedOf(db), where('at', '>', keptSince()), orderBy('at', 'desc'))

  return {
    async listDeleted() {
      await session.requireUid()
      const [documents, count] = await Promise.all([
        readAll(query(keptDeleted(), limit(maxListedDeleted))),
        read(db, () => getCountFromServer(keptDeleted())),
      ])
      const deleted = Array.from(documents, ([id, data]) => toDeleted(id, data))
      const { count: total } = count.data()
      return { documents: deleted, total, keptDays: previousPasswordDays, deletions: groupDeleted(deleted) }
    },

    async restoreDeleted(id: string) {
      await session.requireUid()
      await restoreTogether([id])
      await requireRecord(db, id)
    },

    async restoreDeletion({ since, until, by }: Deletion) {
      await session.requireUid()
      // Timestamps have microseconds, which the page does not know.
      const end = new Date(Date.parse(until) + 1)
      const between = query(deletedOf(db), where('at', '>=', new Date(since)), where('at', '<', end))
      const ids = [...(await readAll(between))].flatMap(([id, data]) => (data.by === by ? [id] : []))
      for (const part of splitIntoChunks(ids, maxRecordedTogether)) await restoreTogether(part)
    },
  }
}

/** Returns the details of the import for a record without its own; undefined if nothing is recorded. */
function toDetails(id: string, stored: DocumentData | undefined, imported: DocumentData | undefined) {
  const changedAt = toIso(stored?.changedAt ?? imported?.at)
  if (!changedAt) return
  const changedBy = stored ? stored.changedBy : imported?.by
  const passwordChangedAt = toIso(stored?.passwordChangedAt ?? imported?.at)
  return { id, changedAt, changedBy: String(changedBy), ...(passwordChangedAt && { passwordChangedAt }) }
}

/** When the latest link to the present password was made, and opened. */
function toReceipt(links: DocumentData[], details: DocumentData | undefined) {
  const made = links.filter((link) => !link.revokedAt && isUnchanged(link, details))
  if (made.length === 0) return
  const latest = made.reduce((a, b) => (a.createdAt > b.createdAt ? a : b))
  const [handedOverAt = '', openedAt] = [toIso(latest.createdAt), toIso(latest.openedAt)]
  return { handedOverAt, ...(openedAt && { openedAt }) }
}

/** Whoever has opened a link has no name. */
const toLinkEvents = ({ by, createdAt, openedAt, revokedAt, revokedBy }: DocumentData): RecordEvent[] => [
  { at: toIso(createdAt) ?? '', by, kind: 'hand-over' },
  ...(openedAt ? [{ at: toIso(openedAt) ?? '', kind: 'open-hand-over' } as const] : []),
  ...(revokedAt ? [{ at: toIso(revokedAt) ?? '', by: revokedBy, kind: 'revoke-hand-over' } as const] : []),
]

function toEvent({ kind, at, by, count, ids }: DocumentData): RecordEvent {
  return {
    at: toIso(at) ?? '',
    by: String(by),
    kind: kind === 'import' ? 'add' : kind === 'emergency' || kind === 'export-passwords' ? 'export' : kind,
    ...(kind !== 'import' && ids.length === 1 && count === undefined ? {} : { count: count ?? ids.length }),
  }
}

const toDeleted = (id: string, { fields, at, by }: DocumentData): DeletedEmployee => ({
  ...toEmployee(id, fields),
  deletedAt: toIso(at) ?? '',
  deletedBy: String(by),
})

/**
 * The records whose password somebody could read before `removedAt`: those that have not changed since, and those that have a
 * kept previous password again. Where a beginning is not known, the password counts as known.
 */
async function findExposed(
  db: Firestore,
  view: PageView,
  details: RecordDetails[],
  removedAt: number,
): Promise<ExposedRecords> {
  const changes = new Map(details.map(({ id, passwordChangedAt }) => [id, passwordChangedAt]))
  const previous = query(collectionGroup(db, previousPasswordCollection), orderBy('replacedAt'))
  const { docs } = await read(db, () => getDocsFromServer(previous))
  const byRecord = Map.groupBy(docs, ({ ref }) => ref.parent.parent?.id ?? '')

  function isKnown(id: string, { password }: EmployeeFields): boolean {
    if (!(Date.parse(changes.get(id) ?? '') > removedAt)) return true
    let since = readCreationTime(id)
    for (const document of byRecord.get(id) ?? []) {
      if (since <= removedAt && document.get('password') === password) return true
      since = Date.parse(toIso(document.get('replacedAt')) ?? '')
    }
    return false
  }

  const ids = view.listIds().filter((id) => {
    const employee = view.get(id)
    return employee && isKnown(id, employee)
  })
  return { ids, canSignIn: false }
}

/** Ids begin with the time in ms of their idempotency key; those that Firebase's console makes do not. */
const readCreationTime = (id: string) => (/^[0-9a-f]{32}/.test(id) ? Number.parseInt(id.slice(0, 12), 16) : 0)
