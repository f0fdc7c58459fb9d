import type { Client } from 'pg'
import { publishCommit } from '../../commit-channel.ts'
import type { EmployeeCommands, SendCommand } from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { type EmployeeStorage, StorageError, type StorageFailure } from '../../storage.ts'
import { createConnection, type OpenedConnection } from './connection.ts'
import { type Command, runRound, StaleError } from './round.ts'
import { createSubscribers } from './subscribers.ts'

/** Interval at which an idle connection reads the head. A lost connection may report no error otherwise. */
const heartbeatMs = 5000

export interface WriterOptions {
  open(): Promise<OpenedConnection>
  encryption: FieldEncryption
  /** Maximum number of waiting commands. Further ones are rejected as `busy`. */
  maxWaiting?: number
}

interface PendingCommand {
  command: Command
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

export async function openWriter(options: WriterOptions): Promise<PostgresWriter> {
  return new PostgresWriter(options, await options.open())
}

/**
 * Writes records and delivers changes, on one connection and in rounds: a round commits all waiting commands in one
 * transaction and reads what other processes have written. It reopens a lost connection; the next round reads the missed
 * changes.
 */
class PostgresWriter {
  readonly #options: WriterOptions
  readonly #identity: string
  readonly #connection: ReturnType<typeof createConnection>
  readonly #subscribers = createSubscribers()
  readonly #failed = Promise.withResolvers<StorageFailure>()
  readonly #heartbeat = setInterval(() => this.#wake(), heartbeatMs).unref()
  readonly #pending: PendingCommand[] = []
  #latestRevision: number
  #isUpToDate = false
  #isClosing = false
  #hasWork = false
  #running: Promise<void> | undefined

  constructor(options: WriterOptions, initial: OpenedConnection) {
    this.#options = options
    this.#identity = initial.identity
    this.#latestRevision = initial.revision
    this.#connection = createConnection({
      open: options.open,
      initial,
      onActivity: () => this.#wake(),
      onLost: () => this.#onLost(),
      onUnusable: (error) => this.#fail(error),
    })
    this.#wake()
  }

  get failed(): Promise<StorageFailure> {
    return this.#failed.promise
  }

  /** Throws while the connection is lost, and then until all missed changes have been delivered. */
  requireUpToDate(): void {
    if (!this.#isUpToDate) throw unreachableError()
  }

  readonly send: SendCommand<EmployeeCommands> = (name, ...args) => {
    if (this.#isClosing) return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
    if (!this.#connection.client()) return Promise.reject(unreachableError())
    const { maxWaiting = 10_000 } = this.#options
    if (this.#pending.length >= maxWaiting) {
      return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
    }
    const { promise, resolve, reject } = Promise.withResolvers<never>()
    this.#pending.push({ command: [name, ...args] as unknown as Command, resolve, reject })
    this.#wake()
    return promise
  }

  readonly subscribe: EmployeeStorage['subscribe'] = async (
    listener,
    afterRevision = this.#latestRevision,
  ) => {
    const delivered = this.#subscribers.add(listener, afterRevision)
    this.#wake()
    await Promise.race([delivered, this.failed.then(({ error }) => Promise.reject(error))])
  }

  /** Finishes the accepted commands first. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    await this.#running
    await this.#connection.close()
  }

  #wake() {
    this.#hasWork = true
    this.#running ??= this.#runRounds()
  }

  async #runRounds() {
    // Collects the commands of the current turn of the event loop.
    await new Promise(setImmediate)
    while (this.#hasWork) {
      const client = this.#connection.client()
      if (!client) break
      this.#hasWork = false
      await this.#runGroup(client, this.#pending.splice(0))
    }
    this.#running = undefined
  }

  async #runGroup(client: Client, group: PendingCommand[]): Promise<void> {
    const delivery = this.#subscribers.startDelivery()
    const commands = group.map(({ command }) => command)
    const startedAt = performance.now()
    const round = await runRound(client, this.#options.encryption, commands, {
      identity: this.#identity,
      latestRevision: this.#latestRevision,
      deliveredRevision: delivery.afterRevision,
    }).catch((error) => this.#handleFailure(client, group, error))
    if (!round) return
    const seconds = (performance.now() - startedAt) / 1000
    if (group.length > 0) publishCommit({ writes: group.length, seconds })
    this.#latestRevision = round.revision
    this.#isUpToDate = true
    await delivery.deliver(round.changes, round.revision)
    for (const [i, { resolve }] of group.entries()) resolve(round.results[i] as never)
  }

  async #handleFailure(client: Client, group: PendingCommand[], error: Error) {
    const isStale = error instanceof StaleError
    const isCommandError = !isStale && !(error instanceof StorageError)
    if (isCommandError && group.length > 1) {
      // Only the command that causes the error may fail.
      for (const pendingCommand of group) await this.#runGroup(client, [pendingCommand])
      return
    }
    for (const { reject } of group) reject(isStale ? toUnavailable(error) : error)
    if (isStale || (isCommandError && group.length === 0)) this.#fail(error)
    else if (error instanceof StorageError && error.kind === 'unavailable') void client.end()
  }

  #onLost() {
    this.#isUpToDate = false
    this.#rejectPending(unreachableError())
  }

  #fail(error: Error) {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    this.#rejectPending(toUnavailable(error))
    this.#failed.resolve({ reason: 'stale', error })
    void this.#connection.close()
  }

  #rejectPending(error: Error) {
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}

function toUnavailable(error: Error) {
  return new StorageError('unavailable', error.message, { cause: error })
}

function unreachableError() {
  return new StorageError('unavailable', 'The database cannot be reached.')
}
