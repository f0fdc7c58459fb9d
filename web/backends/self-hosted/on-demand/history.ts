import type { RecordDetails } from '../../../../contract/history.ts'
import { paths } from '../../../../contract/protocol.ts'
import type { HistoryService } from '../../ports.ts'
import { readJson, type Send } from '../client.ts'

export function createHistoryService(send: Send): HistoryService {
  return {
    async details(ids) {
      const query = ids ? `?ids=${ids.join(',')}` : ''
      const response = await send('GET', paths.details + query)
      return (await readJson<{ details: RecordDetails[] }>(response)).details
    },

    async listDeleted() {
      return readJson(await send('GET', paths.deleted))
    },

    async restoreDeleted(id) {
      await send('POST', paths.restore(id))
    },

    async listExposed(accountId) {
      return readJson(await send('GET', `${paths.exposed}?account=${encodeURIComponent(accountId)}`))
    },

    async report(report) {
      await send('POST', paths.activity, { body: report })
    },
  }
}
