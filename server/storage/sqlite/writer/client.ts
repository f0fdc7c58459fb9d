import { Worker } from 'node:worker_threads'
import { inTurns } from '../../../yield-to-event-loop.ts'
import type { Writes } from '../../decide.ts'
import { splitBatch } from '../../split-batch.ts'
import { commits, type IdentifiedBatch, StorageError, type StorageFailure } from '../../types.ts'
import { mayBeFull } from '../data-dir.ts'
import type { Commands } from './commands.ts'
import {
  batchOf,
  type Command,
  type CommandResult,
  type PartedBatch,
  type ResultsMessage,
  toError,
  type WriterMessage,
  type WriterSettings,
} from './messages.ts'

interface PendingCommand {
  command: Command
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export interface WriterOptions {
  maxWaiting?: number
  /** Sends the commands of one turn of the event loop in one message, also large batches: one transaction commits them. */
  isOperator?: boolean
  /**
   * Called with what a commit has written before its `write` promises resolve, in the order of the commits. If it returns a
   * promise, they and the next commit wait for it.
   */
  onResults: (results: { writes: Writes; batch: IdentifiedBatch | undefined }[]) => unknown
}

/** Starts the writer thread. `write` resolves with the command's result once its COMMIT has returned. */
export function startWriter(settings: WriterSettings, options: WriterOptions) {
  const { isOperator, onResults, maxWaiting = isOperator ? Number.POSITIVE_INFINITY : 10_000 } = options
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings, execArgv: [] })
  const failed = Promise.withResolvers<StorageFailure>()
  const exited = Promise.withResolvers<void>()
  const pending: PendingCommand[] = []
  let unsent: (Command | PartedBatch)[] = []
  let state: 'running' | 'closing' | 'failed' = 'running'
  let [batchCount, unsentBatches, isFailing] = [0, 0, false]
  let size = { bytes: 0, deletedBytes: 0, maxBytes: settings.maxBytes }
  let processing: Promise<unknown> = Promise.resolve()
  /** Runs a task after those before it: the last message may contain the reason of a failure. */
  const inOrder = (task: () => unknown) => {
    processing = processing.then(task)
  }

  worker.on('message', (message: ResultsMessage) => inOrder(() => process(message)))

  async function process({ results, seconds, failure, ...message }: ResultsMessage) {
    size = { ...size, ...message.size }
    // The commands have been rejected.
    if (state === 'failed') return
    if (seconds !== undefined) commits.emit('commit', { writes: results.length, seconds })
    if (results.length > 0) isFailing = results.some(isRefused)
    const completed = pending.splice(0, results.length)
    await onResults(writesOf(completed, results))
    for (const [i, result] of results.entries()) complete(completed[i] as PendingCommand, result)
    if (failure) fail(failure)
  }
  worker.on('error', (error) => inOrder(() => fail({ reason: 'writer', error: error as Error })))
  worker.on('exit', () =>
    inOrder(() => {
      if (state === 'running') fail({ reason: 'writer', error: new Error('The writer thread has ended.') })
      exited.resolve()
    }),
  )

  function fail(failure: StorageFailure) {
    if (state === 'failed') return
    state = 'failed'
    unsent = []
    for (const { reject } of pending.splice(0)) reject(uncertainError(failure.error))
    failed.resolve(failure)
  }

  function send() {
    if (unsent.length > 0) post(unsent)
    unsent = []
  }

  const post = (message: WriterMessage) => worker.postMessage(message)

  function write<K extends keyof Commands>(name: K, ...args: Parameters<Commands[K]>) {
    if (pending.length + unsentBatches >= maxWaiting) return Promise.reject(createBusyError(maxWaiting))
    const command = [name, ...args] as unknown as Command
    const isParted = command[0] === 'writeBatch' && !isOperator && hasParts(command[1])
    return (isParted ? writeInParts(command[1]) : enqueue(command)) as Promise<ReturnType<Commands[K]>>
  }

  /** Copying 64 MB for another thread takes a quarter of a second. */
  async function writeInParts(batch: IdentifiedBatch) {
    const batchId = batchCount++
    unsentBatches++
    await inTurns(splitBatch(batch), (part) => post({ batchId, part }))
    unsentBatches--
    return enqueue(['writeBatch', batch], { batchId, rest: { digest: batch.digest, by: batch.by } })
  }

  /** Sends the commands of one turn of the event loop in one message. */
  function enqueue(command: Command, message: Command | PartedBatch = command): Promise<unknown> {
    if (state !== 'running') return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    pending.push({ command, resolve, reject })
    if (unsent.push(message) === 1) setImmediate(send)
    return promise
  }

  /** Finishes the accepted commands, then ends the thread. */
  async function close() {
    if (state === 'running') {
      state = 'closing'
      send()
      post('close')
    }
    await exited.promise
    await processing
  }

  return { write, size: () => size, isFailing: () => isFailing, failed: failed.promise, close }
}

const writesOf = (completed: PendingCommand[], results: ResultsMessage['results']) =>
  results.flatMap((result, i) =>
    'writes' in result && result.writes
      ? [{ writes: result.writes, batch: batchOf((completed[i] as PendingCommand).command) }]
      : [],
  )

/** Whether the disk has refused it. */
const isRefused = (result: CommandResult) => 'error' in result && mayBeFull(result.error.kind)

function hasParts(batch: IdentifiedBatch): boolean {
  const parts = splitBatch(batch)
  parts.next()
  return parts.next().done !== true
}

function complete({ resolve, reject }: PendingCommand, result: CommandResult) {
  if ('value' in result) resolve(result.value)
  else reject(toError(result.error))
}

const createBusyError = (maxWaiting: number) =>
  new StorageError('busy', `${maxWaiting} writes are waiting already.`)

function uncertainError(cause: Error) {
  const message = 'The writer stopped before it confirmed whether this was saved.'
  return new StorageError('uncertain', message, { cause })
}
