import { setTimeout as sleep } from 'node:timers/promises'
import type { EmployeeOutcomes, SendCommand, StorageRules } from '../../decide.ts'
import {
  type ChangeListener,
  commits,
  isEmpty,
  type RegisterSize,
  StorageError,
  type StorageFailure,
  StorageOpenError,
} from '../../types.ts'
import type { DatabaseClient } from '../connect.ts'
import type { KnownDatabase } from '../database-identity.ts'
import { ignoreError } from '../errors.ts'
import { type Command, isBatch, runRound, StaleError } from './round.ts'

/** Interval at which the head is read: otherwise a lost connection may report no error. */
const heartbeatMs = 5000
/** The same while writes fail. */
const probeMs = 250
/** Delays before the first attempts to reconnect, and before all others, each extended by a random share of up to 100 %. */
const reconnectDelaysMs = [0, 100]
const laterReconnectDelayMs = 300
/** A write, unless it is a batch, has its response within this time. */
const writeTimeoutMs = 4500

export interface OpenedConnection extends KnownDatabase {
  /** Receives notifications of other processes' writes. */
  client: DatabaseClient
}

export interface WriterOptions extends StorageRules {
  /**
   * `known`: what the process knows when it reconnects. Rejects with `StorageOpenError` if a retry cannot succeed, and with any
   * other error if it can.
   */
  open(known?: KnownDatabase): Promise<OpenedConnection>
  /** Another process has sent a text. */
  onNotification(payload: string): void
  /** Unless it is set, writes are answered, and a silent connection is closed, after `writeTimeoutMs`. */
  isOperator: boolean
  maxWaiting: number
}

interface PendingCommand {
  command: Command
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

interface Subscriber {
  listener: ChangeListener
  /** It has received all changes up to this revision. */
  deliveredRevision: number
  onDelivered: () => void
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
  readonly #failed = Promise.withResolvers<StorageFailure>()
  readonly failed = this.#failed.promise
  readonly #heartbeat = setInterval(() => this.#beat(), probeMs).unref()
  readonly #pending: PendingCommand[] = []
  /** Undefined while the connection is lost. */
  #client: DatabaseClient | undefined
  #latestRevision: number
  #size = { bytes: 0, deletedBytes: 0 }
  #isSizeKnown = false
  #deliveredRevision: number
  #subscriber: Subscriber | undefined
  #catchUps: { revision: number; resolve(): void; reject(error: unknown): void }[] = []
  #isUpToDate = false
  /** A write has failed for a reason that concerns all. */
  #isFailing = false
  #lastRoundAt = 0
  #isClosing = false
  #hasWork = false
  #running: Promise<void> | undefined

  constructor(options: WriterOptions, initial: OpenedConnection) {
    this.#options = options
    this.#identity = initial.identity
    this.#latestRevision = initial.revision
    this.#deliveredRevision = initial.revision
    this.#attach(initial.client)
  }

  #attach(client: DatabaseClient) {
    this.#client = client
    client.on('notification', ({ processId, payload }) => {
      if (payload) return this.#options.onNotification(payload)
      // PostgreSQL also notifies the connection that has sent the NOTIFY.
      if (processId !== client.backendId) this.#wake()
    })
    client.once('end', () => {
      this.#client = undefined
      this.#isUpToDate = false
      this.#rejectPending(unreachableError())
      void this.#reconnect()
    })
    this.#wake()
  }

  async #reconnect() {
    for (let failures = 0; !this.#isClosing; failures++) {
      const delayMs = reconnectDelaysMs[failures] ?? laterReconnectDelayMs
      await sleep(delayMs * (1 + Math.random()), undefined, { ref: false })
      const known = { identity: this.#identity, revision: this.#latestRevision }
      const reopened = await this.#options.open(known).catch((error) => {
        if (error instanceof StorageOpenError) this.#fail(error)
      })
      if (!reopened) continue
      if (!this.#isClosing && reopened.identity === this.#identity) return this.#attach(reopened.client)
      void reopened.client.end()
      if (!this.#isClosing) this.#fail(new StaleError())
    }
  }

