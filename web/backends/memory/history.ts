import {
  type ActivityEntry,
  type ActivityPage,
  type ActivityQuery,
  activityGroups,
  maxActivityPage,
} from '../../../contract/activity/activity.ts'
import { groupDeleted, maxListedDeleted } from '../../../contract/deletions.ts'
import { maxRecordEvents } from '../../../contract/history.ts'
import type { HistoryService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { dayMs } from './accounts.ts'
import { type Client, forSignedIn } from './client.ts'
import { findReceipt } from './handovers.ts'
import { type MemoryService, removeWhere } from './service.ts'

export function createHistoryService(service: MemoryService, client: Client): HistoryService {
  const { database, accounts, settings } = service
  const allIds = () => database.list().map(({ id }) => id)

  return forSignedIn<HistoryService>(service, client, {
    details: (_, ids) =>
      database.details(ids ?? allIds()).map((details) => ({
        ...details,
        ...(ids && findReceipt(service, details.id)),
      })),
    listOldPasswords: (_, until) =>
      database
        .details(allIds())
        .flatMap(({ id, passwordChangedAt = '' }) =>
          Date.parse(passwordChangedAt) <= Date.parse(until) ? [id] : [],
        ),
    listEvents(_, id) {
      const events = database.listEvents(id)
      if (!events) throw createServiceError('not-found')
      return events.slice(0, maxRecordEvents)
    },
    listDeleted() {
      const documents = listKept(service)
      const { keptDays } = settings
      const listed = documents.slice(0, maxListedDeleted)
      return { documents: listed, total: documents.length, keptDays, deletions: groupDeleted(documents) }
    },
    restoreDeleted({ user: { email } }, id) {
      const deleted = listKept(service).find((document) => document.id === id)
      if (deleted) database.save(id, deleted, email)
      else if (!database.get(id)) throw createServiceError('not-found')
    },
    restoreDeletion({ user: { email } }, { since, until, by }) {
      for (const { deletedAt, deletedBy, ...deleted } of listKept(service))
        if (deletedBy === by && deletedAt >= since && deletedAt <= until)
          database.save(deleted.id, deleted, email)
    },
    listExposed(_, accountId) {
      if (accounts.get(accountId)) return { ids: allIds(), canSignIn: true }
      const removed = accounts.getRemoved(accountId)
      if (!removed) throw createServiceError('not-found')
      return { ids: allIds().filter((id) => database.hadPassword(id, removed.revision)), canSignIn: false }
    },
    report({ user: { email } }, { kind, ids, count }) {
      const isExport = kind === 'emergency' || kind === 'export-passwords'
      for (const id of ids ?? []) database.recordEvent(id, isExport ? 'export' : kind, email)
      if (!ids) service.log({ kind, by: email, isReported: true, ...(count !== undefined && { count }) })
    },
    listActivity: (_, query) => listActivity(service, query),
    listNews: ({ user: { email } }) =>
      service.state.news.filter(({ person }) => person === email).map(({ entry }) => ({ ...entry })),
    forgetNews({ user: { email } }, ids) {
      const isTold = (each: { person: string; entry: { id: string } }) =>
        each.person === email && ids.includes(each.entry.id)
      service.state.news = service.state.news.filter((each) => !isTold(each))
    },
  })
}

/** The deleted documents that can be restored. */
function listKept({ database, settings, getTime }: MemoryService) {
  const keptSince = getTime() - settings.keptDays * dayMs
  return database.deleted().filter(({ deletedAt }) => Date.parse(deletedAt) > keptSince)
}

function listActivity(service: MemoryService, query: ActivityQuery): ActivityPage {
  const { before, after, kind, by } = query
  logExpired(service)
  const isAbout = createSubjectFilter(service, query)
  const { accounts, activity } = service
  const author = by && (accounts.get(by) ?? accounts.getRemoved(by)?.account)?.user.email
  const kinds: readonly string[] | undefined = kind && activityGroups[kind]
  const nobody = ['open-hand-over', 'expire-hand-over', 'refuse-sign-in']
  const wanted = activity.filter(
    (entry) =>
      (before === undefined || Number(entry.id) < Number(before)) &&
      (after === undefined || Number(entry.id) > Number(after)) &&
      (kinds === undefined || kinds.includes(entry.kind)) &&
      (by === undefined ||
        (by === ''
          ? !entry.by && !nobody.includes(entry.kind)
          : author !== undefined && entry.by === author)) &&
      isAbout(entry),
  )
  const entries = wanted.reverse().slice(0, maxActivityPage)
  const last = entries.at(-1)
  return {
    entries: entries.map((entry) => ({ ...entry })),
    ...(last && entries.length < wanted.length && { next: last.id }),
  }
}

/** Tells whether an entry is about one of the records or people of a query. */
function createSubjectFilter({ database, accounts }: MemoryService, { records, people }: ActivityQuery) {
  if (!records && !people) return () => true
  const emails = (people ?? []).map(
    (uid) => (accounts.get(uid) ?? accounts.getRemoved(uid)?.account)?.user.email,
  )
  const toKey = ({ at, by = '' }: { at: string; by?: string }, kind: string) =>
    `${at} ${by} ${kind === 'import' ? 'add' : kind}`
  const events = (records ?? []).flatMap((id) => database.listEvents(id) ?? [])
  const keys = new Set(events.map((event) => toKey(event, event.kind)))
  return (entry: ActivityEntry) => {
    const { record, by, account, kind } = entry
    if ((by && emails.includes(by)) || (account && emails.includes(account))) return true
    return record === undefined ? keys.has(toKey(entry, kind)) : (records ?? []).includes(record)
  }
}

/** Logs the hand-overs that nobody has opened in their time, and forgets them. */
function logExpired({ links, log, getTime }: MemoryService): void {
  for (const { opened, expiresAt, record, by } of links.handovers.values())
    if (!opened && Date.parse(expiresAt) <= getTime()) log({ kind: 'expire-hand-over', record, account: by })
  removeWhere(links.handovers, ({ opened, expiresAt }) => !opened && Date.parse(expiresAt) <= getTime())
}
