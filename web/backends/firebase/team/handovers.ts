import {
  type DocumentData,
  doc,
  type Firestore,
  limit,
  orderBy,
  query,
  serverTimestamp,
  where,
} from 'firebase/firestore'
import { includesFields } from '../../../../contract/employees.ts'
import { splitIntoChunks } from '../../../../contract/firestore.ts'
import type { HandoverInfo, NewHandover, SheetInfo } from '../../../../contract/handovers.ts'
import { endOfHandover } from '../../../../contract/links.ts'
import { createSecret } from '../../create-secret.ts'
import type { TeamService } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import { type Documents, readAll, readWhere, toIso } from '../firestore.ts'
import { toEmployee } from '../page-view.ts'
import { booksOf, detailsOf } from '../recorded-writes.ts'
import type { Session } from '../session.ts'
import { createTransactions, type RunTransaction } from '../transactions.ts'
import type { Guests } from './guests.ts'
import {
  entryIds,
  handoversOf,
  hashSecret,
  hasMakerStayed,
  log,
  membersOf,
  sealedOf,
  wipe,
} from './members.ts'

/** The number of links in one transaction: the rules may read 20 documents for it. */
const maxTogether = 6

/** Transactions that make or revoke links are small, so that some run at once. */
const maxAtOnce = 6

/** A link in a transaction: its token, or why there is none. */
type Made = { id: string; token: string } | { problem: 'not-found' | 'conflict' }

/** Makes, lists and revokes hand-overs. The rules decide when a link is void; what is listed here follows them. */
export function createHandovers(db: Firestore, session: Session, guests: Guests) {
  const { list, revoke } = createLinks(db, session)

  async function make(handovers: NewHandover[], sheet: string | null) {
    const byUid = await session.requireUid()
    await guests.requireAllowed()
    const records = new Set(handovers.map(({ record }) => record))
    if (sheet !== null) await revoke(await listOfSheets((link) => !link.openedAt && records.has(link.record)))
    const expiresAt = new Date(endOfHandover(Date.now(), handovers[0]?.hours))
    const origin = { sheet, by: session.email(), byUid, expiresAt, wipeAt: expiresAt }
    return { expiresAt, made: await inParts(handovers, (part) => makePart(db, part, origin)) }
  }

  const listOfSheets = async (isWanted: (link: DocumentData) => boolean) =>
    (await list()).filter((link) => link.sheet !== null && isWanted(link))

  return {
    async createHandover(handover) {
      const { made } = await make([handover], null)
      const [link] = made as [Made]
      if ('problem' in link) throw createServiceError(link.problem)
      return link
    },

    async listHandovers() {
      return (await list()).filter(({ openedAt }) => !openedAt).map(toInfo)
    },

    async revokeHandover(id) {
      await session.requireUid()
      await revoke([{ id }])
    },

    async createSheet(handovers) {
      const id = createSecret()
      const { made, expiresAt } = await make(handovers, id)
      const tokens = made.map((link) => ('token' in link ? link.token : null))
      return { id, tokens, expiresAt: expiresAt.toISOString() }
    },

    async listSheets() {
      const sheets = Map.groupBy(await listOfSheets(() => true), ({ sheet }) => sheet)
      return [...sheets.values()].map(toSheet).filter(({ open }) => open > 0)
    },

    async revokeSheet(id) {
      await revoke(await listOfSheets(({ sheet }) => sheet === id))
    },
  } satisfies Partial<TeamService>
}

/** Makes links to the records that are as their maker saw them. */
async function makePart(db: Firestore, part: NewHandover[], origin: { by: string | null }) {
  const tokens = part.map(createSecret)
  const ids = await Promise.all(tokens.map(hashSecret))
  return createTransactions(db)(async (transaction) => {
    const found = await Promise.all(part.map(({ record }) => transaction.get(doc(booksOf(db), record))))
    return part.map(({ record, seen, sealed }, i): Made => {
      const [stored, id = '', token = ''] = [found[i]?.data(), ids[i], tokens[i]]
      if (!stored) return { problem: 'not-found' }
      if (!includesFields(toEmployee(record, stored), seen)) return { problem: 'conflict' }
      transaction
        .set(doc(handoversOf(db), id), { ...newHandover, ...origin, record, createdAt: serverTimestamp() })
        .set(doc(sealedOf(db), id), { text: sealed, by: origin.by })
      const about = { by: origin.by, link: id, record, account: null }
      log(db, transaction, { kind: 'hand-over', ...about }, entryIds(id).made)
      return { id, token }
    })
  })
}

