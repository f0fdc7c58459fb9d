import type { Client } from 'pg'
import type { Sealing } from '../../encryption/field-encryption.ts'
import { type BookChange, RegisterError, StorageError, type StorageFailure } from '../../storage.ts'
import type { Command, Commands } from './decide.ts'
import { type Knowledge, readTurn, StaleError, type Turn, writeTurn } from './round.ts'

/** Milliseconds between two looks at the register on a quiet line: a line that is gone says nothing by itself. */
const heartbeat = 5000
/** Milliseconds before a lost connection is sought again: more with each failure. */
const pauses = [0, 100, 300, 1000, 3000]

export interface LineOptions {
  /** A new connection that listens, and the register it has found. */
  open(): Promise<{ client: Client; identity: string; revision: number }>
  sealing: Sealing
  /** Commands waiting beyond which a further one is refused as `busy`. */
  maxWaiting?: number
}

interface Waiting {
  command: Command
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

interface Follower {
  listener: (changes: BookChange[]) => void
  /** Up to which revision it has heard everything. */
  heard: number
  /** Called after each turn; it waits for the first. */
  caughtUp: () => void
}

export type Line = Awaited<ReturnType<typeof openLine>>

/**
 * The one connection on which this process writes records and hears what others write. Both in turns, so that changes
 * are told in the order of revisions, each once. Whatever waits when a turn begins is written together. A lost
 * connection is sought again; what was missed is read then.
 */
export async function openLine({ open, sealing, maxWaiting = 10_000 }: LineOptions) {
  const first = await open()
  const failed = Promise.withResolvers<StorageFailure>()
  const followers: Follower[] = []
  const waiting: Waiting[] = []
  let newest = first.revision
  let client: Client | undefined
  let isUpToDate = false
  let isClosing = false
  let isDue = false
  let working: Promise<void> | undefined
  use(first.client)
  const beat = setInterval(ring, heartbeat).unref()

  function use(fresh: Client) {
    client = fresh
    fresh.on('notification', ({ processId }) => {
      const isOurs = processId === (fresh as { processID?: number }).processID
      if (!isOurs) ring()
    })
    fresh.once('end', () => {
      client = undefined
      isUpToDate = false
      refuseAll(unreachable())
      if (!isClosing) void seek()
    })
    ring()
  }

  async function seek() {
    for (let failures = 0; !isClosing; failures++) {
      const pause = pauses[Math.min(failures, pauses.length - 1)] as number
      await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())).unref())
      const found = await open().catch(giveUpOrGoOn)
      if (!found) continue
      if (isClosing) return void found.client.end()
      if (found.identity !== first.identity) return fail(new StaleError(), found.client)
      return use(found.client)
    }
  }

  /** What is there now is not for this program; anything else may pass. */
  function giveUpOrGoOn(error: unknown) {
    if (error instanceof RegisterError) fail(error)
  }

  function fail(error: Error, found = client) {
    isClosing = true
    clearInterval(beat)
    refuseAll(unavailable(error))
    failed.resolve({ reason: 'stale', error })
    void found?.end()
  }

  function refuseAll(error: Error) {
    for (const { reject } of waiting.splice(0)) reject(error)
  }

  /** There is something to write or to read. */
  function ring() {
    isDue = true
    working ??= work()
  }

  async function work() {
    // Commands of one turn of the event loop travel together.
    await new Promise(setImmediate)
    while (isDue && client) {
      isDue = false
      await take(client, waiting.splice(0))
    }
    working = undefined
  }

  async function take(on: Client, group: Waiting[]): Promise<void> {
    // Who begins to follow while the turn goes on has to wait for the next.
    const audience = [...followers]
    const heard = Math.min(Number.MAX_SAFE_INTEGER, ...audience.map(({ heard }) => heard))
    const knowledge: Knowledge = { identity: first.identity, newest, heard }
    const commands = group.map(({ command }) => command)
    const taking =
      group.length > 0 ? writeTurn(on, sealing, commands, knowledge) : readTurn(on, sealing, knowledge)
    const turn = await taking.catch((error) => giveUp(on, group, error))
    if (!turn) return
    tell(turn, audience)
    for (const [i, { resolve }] of group.entries()) resolve(turn.answers[i] as never)
  }

  async function giveUp(on: Client, group: Waiting[], error: Error) {
    const isOfDatabase = error instanceof StorageError || error instanceof StaleError
    if (!isOfDatabase && group.length > 1) {
      // A command that fails for reasons of its own must not fail its neighbours.
      for (const one of group) await take(on, [one])
      return
    }
    const reason = error instanceof StaleError ? unavailable(error) : error
    for (const { reject } of group) reject(reason)
    if (error instanceof StorageError) {
      if (error.kind === 'unavailable') void on.end()
    } else if (group.length === 0 || error instanceof StaleError) fail(error)
  }

  function tell({ revision, changes }: Turn, audience: Follower[]) {
    newest = revision
    isUpToDate = true
    for (const follower of audience) {
      const news = changes.filter((change) => change.revision > follower.heard)
      follower.heard = Math.max(follower.heard, revision)
      if (news.length > 0) follower.listener(news)
      follower.caughtUp()
    }
  }

  return {
    failed: failed.promise,
    /** Throws while the connection is lost, and until what was missed has been told. */
    requireUpToDate() {
      if (!isUpToDate) throw unreachable()
    },

    /** Resolves with the command's outcome once its COMMIT has returned. */
    write<K extends keyof Commands>(
      name: K,
      ...args: Parameters<Commands[K]>
    ): Promise<ReturnType<Commands[K]>> {
      if (isClosing) return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
      if (!client) return Promise.reject(unreachable())
      if (waiting.length >= maxWaiting) {
        return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
      }
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Commands[K]>>()
      waiting.push({ command: [name, ...args] as unknown as Command, resolve, reject })
      ring()
      return promise
    },

    /** Resolves when the listener has heard what there was to hear after revision `since`. */
    async follow(listener: Follower['listener'], since = newest) {
      const { promise, resolve: caughtUp } = Promise.withResolvers<void>()
      followers.push({ listener, heard: since, caughtUp })
      ring()
      const failing = failed.promise.then(({ error }) => Promise.reject(error))
      await Promise.race([promise, failing])
    },

    /** Finishes what was taken. */
    async close() {
      isClosing = true
      clearInterval(beat)
      await working
      await client?.end()
    },
  }
}

function unavailable(error: Error) {
  return new StorageError('unavailable', error.message, { cause: error })
}

function unreachable() {
  return new StorageError('unavailable', 'The database cannot be reached right now.')
}
