import { setTimeout as sleep } from 'node:timers/promises'
import { StorageOpenError } from '../../types.ts'
import type { DatabaseClient } from '../connect.ts'
import type { KnownDatabase } from '../database-identity.ts'
import { StaleError } from './round.ts'

/** Delays before attempts to reconnect, each extended by a random share of up to 100 %. The last one repeats. */
const reconnectDelaysMs = [0, 100, 300] as const

export interface OpenedConnection extends KnownDatabase {
  /** Receives notifications of other processes' writes. */
  client: DatabaseClient
}

interface ConnectionOptions {
  /** Rejects with `StorageOpenError` if a retry cannot succeed, and with any other error if it can. */
  open(known: KnownDatabase): Promise<OpenedConnection>
  /** What the process knows when it reconnects. */
  known(): KnownDatabase
  initial: OpenedConnection
  /** Called after a reconnect and when another process has written. */
  onActivity(): void
  /** Called when another process has sent a text. */
  onNotification(payload: string): void
  onLost(): void
  /** Called once if the database was replaced, or cannot be used by this version. */
  onUnusable(error: Error): void
}

/** Maintains one connection until `close`. */
export function createConnection(options: ConnectionOptions) {
  const { open, known, initial, onActivity, onNotification, onLost, onUnusable } = options
  let client: DatabaseClient | undefined
  let isClosed = false
  attach(initial)

  function attach({ client: newClient }: OpenedConnection) {
    client = newClient
    newClient.on('notification', ({ processId, payload }) => {
      if (payload) return onNotification(payload)
      // PostgreSQL also notifies the connection that has sent the NOTIFY.
      if (processId !== newClient.backendId) onActivity()
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
      const reopened = await open(known()).catch(reportOpenError)
      if (!reopened) continue
      if (isClosed) return void reopened.client.end()
      attach(reopened)
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
