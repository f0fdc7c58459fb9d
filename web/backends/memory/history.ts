import { groupDeleted, maxListedDeleted } from '../../../contract/deletions.ts'
import { maxRecordEvents } from '../../../contract/history.ts'
import type { HistoryService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { dayMs } from './accounts.ts'
import { type Client, forSignedIn } from './client.ts'
import { findReceipt } from './handovers.ts'
import type { MemoryService } from './service.ts'

export function createHistoryService(service: MemoryService, client: Client): HistoryService {
  const { database, accounts, settings, getTime } = service
  const allIds = () => database.list().map(({ id }) => id)
  const listDeleted = () => {
    const keptSince = getTime() - settings.keptDays * dayMs
    return database.deleted().filter(({ deletedAt }) => Date.parse(deletedAt) > keptSince)
  }

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
      const documents = listDeleted()
      const { keptDays } = settings
      const listed = documents.slice(0, maxListedDeleted)
      return { documents: listed, total: documents.length, keptDays, deletions: groupDeleted(documents) }
    },
    restoreDeleted({ user: { email } }, id) {
      const deleted = listDeleted().find((document) => document.id === id)
      if (deleted) database.save(id, deleted, email)
      else if (!database.get(id)) throw createServiceError('not-found')
    },
    restoreDeletion({ user: { email } }, { since, until, by }) {
      for (const { deletedAt, deletedBy, ...deleted } of listDeleted())
        if (deletedBy === by && deletedAt >= since && deletedAt <= until)
          database.save(deleted.id, deleted, email)
    },
    listExposed(_, accountId) {
      if (accounts.get(accountId)) return { ids: allIds(), canSignIn: true }
      const removed = accounts.getRemoved(accountId)
      if (!removed) throw createServiceError('not-found')
      return { ids: allIds().filter((id) => database.hadPassword(id, removed.revision)), canSignIn: false }
    },
    report({ user: { email } }, { kind, ids = [] }) {
      for (const id of ids) database.recordEvent(id, kind, email)
    },
  })
}
