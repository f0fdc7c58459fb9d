import {
  type DocumentData,
  doc,
  documentId,
  endBefore,
  type Firestore,
  getDocFromServer,
  limit,
  orderBy,
  type QueryConstraint,
  query,
  startAfter,
  Timestamp,
  where,
} from 'firebase/firestore'
import {
  type ActivityEntry,
  type ActivityGroup,
  type ActivityKind,
  type ActivityPage,
  type ActivityQuery,
  activityGroups,
} from '../../../contract/activity/activity.ts'
import { splitIntoChunks, toImportId } from '../../../contract/firestore.ts'
import { type Documents, maxCompared, read, readAll, readWhere, toIso } from './firestore.ts'
import { activityOf } from './recorded-writes.ts'
import { handoversOf, membersOf } from './team/members.ts'

/** Firebase charges each entry that is read. */
const pageSize = 50

/** Stands for all records, where they are many. */
export const anyRecord = '*'

/** What pages tell, and the rules can't check. */
const reportedKinds = [
  ...['reveal', 'copy', 'export', 'export-passwords', 'emergency'],
  ...['sign-in', 'change-password'],
]

/** What only a server knows. */
const unknownKinds: ReadonlySet<ActivityKind> = new Set<ActivityKind>([
  ...(['sign-in-first', 'sign-in-new-browser', 'refuse-sign-in', 'end-sessions', 'revoke-sessions'] as const),
  ...(['create-reset-link', 'use-reset-link', 'reset-password', 'add-passkey', 'remove-passkey'] as const),
  ...(['connect-sso', 'disconnect-sso', 'add-account', 'backup', 'restore-backup'] as const),
])

/** Firestore reads an index for each. */
const listKinds = (group: ActivityGroup) =>
  activityGroups[group].filter((kind: ActivityKind) => !unknownKinds.has(kind))

/** Lists entries of the activity, which the rules let no member change. */
export async function listActivity(db: Firestore, wanted: ActivityQuery): Promise<ActivityPage> {
  const { kind, by, records, people } = wanted
  const author = by && (await read(db, () => getDocFromServer(doc(membersOf(db), by)))).get('email')
  // Nobody but members writes here.
  if (by !== undefined && !author) return { entries: [], isByPages: true }
  if (records || people) return search(db, wanted, author)
  const constraints: QueryConstraint[] = [
    ...(kind ? [where('kind', 'in', listKinds(kind))] : []),
    ...(author ? [where('by', '==', author)] : []),
    ...toRange(wanted),
  ]
  const found = [...(await readAll(query(activityOf(db), ...constraints)))]
  const entries = await toEntries(db, found)
  return { entries, isByPages: true, ...(found.length === pageSize && { next: cursorOf(found.at(-1)) }) }
}

/** Reads what is about some records or people: from the index of each way in which an entry may name them. */
async function search(
  db: Firestore,
  { records = [], people = [], ...wanted }: ActivityQuery,
  author: string | undefined,
): Promise<ActivityPage> {
  const emails = [...(await readWhere(membersOf(db), people)).values()].map(({ email }) => email)
  const names = [...new Set(records.flatMap((id) => [id, toImportId(id) ?? id]))]
  const conditions = [
    ...splitIntoChunks(names, maxCompared).map((part) => where('ids', 'array-contains-any', part)),
    ...(records.length > 0 ? [where('record', 'in', records)] : []),
    ...(emails.length > 0 ? [where('by', 'in', emails), where('account', 'in', emails)] : []),
  ]
  const parts = await Promise.all(
    conditions.map((condition) => readAll(query(activityOf(db), condition, ...toRange(wanted)))),
  )
  // Where a part has more, the others are shown as far as it reaches.
  const ends = parts.flatMap((part) => (part.size === pageSize ? [[...part].at(-1)] : []))
  const [next] = ends.map(cursorOf).sort(compareCursors)
  const found = new Map([...parts.flatMap((part) => [...part]), ...(await readOpened(db, records, emails))])
  const isIncluded = ([id, data]: [string, DocumentData]) => {
    const cursor = toCursor(id, data)
    return (
      (!next || compareCursors(cursor, next) <= 0) &&
      (!wanted.before || compareCursors(cursor, wanted.before) > 0) &&
      (!wanted.after || compareCursors(cursor, wanted.after) < 0) &&
      (!wanted.kind || listKinds(wanted.kind).includes(data.kind)) &&
      (!author || data.by === author)
    )
  }
  const entries = await toEntries(db, [...found].filter(isIncluded))
  entries.sort((a, b) => compareCursors(a.id, b.id))
  return { entries, isByPages: true, ...(next && { next }) }
}

