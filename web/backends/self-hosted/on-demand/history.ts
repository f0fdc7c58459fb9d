import type { SecretFields } from '../../../../contract/employees.ts'
import type {
  DeletedList,
  ExposedRecords,
  PreviousPassword,
  RecordDetails,
  RecordEvent,
} from '../../../../contract/history.ts'
import { paths } from '../../../../contract/protocol.ts'
import type { HistoryService, PreviousPasswordService } from '../../ports.ts'
import { readJson, type Send } from '../client.ts'

export function createPreviousPasswordService(send: Send): PreviousPasswordService {
  return {
    async list(id) {
      const response = await send('GET', paths.previousPasswords(id))
      return (await readJson<{ passwords: PreviousPassword[] }>(response)).passwords
    },
    read: (id, key) => send('GET', paths.previousPassword(id, key)).then(readJson<SecretFields>),
  }
}

export function createHistoryService(send: Send): HistoryService {
  async function readDetails(query: string) {
    const response = await send('GET', paths.details + query)
    return (await readJson<{ details: RecordDetails[] }>(response)).details
  }

  return {
    details: (ids) => readDetails(ids ? `?ids=${ids.join(',')}` : ''),
    listOldPasswords: async (until) => (await readDetails(`?passwordUntil=${until}`)).map(({ id }) => id),
    async listEvents(id) {
      const response = await send('GET', paths.recordActivity(id))
      return (await readJson<{ events: RecordEvent[] }>(response)).events
    },
    listDeleted: () => send('GET', paths.deleted).then(readJson<DeletedList>),
    async restoreDeleted(id) {
      await send('POST', paths.restore(id))
    },
    async restoreDeletion({ since, until, by }) {
      const body = { since, until, by }
      const restoreSome = () =>
        send('POST', paths.restoreDeletion, { body }).then(readJson<{ restored: number }>)
      while ((await restoreSome()).restored > 0);
    },
    listExposed: (accountId) =>
      send('GET', `${paths.exposed}?account=${encodeURIComponent(accountId)}`).then(readJson<ExposedRecords>),
    async report(report) {
      await send('POST', paths.activity, { body: report })
    },
  }
}
