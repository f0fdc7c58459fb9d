import { paths } from '../../../contract/protocol.ts'
import { buildRequest, runLoad } from '../load.ts'
import { employeeAt } from '../servers.ts'

export interface UpdateOrder {
  url: string
  cookie: string
  ids: string[]
  milliseconds: number
  maxPerSecond: number
}

const connections = 64
/** Requests are built before they are sent, so that the client needs little CPU while it measures. */
const requestsPerConnection = 16

// The writers of ../slow-disk.ts, in a process of their own: in the readers' process, reading responses to writes would
// delay the readers.
process.on('message', async ({ ids, cookie, ...load }: UpdateOrder) => {
  const requests = ids.slice(0, connections).map((id) =>
    Array.from({ length: requestsPerConnection }, (_, turn) => {
      return buildRequest('PATCH', paths.book(id), { cookie }, employeeAt(turn))
    }),
  )
  const request = (turn: number, connection: number) =>
    requests[connection]?.[turn % requestsPerConnection] as Buffer
  process.send?.((await runLoad({ ...load, connections, request })).perSecond)
})
