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
import { read, readAll, readWhere, toIso } from './firestore.ts'
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
export async function listActivity(
  db: Firestore,
  { before, after, kind, by }: ActivityQuery,
): Promise<ActivityPage> {
  const author = by && (await read(getDocFromServer(doc(membersOf(db), by)))).get('email')
  // Nobody but members writes here.
  if (by !== undefined && !author) return { entries: [], isByPages: true }
  const constraints: QueryConstraint[] = [
    ...(kind ? [where('kind', 'in', listKinds(kind))] : []),
    ...(author ? [where('by', '==', author)] : []),
    orderBy('at', 'desc'),
    orderBy(documentId(), 'desc'),
    ...(before === undefined ? [] : [startAfter(...fromCursor(before))]),
    ...(after === undefined ? [] : [endBefore(...fromCursor(after))]),
    limit(pageSize),
  ]
  const found = [...(await readAll(query(activityOf(db), ...constraints)))]
  const [lastId, last] = found.at(-1) ?? []
  // Some only reserve their id.
  const told = found.filter(([, data]) => data.kind !== 'reserve')
  const opened = told.flatMap(([, { kind, link }]) => (kind === 'open-hand-over' ? [String(link)] : []))
  const links = await readWhere(handoversOf(db), opened)
  const linkOf = ({ kind, link }: DocumentData) => (kind === 'open-hand-over' ? links.get(link) : undefined)
  const entries = told.map(([id, data]) => toEntry(id, data, linkOf(data)))
  return {
    entries,
    isByPages: true,
    ...(found.length === pageSize && lastId && { next: toCursor(lastId, last) }),
  }
}

const toCursor = (id: string, { at }: DocumentData = {}) => `${at.seconds}.${at.nanoseconds}.${id}`

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
