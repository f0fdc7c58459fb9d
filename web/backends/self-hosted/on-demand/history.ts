import type { RecordDetails } from '../../../../contract/history.ts'
import { idempotencyKeyHeader, paths } from '../../../../contract/protocol.ts'
import { newIdempotencyKey } from '../../idempotency-key.ts'
import type { HistoryService, PreviousPasswordService } from '../../ports.ts'
import { createRequests, type Send } from '../client.ts'

export function createPreviousPasswordService(send: Send): PreviousPasswordService {
  const { read, readList } = createRequests(send)
  return {
    list: (id) => readList(paths.previousPasswords(id), 'passwords'),
    read: (id, key) => read('GET', paths.previousPassword(id, key)),
  }
}

export function createHistoryService(send: Send): HistoryService {
  const { read, readList, run } = createRequests(send)
  const readDetails = (query: string) => readList<RecordDetails, 'details'>(paths.details + query, 'details')
  return {
    details: (ids) => readDetails(ids ? `?ids=${ids.join(',')}` : ''),
    listOldPasswords: async (until) => (await readDetails(`?passwordUntil=${until}`)).map(({ id }) => id),
    listEvents: (id) => readList(paths.recordActivity(id), 'events'),
    listDeleted: () => read('GET', paths.deleted),
    restoreDeleted: (id) =>
      run('POST', paths.restore(id), { headers: { [idempotencyKeyHeader]: newIdempotencyKey() } }),
    async restoreDeletion({ since, until, by }) {
      const body = { since, until, by }
      const restoreSome = () => read<{ restored: number }>('POST', paths.restoreDeletion, { body })
      while ((await restoreSome()).restored > 0);
    },
    listExposed: (accountId) => read('GET', `${paths.exposed}?account=${encodeURIComponent(accountId)}`),
    listActivity({ people, ...query }) {
      const named = people ? { ...query, people: people.map(encodeURIComponent) } : query
      const values = Object.entries(named).map(([name, value]) => [name, String(value)])
      return read('GET', `${paths.activity}?${new URLSearchParams(values)}`)
    },
    listNews: (signal) => readList(paths.news, 'entries', { signal }),
    forgetNews: (ids) => run('POST', paths.news, { body: { ids } }),
    report: (report) => run('POST', paths.activity, { body: report }),
  }
}
