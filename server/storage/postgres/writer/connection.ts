import type { Client } from 'pg'
import type { EmployeeCommands } from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { type EmployeeChange, StorageError, type StorageFailure, StorageOpenError } from '../../storage.ts'
import { type Command, type KnownState, type Round, readRound, StaleError, writeRound } from './round.ts'

/** Milliseconds between two looks at the register on a quiet line: a line that is gone says nothing by itself. */
const heartbeatMs = 5000
/** Milliseconds before a lost connection is sought again: more with each failure. */
const reconnectDelaysMs = [0, 100, 300, 1000, 3000]

export interface ConnectionOptions {
  /** A new connection that listens, and the register it has found. */
  open(): Promise<{ client: Client; identity: string; revision: number }>
  encryption: FieldEncryption
  /** Commands waiting beyond which a further one is refused as `busy`. */
  maxWaiting?: number
}

interface PendingCommand {
  command: Command
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

interface Subscriber {
  listener: (changes: EmployeeChange[]) => void
  /** Up to which revision it has heard everything. */
  notifiedRevision: number
  /** Called after each turn; it waits for the first. */
  onCaughtUp: () => void
}

export type WriterConnection = Awaited<ReturnType<typeof openConnection>>

/**
 * The one connection on which this process writes records and hears what others write. Both in turns, so that changes
 * are told in the order of revisions, each once. Whatever waits when a turn begins is written together. A lost
 * connection is sought again; what was missed is read then.
 */
export async function openConnection({ open, encryption, maxWaiting = 10_000 }: ConnectionOptions) {
  const initial = await open()
  const failed = Promise.withResolvers<StorageFailure>()
  const subscribers: Subscriber[] = []
  const pending: PendingCommand[] = []
  let latestRevision = initial.revision
  let client: Client | undefined
  let isUpToDate = false
  let isClosing = false
  let hasWork = false
  let running: Promise<void> | undefined
  attachClient(initial.client)
  const heartbeatTimer = setInterval(wake, heartbeatMs).unref()

  function attachClient(newClient: Client) {
    client = newClient
    newClient.on('notification', ({ processId }) => {
      const isOurs = processId === (newClient as { processID?: number }).processID
      if (!isOurs) wake()
    })
    newClient.once('end', () => {
      client = undefined
      isUpToDate = false
      rejectPending(unreachableError())
      if (!isClosing) void reconnect()
    })
    wake()
  }

  async function reconnect() {
    for (let failures = 0; !isClosing; failures++) {
      const delayMs = reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length - 1)] as number
      await new Promise((resolve) => setTimeout(resolve, delayMs * (1 + Math.random())).unref())
      const reopened = await open().catch(failOnOpenError)
      if (!reopened) continue
      if (isClosing) return void reopened.client.end()
      if (reopened.identity !== initial.identity) return fail(new StaleError(), reopened.client)
      return attachClient(reopened.client)
    }
  }

  /** What is there now is not for this program; anything else may pass. */
  function failOnOpenError(error: unknown) {
    if (error instanceof StorageOpenError) fail(error)
  }

  function fail(error: Error, connectedClient = client) {
    isClosing = true
    clearInterval(heartbeatTimer)
    rejectPending(unavailableError(error))
    failed.resolve({ reason: 'stale', error })
    void connectedClient?.end()
  }

  function rejectPending(error: Error) {
    for (const { reject } of pending.splice(0)) reject(error)
  }

  /** There is something to write or to read. */
  function wake() {
    hasWork = true
    running ??= runRounds()
  }

  async function runRounds() {
    // Commands of one turn of the event loop travel together.
    await new Promise(setImmediate)
    while (hasWork && client) {
      hasWork = false
      await runRound(client, pending.splice(0))
    }
    running = undefined
  }

  async function runRound(activeClient: Client, group: PendingCommand[]): Promise<void> {
    // Who begins to follow while the turn goes on has to wait for the next.
    const recipients = [...subscribers]
    const notifiedRevision = Math.min(
      Number.MAX_SAFE_INTEGER,
      ...recipients.map(({ notifiedRevision }) => notifiedRevision),
    )
    const known: KnownState = { identity: initial.identity, latestRevision, notifiedRevision }
    const commands = group.map(({ command }) => command)
    const roundPromise =
      group.length > 0
        ? writeRound(activeClient, encryption, commands, known)
        : readRound(activeClient, encryption, known)
    const round = await roundPromise.catch((error) => handleFailure(activeClient, group, error))
    if (!round) return
    notify(round, recipients)
    for (const [i, { resolve }] of group.entries()) resolve(round.results[i] as never)
  }

  async function handleFailure(activeClient: Client, group: PendingCommand[], error: Error) {
    const isDatabaseError = error instanceof StorageError || error instanceof StaleError
    if (!isDatabaseError && group.length > 1) {
      // A command that fails for reasons of its own must not fail its neighbours.
      for (const pendingCommand of group) await runRound(activeClient, [pendingCommand])
      return
    }
    const reason = error instanceof StaleError ? unavailableError(error) : error
    for (const { reject } of group) reject(reason)
    if (error instanceof StorageError) {
      if (error.kind === 'unavailable') void activeClient.end()
    } else if (group.length === 0 || error instanceof StaleError) fail(error)
  }

  function notify({ revision, changes }: Round, recipients: Subscriber[]) {
    latestRevision = revision
    isUpToDate = true
    for (const subscriber of recipients) {
      const unseenChanges = changes.filter((change) => change.revision > subscriber.notifiedRevision)
      subscriber.notifiedRevision = Math.max(subscriber.notifiedRevision, revision)
      if (unseenChanges.length > 0) subscriber.listener(unseenChanges)
      subscriber.onCaughtUp()
    }
  }

  return {
    failed: failed.promise,
    /** Throws while the connection is lost, and until what was missed has been told. */
    requireUpToDate() {
      if (!isUpToDate) throw unreachableError()
    },

    /** Resolves with the command's outcome once its COMMIT has returned. */
    write<K extends keyof EmployeeCommands>(
      name: K,
      ...args: Parameters<EmployeeCommands[K]>
    ): Promise<ReturnType<EmployeeCommands[K]>> {
      if (isClosing) return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
      if (!client) return Promise.reject(unreachableError())
      if (pending.length >= maxWaiting) {
        return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
      }
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<EmployeeCommands[K]>>()
      pending.push({ command: [name, ...args] as unknown as Command, resolve, reject })
      wake()
      return promise
    },

    /** Resolves when the listener has heard what there was to hear after revision `since`. */
    async subscribe(listener: Subscriber['listener'], afterRevision = latestRevision) {
      const { promise, resolve: caughtUp } = Promise.withResolvers<void>()
      subscribers.push({ listener, notifiedRevision: afterRevision, onCaughtUp: caughtUp })
      wake()
      const failing = failed.promise.then(({ error }) => Promise.reject(error))
      await Promise.race([promise, failing])
    },

    /** Finishes what was taken. */
    async close() {
      isClosing = true
      clearInterval(heartbeatTimer)
      await running
      await client?.end()
    },
  }
}

function unavailableError(error: Error) {
  return new StorageError('unavailable', error.message, { cause: error })
}

function unreachableError() {
  return new StorageError('unavailable', 'The database cannot be reached right now.')
}