/** The entry of a link that was opened names neither its record nor its maker. */
async function readOpened(db: Firestore, records: string[], emails: string[]): Promise<Documents> {
  const links = new Map([
    ...(await readWhere(handoversOf(db), records, 'record')),
    ...(await readWhere(handoversOf(db), emails, 'by')),
  ])
  const opened = [...links].flatMap(([id, { openedAt }]) => (openedAt ? [`${id}-opened`] : []))
  return readWhere(activityOf(db), opened)
}

/** The latest first, between the bounds of a query. */
const toRange = ({ before, after }: ActivityQuery): QueryConstraint[] => [
  orderBy('at', 'desc'),
  orderBy(documentId(), 'desc'),
  ...(before === undefined ? [] : [startAfter(...fromCursor(before))]),
  ...(after === undefined ? [] : [endBefore(...fromCursor(after))]),
  limit(pageSize),
]

async function toEntries(db: Firestore, found: [string, DocumentData][]): Promise<ActivityEntry[]> {
  // Some only reserve their id.
  const told = found.filter(([, data]) => data.kind !== 'reserve')
  const opened = told.flatMap(([, { kind, link }]) => (kind === 'open-hand-over' ? [String(link)] : []))
  const links = await readWhere(handoversOf(db), opened)
  const linkOf = ({ kind, link }: DocumentData) => (kind === 'open-hand-over' ? links.get(link) : undefined)
  return told.map(([id, data]) => toEntry(id, data, linkOf(data)))
}

const toCursor = (id: string, { at }: DocumentData = {}) => `${at.seconds}.${at.nanoseconds}.${id}`

const cursorOf = ([id, data]: [string, DocumentData] = ['', {}]) => toCursor(id, data)

/** The latest first, as a query does. */
function compareCursors(a: string, b: string): number {
  const [keyA, keyB] = [a, b].map((cursor) =>
    fromCursor(cursor)
      .map((part) => part.valueOf())
      .join(),
  )
  return keyA === keyB ? 0 : (keyA as string) > (keyB as string) ? -1 : 1
}

function fromCursor(cursor: string): [Timestamp, string] {
  const [seconds = '', nanoseconds = '', ...id] = cursor.split('.')
  return [new Timestamp(Number(seconds), Number(nanoseconds)), id.join('.')]
}

/** `link`: the hand-over that was opened, by somebody who knew only its secret. */
function toEntry(id: string, data: DocumentData, link: DocumentData | undefined): ActivityEntry {
  const { kind, at, by, ids = [], count, browser } = data
  const record = kind !== 'import' && ids.length === 1 && ids[0] !== anyRecord ? ids[0] : undefined
  const about = record ?? data.record ?? link?.record
  const account = data.account ?? link?.by
  const number = count ?? (ids.length > 1 ? ids.length : undefined)
  return {
    ...{ id: toCursor(id, data), at: toIso(at) ?? '', kind },
    ...(by && { by: String(by) }),
    ...(about ? { record: String(about) } : number !== undefined && { count: Number(number) }),
    ...(account && { account: String(account) }),
    ...(browser && { browser: String(browser) }),
    ...(reportedKinds.includes(kind) && { isReported: true as const }),
  }
}