function createLinks(db: Firestore, session: Session) {
  return {
    /** The links that can be opened, or were, and have not expired. */
    async list(): Promise<DocumentData[]> {
      await session.requireUid()
      const valid = query(handoversOf(db), where('expiresAt', '>', new Date()), orderBy('expiresAt'))
      const links = Array.from(await readAll(valid), ([id, link]): DocumentData => ({ id, ...link }))
      if (links.length === 0) return []
      const records = [...new Set(links.map(({ record }) => record))]
      const reads = [readAll(membersOf(db)), readWhere(detailsOf(db), records)] as const
      const [members, details] = await Promise.all(reads)
      return links.filter((link) => link.openedAt || isUsable(link, members, details.get(link.record)))
    },

    /** Leaves out those that were opened or revoked. */
    async revoke(links: DocumentData[]): Promise<void> {
      await inParts(links, (part) =>
        createTransactions(db)(async (transaction) => {
          const refs = part.map(({ id }) => doc(handoversOf(db), id))
          const found = await Promise.all(refs.map((ref) => transaction.get(ref)))
          const open = found.filter(
            (link) => link.exists() && !link.get('openedAt') && !link.get('revokedAt'),
          )
          const revocation = { revokedAt: serverTimestamp(), revokedBy: session.email() }
          for (const link of open) {
            wipe(db, transaction, link.id, revocation)
            const about = { by: session.email(), link: link.id, record: link.get('record'), account: null }
            log(db, transaction, { kind: 'revoke-hand-over', ...about }, entryIds(link.id).revoked)
          }
          return open
        }),
      )
    },
  }
}

const newHandover = { takenBy: null, openedAt: null, secret: null, revokedAt: null, revokedBy: null }

/** Calls `write` for parts that fit in a transaction, some at once. */
async function inParts<T, Result>(items: T[], write: (part: T[]) => Promise<Result[]>): Promise<Result[]> {
  const results: Result[] = []
  for (const parts of splitIntoChunks(splitIntoChunks(items, maxTogether), maxAtOnce))
    results.push(...(await Promise.all(parts.map(write))).flat())
  return results
}

/** Wipes what expired links would have shown, of some at a time. */
export async function wipeExpired(db: Firestore, runTransaction: RunTransaction): Promise<void> {
  const expired = query(handoversOf(db), where('wipeAt', '<', new Date()), limit(10 * maxTogether))
  await inParts([...(await readAll(expired))], (part) =>
    runTransaction((transaction) => {
      for (const [id, { record, by, takenBy }] of part) {
        wipe(db, transaction, id)
        const about = { by: null, link: id, record, account: by }
        if (!takenBy) log(db, transaction, { kind: 'expire-hand-over', ...about }, entryIds(id).expired)
      }
      return part
    }),
  )
}

function isUsable(link: DocumentData, members: Documents, details: DocumentData | undefined): boolean {
  return hasMakerStayed(link, members) && !link.revokedAt && isUnchanged(link, details)
}

/** Whether the record has the password that it had when the link was made, and was not deleted since. */
export const isUnchanged = ({ createdAt }: DocumentData, details: DocumentData | undefined): boolean =>
  !details?.isDeleted && !(details?.passwordChangedAt > createdAt) && !(details?.deletedAt > createdAt)

const toTimes = ({ by, createdAt, expiresAt }: DocumentData) => ({
  by: String(by),
  createdAt: toIso(createdAt) ?? '',
  expiresAt: toIso(expiresAt) ?? '',
})

const toInfo = ({ id, record, sheet, ...rest }: DocumentData): HandoverInfo => ({
  ...{ id, record, ...toTimes(rest) },
  ...(sheet && { sheet }),
})

function toSheet(links: DocumentData[]): SheetInfo {
  const opened = links.filter(({ openedAt }) => openedAt).length
  const [first = {}] = links
  return { id: first.sheet, ...toTimes(first), open: links.length - opened, opened }
}
