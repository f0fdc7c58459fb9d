import { Worker } from 'node:worker_threads'
import type { SendCommand } from '../../decide.ts'
import { StorageError, type StorageFailure } from '../../storage.ts'
import type { Commands } from './commands.ts'
import {
  type Command,
  type CommandResult,
  type ResultsMessage,
  toError,
  type WriterSettings,
} from './messages.ts'

export type Write = SendCommand<Commands>

interface PendingCommand {
  command: Command
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export interface WriterOptions {
  /** Commands in flight beyond which a further one is refused as `busy`. */
  maxWaiting?: number
  /** Hears of every answered command, in the order of the commits, before anyone who waits for it does. */
  onResults: (results: { command: Command; value: unknown }[]) => void
}

/** Starts the writer thread; `write` resolves with a command's outcome once its COMMIT has returned. */
export function startWriter(settings: WriterSettings, { maxWaiting = 10_000, onResults }: WriterOptions) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings, execArgv: [] })
  const failed = Promise.withResolvers<StorageFailure>()
  const exited = Promise.withResolvers<void>()
  const pending: PendingCommand[] = []
  let unsent: Command[] = []
  let state: 'running' | 'closing' | 'failed' = 'running'

  worker.on('message', ({ results, failure }: ResultsMessage) => {
    const completed = pending.splice(0, results.length)
    onResults(
      results.flatMap((answer, i) =>
        'value' in answer ? [{ command: (completed[i] as PendingCommand).command, value: answer.value }] : [],
      ),
    )
    for (const [i, answer] of results.entries()) complete(completed[i] as PendingCommand, answer)
    if (failure !== undefined) fail({ reason: 'disk', error: new Error(failure) })
  })
  worker.on('error', (error) => fail({ reason: 'writer', error: error as Error }))
  worker.on('exit', () => {
    if (state === 'running') fail({ reason: 'writer', error: new Error('The writer thread has ended.') })
    exited.resolve()
  })

  function fail(failure: StorageFailure) {
    if (state === 'failed') return
    state = 'failed'
    unsent = []
    for (const { reject } of pending.splice(0)) reject(uncertainError(failure.error))
    failed.resolve(failure)
  }

  function send() {
    if (unsent.length > 0) worker.postMessage(unsent)
    unsent = []
  }

  /** Commands of one turn of the event loop travel together. */
  function write<K extends keyof Commands>(name: K, ...args: Parameters<Commands[K]>) {
    if (state !== 'running') return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
    if (pending.length >= maxWaiting) {
      return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const command = [name, ...args] as unknown as Command
    pending.push({ command, resolve, reject })
    if (unsent.push(command) === 1) setImmediate(send)
    return promise as Promise<ReturnType<Commands[K]>>
  }

  /** Finishes what was taken, then ends the thread. */
  async function close() {
    if (state === 'running') {
      state = 'closing'
      send()
      worker.postMessage('close')
    }
    await exited.promise
  }

  return { write, failed: failed.promise, close }
}

function complete({ resolve, reject }: PendingCommand, result: CommandResult) {
  if ('value' in result) resolve(result.value)
  else reject(toError(result.error))
}

function uncertainError(cause: Error) {
  return new StorageError('uncertain', 'The writer stopped before it could say whether this was saved.', {
    cause,
  })
}
