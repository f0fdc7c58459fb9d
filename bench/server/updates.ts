import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { paths } from '../../contract/protocol.ts'
import { type Measured, measure, requestText } from './load.ts'
import { personOf } from './people.ts'

const connections = 64

/** What the process of the writers is told. */
export interface UpdateOrder {
  url: string
  cookie: string
  /** The records, one for each connection. */
  ids: string[]
  milliseconds: number
  /** Updates a second, of all connections together, beyond which they wait. */
  atMost?: number
}

export const measureUpdates = ({ ids, cookie, ...order }: UpdateOrder): Promise<Measured> =>
  measure({
    ...order,
    connections,
    request: (turn, connection) =>
      requestText('PATCH', paths.book(ids[connection] as string), { cookie }, personOf(turn)),
  })

/**
 * 64 clients that update records, in a process of their own: in the readers' own process, a reader would wait while the
 * answers to writers are read, and the bench would measure itself.
 */
export function startUpdating() {
  const child: ChildProcess = fork(new URL('./updates-main.ts', import.meta.url), {
    serialization: 'advanced',
  })
  return {
    async measure(order: UpdateOrder): Promise<Measured> {
      child.send(order)
      const [measured] = await once(child, 'message')
      return measured as Measured
    },
    stop: () => child.disconnect(),
  }
}
