import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StorageOpenError } from '../../storage.ts'
import { StaleError } from './round.ts'

/** Delays before attempts to reconnect, each extended by a random share of up to 100 %. The last one repeats. */
const reconnectDelaysMs = [0, 100, 300, 1000, 3000] as const

export interface OpenedConnection {
  /** Has sent LISTEN. */
  client: Client
  identity: string
  revision: number
}

interface ConnectionOptions {
  /** Rejects with `StorageOpenError` if a retry cannot succeed, and with any other error if it can. */
  open(): Promise<OpenedConnection>
  initial: OpenedConnection
  /** Called after a reconnect and when another process has written. */
  onActivity(): void
  onLost(): void
  /** Called once if the database was replaced, or cannot be used by this version. */
  onUnusable(error: Error): void
}

/** Maintains one connection until `close`. */
export function createConnection({ open, initial, onActivity, onLost, onUnusable }: ConnectionOptions) {
  let client: Client | undefined
  let isClosed = false
  attach(initial.client)

  function attach(newClient: Client) {
    client = newClient
    newClient.on('notification', ({ processId }) => {
      // PostgreSQL also notifies the connection that has sent the NOTIFY.
      if (processId !== (newClient as { processID?: number }).processID) onActivity()
    })
    newClient.once('end', () => {
      client = undefined
      onLost()
      if (!isClosed) void reconnect()
    })
  }

  async function reconnect() {
    for (let failures = 0; !isClosed; failures++) {
      const delayMs = reconnectDelaysMs[failures] ?? (reconnectDelaysMs.at(-1) as number)
      await sleep(delayMs * (1 + Math.random()), undefined, { ref: false })
      const reopened = await open().catch(reportOpenError)
      if (!reopened) continue
      if (isClosed) return void reopened.client.end()
      attach(reopened.client)
      return reopened.identity === initial.identity ? onActivity() : onUnusable(new StaleError())
    }
  }

  function reportOpenError(error: unknown) {
    if (error instanceof StorageOpenError) onUnusable(error)
  }

  return {
    /** Undefined while the connection is lost. */
    client: () => client,
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