  /** Throws while the connection is lost, and then until all missed changes have been delivered; and while writes fail. */
  requireWorking(): void {
    if (!this.#isUpToDate || this.#isFailing) throw unreachableError()
  }

  readonly size = (): RegisterSize => ({ ...this.#size, maxBytes: this.#options.maxBytes })

  /** Makes the next round count the deleted records. */
  forgetDeletedBytes(): void {
    this.#isSizeKnown = false
  }

  /** Resolves when all changes up to a committed revision have been delivered. */
  readonly catchUp = async (revision: number): Promise<void> => {
    if (revision <= this.#deliveredRevision) return
    if (!this.#client) throw unreachableError()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#catchUps.push({ revision, resolve, reject })
    this.#wake()
    await promise
  }

  readonly send: SendCommand<EmployeeOutcomes> = (name, ...args) => {
    if (this.#isClosing) return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
    if (!this.#client) return Promise.reject(unreachableError())
    const { maxWaiting } = this.#options
    if (this.#pending.length >= maxWaiting) {
      return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
    }
    const { promise, resolve, reject } = Promise.withResolvers<never>()
    const command = [name, ...args] as unknown as Command
    const pendingCommand = { command, resolve, reject }
    this.#pending.push(pendingCommand)
    this.#wake()
    if (isBatch(command) || this.#options.isOperator) return promise
    const timer = setTimeout(() => this.#giveUp(pendingCommand), writeTimeoutMs)
    return promise.finally(() => clearTimeout(timer))
  }

  #giveUp(command: PendingCommand) {
    const at = this.#pending.indexOf(command)
    if (at >= 0) this.#pending.splice(at, 1)
    const message = `The database has not responded within ${writeTimeoutMs} ms.`
    command.reject(new StorageError(at >= 0 ? 'busy' : 'uncertain', message))
  }

  readonly subscribe = async (listener: ChangeListener, afterRevision = this.#latestRevision) => {
    const { promise: delivered, resolve: onDelivered } = Promise.withResolvers<void>()
    this.#subscriber = { listener, deliveredRevision: afterRevision, onDelivered }
    this.#wake()
    await Promise.race([delivered, this.failed.then(({ error }) => Promise.reject(error))])
  }

  /** Finishes the accepted commands first. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    await this.#running
    await this.#client?.end()
  }

  #beat() {
    if (this.#isFailing || performance.now() - this.#lastRoundAt >= heartbeatMs) this.#wake()
  }

  #wake() {
    this.#hasWork = true
    this.#running ??= this.#runRounds()
  }

  async #runRounds() {
    // Collects the commands of the current turn of the event loop.
    await new Promise(setImmediate)
    while (this.#hasWork) {
      const client = this.#client
      if (!client) break
      this.#hasWork = false
      this.#lastRoundAt = performance.now()
      await this.#runGroup(client, this.#pending.splice(0))
      if (this.#isFailing) await this.#probe(client)
    }
    this.#running = undefined
  }

  /** Writes nothing, but fails as a write would. */
  async #probe(client: DatabaseClient) {
    await client.query('UPDATE register SET revision = revision').then(() => {
      this.#isFailing = false
    }, ignoreError)
  }

  async #runGroup(client: DatabaseClient, group: PendingCommand[]): Promise<void> {
    // One that comes during the round may need earlier changes, so it waits for the next.
    const subscriber = this.#subscriber
    const commands = group.map(({ command }) => command)
    const startedAt = performance.now()
    // Waiting for a lock takes less; without a response the connection is as good as lost.
    const timer =
      commands.some(isBatch) || this.#options.isOperator
        ? undefined
        : setTimeout(() => client.destroy(), writeTimeoutMs)
    const round = await runRound(client, this.#options, commands, {
      identity: this.#identity,
      latestRevision: this.#latestRevision,
      deliveredRevision: subscriber?.deliveredRevision ?? Number.MAX_SAFE_INTEGER,
      deletedBytes: this.#isSizeKnown ? this.#size.deletedBytes : undefined,
    })
      .catch((error) => this.#handleFailure(client, group, error))
      .finally(() => clearTimeout(timer))
    if (!round) return
    const seconds = (performance.now() - startedAt) / 1000
    if (group.length > 0) commits.emit('commit', { writes: group.length, seconds })
    this.#latestRevision = round.revision
    this.#size = { bytes: round.size.bytes, deletedBytes: round.size.deletedBytes }
    this.#isSizeKnown = true
    this.#isUpToDate = true
    if (subscriber) {
      if (!isEmpty(round.changes)) await subscriber.listener(round.changes)
      subscriber.deliveredRevision = round.revision
      subscriber.onDelivered()
    }
    this.#deliveredRevision = round.revision
    const hasArrived = ({ revision }: { revision: number }) => revision <= round.revision
    for (const { resolve } of this.#catchUps.filter(hasArrived)) resolve()
    this.#catchUps = this.#catchUps.filter((catchUp) => !hasArrived(catchUp))
    if (group.length > 0) this.#isFailing = false
    for (const [i, { resolve, reject }] of group.entries()) {
      const result = round.outcomes[i]
      if (result instanceof StorageError) reject(result)
      else resolve(result as never)
    }
  }

  async #handleFailure(client: DatabaseClient, group: PendingCommand[], error: Error) {
    const isStale = error instanceof StaleError
    const isCommandError = !isStale && !(error instanceof StorageError)
    if (isCommandError && group.length > 1) {
      // Only the command that causes the error may fail.
      for (const pendingCommand of group) await this.#runGroup(client, [pendingCommand])
      return
    }
    for (const { reject } of group) reject(isStale ? toUnavailable(error) : error)
    if (isStale || (isCommandError && group.length === 0)) this.#fail(error)
    if (isCommandError || !(error instanceof StorageError) || error.kind === 'busy') return
    this.#isFailing = true
    if (error.kind === 'unavailable') void client.end()
  }

  #fail(error: Error) {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    this.#rejectPending(toUnavailable(error))
    this.#failed.resolve({ reason: 'stale', error })
    void this.#client?.end()
  }

  #rejectPending(error: Error) {
    for (const { reject } of [...this.#pending.splice(0), ...this.#catchUps.splice(0)]) reject(error)
  }
}

function toUnavailable(error: Error) {
  return new StorageError('unavailable', error.message, { cause: error })
}

function unreachableError() {
  return new StorageError('unavailable', 'The database cannot be reached.')
}
