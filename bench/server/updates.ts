import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { paths } from '../../contract/protocol.ts'
import { employeeAt } from './employees.ts'
import { buildRequest, type Measurement, runLoad } from './load.ts'

const connections = 64
/** Made before they are sent: who measures should need little of the cores it measures on. */
const requestsPerConnection = 16

/** What the process of the writers is told. */
export interface UpdateLoad {
  url: string
  cookie: string
  /** The records, one for each connection. */
  ids: string[]
  milliseconds: number
  /** Updates a second, of all connections together, beyond which they wait. */
  atMost?: number
}

export function runUpdates({ ids, cookie, ...order }: UpdateLoad): Promise<Measurement> {
  const requests = ids
    .slice(0, connections)
    .map((id) =>
      Array.from({ length: requestsPerConnection }, (_, turn) =>
        buildRequest('PATCH', paths.book(id), { cookie }, employeeAt(turn)),
      ),
    )
  const request = (turn: number, connection: number) =>
    requests[connection]?.[turn % requestsPerConnection] as Buffer
  return runLoad({ ...order, connections, request })
}

/**
 * 64 clients that update records, in a process of their own: in the readers' own process, a reader would wait while the
 * answers to writers are read, and the bench would measure itself.
 */
export function startUpdateProcess() {
  const child: ChildProcess = fork(new URL('./updates-main.ts', import.meta.url), {
    serialization: 'advanced',
  })
  return {
    async measure(order: UpdateLoad): Promise<Measurement> {
      child.send(order)
      const [measured] = await once(child, 'message')
      return measured as Measurement
    },
    stop: () => child.disconnect(),
  }
}
