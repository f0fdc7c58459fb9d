import { toTimestamp } from '../../../contract/accounts.ts'
import { includesFields } from '../../../contract/employees.ts'
import type { HandoverInfo, NewHandover, SheetInfo } from '../../../contract/handovers.ts'
import {
  endOfHandover,
  type HandoverHours,
  maxOpenLinks,
  maxSheetLinks,
  takeRepeatMs,
} from '../../../contract/links.ts'
import { createSecret } from '../create-secret.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import type { TeamService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'
import { answer, type Client, forSignedIn } from './client.ts'
import { type Handover, type MemoryService, removeWhere } from './service.ts'

type Handovers = Pick<
  TeamService,
  | 'createHandover'
  | 'listHandovers'
  | 'revokeHandover'
  | 'createSheet'
  | 'listSheets'
  | 'revokeSheet'
  | 'takeHandover'
>

/** The service removes links when their record gets another password or is deleted, and when their maker is removed. */
export function createHandovers(service: MemoryService, client: Client): Handovers {
  const { database } = service
  const { handovers } = service.links
  const getExpiry = (hours?: HandoverHours) => toTimestamp(endOfHandover(service.getTime(), hours))

  function revoke(by: Account, isRevoked: (link: Handover) => boolean) {
    const revoked = listOpen(service).filter(isRevoked)
    for (const { record } of revoked) database.recordEvent(record, 'revoke-hand-over', by.user.email)
    removeWhere(handovers, (link) => revoked.includes(link))
  }

  return {
    async takeHandover(token, key) {
      const taken = await answer(() => take(service, token, key))
      const isMarked = service
        .markLookAlikes(service.accounts.list())
        .some(({ email, looksLike }) => email === taken.by && looksLike)
      return isMarked ? { ...taken, isLookAlike: true } : taken
    },

    ...forSignedIn<Omit<Handovers, 'takeHandover'>>(service, client, {
      createHandover(own, handover) {
        const problem = findProblem(service, handover)
        if (problem) throw createServiceError(problem)
        requireRoom(service, own, [handover])
        return add(service, own, handover, { expiresAt: getExpiry(handover.hours) })
      },
      listHandovers: () => listOpen(service).map(toInfo),
      revokeHandover: (own, id) => revoke(own, (link) => link.id === id),
      createSheet(own, created) {
        const id = newIdempotencyKey()
        const valid = new Set(created.filter((handover) => !findProblem(service, handover)))
        requireRoom(service, own, [...valid], true)
        const records = new Set(Array.from(valid, ({ record }) => record))
        removeWhere(handovers, ({ sheet, record, opened }) => !!sheet && !opened && records.has(record))
        const expiresAt = getExpiry(created[0]?.hours)
        const tokens = created.map((each) =>
          valid.has(each) ? add(service, own, each, { expiresAt, sheet: id }).token : null,
        )
        return { id, tokens, expiresAt }
      },
      listSheets: () => listSheets(service),
      revokeSheet: (own, id) => revoke(own, ({ sheet }) => sheet === id),
    }),
  }
}

function findProblem({ database }: MemoryService, { record, seen }: NewHandover) {
  const current = database.get(record)
  if (!current) return 'not-found'
  return includesFields(current, seen) ? undefined : 'conflict'
}

/** Rejects with `too-many-handovers` beyond the limits, which are others for a sheet. */
function requireRoom(service: MemoryService, own: Account, created: NewHandover[], isSheet = false) {
  const limits = isSheet ? maxSheetLinks : { ...maxOpenLinks, bytes: Number.POSITIVE_INFINITY }
  const records = new Set(created.map(({ record }) => record))
  const others = listOpen(service).filter((link) =>
    isSheet ? link.sheet && !records.has(link.record) : !link.sheet,
  )
  const bytes = [...others, ...created].reduce((sum, { sealed }) => sum + sealed.length, 0)
  const ownCount = others.filter(({ maker }) => maker === own).length + created.length
  if (ownCount > limits.perAccount || others.length + created.length > limits.total || bytes > limits.bytes)
    throw createServiceError('too-many-handovers')
}

function add(
  { database, links, getTime }: MemoryService,
  maker: Account,
  { record, sealed }: NewHandover,
  rest: Pick<HandoverInfo, 'expiresAt' | 'sheet'>,
) {
  const [id, token, by] = [newIdempotencyKey(), createSecret(), maker.user.email]
  removeWhere(links.handovers, (link) => link.record === record && link.opened !== undefined)
  const createdAt = toTimestamp(getTime())
  links.handovers.set(token, { ...rest, id, record, by, createdAt, sealed, maker })
  database.recordEvent(record, 'hand-over', by)
  return { id, token }
}

function take({ links, database, getTime }: MemoryService, token: string, key: string) {
  const link = links.handovers.get(token)
  const isOpen = link && !link.opened && Date.parse(link.expiresAt) > getTime()
  const isRepeated = link?.opened?.key === key && link.opened.at > getTime() - takeRepeatMs
  if (!link || !(isOpen || isRepeated)) throw createServiceError('invalid-link')
  if (!link.opened) {
    link.opened = { at: getTime(), key }
    database.recordEvent(link.record, 'open-hand-over', undefined, link.by)
  }
  return { sealed: link.sealed, by: link.by }
}

const listOpen = ({ links, getTime }: MemoryService) =>
  [...links.handovers.values()].filter(
    ({ opened, expiresAt }) => !opened && Date.parse(expiresAt) > getTime(),
  )

const toInfo = ({ sealed: _, maker: __, opened: ___, ...info }: Handover): HandoverInfo => info

/** Those with open links. */
function listSheets(service: MemoryService): SheetInfo[] {
  const sheets = Map.groupBy(service.links.handovers.values(), ({ sheet }) => sheet ?? '')
  const open = new Set(listOpen(service))
  return [...sheets].flatMap(([id, links]) => {
    const [{ by, createdAt, expiresAt }] = links as [Handover]
    const count = links.filter((link) => open.has(link)).length
    const opened = links.filter((link) => link.opened).length
    return id && count > 0 ? [{ id, by, createdAt, expiresAt, open: count, opened }] : []
  })
}

/** When the latest link to the present password of a record was made, and opened. */
export function findReceipt({ links }: MemoryService, id: string) {
  const latest = [...links.handovers.values()].findLast(({ record }) => record === id)
  if (!latest) return
  const { createdAt: handedOverAt, opened } = latest
  return { handedOverAt, ...(opened && { openedAt: toTimestamp(opened.at) }) }
}
