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
  /** Maximum number of waiting commands. Further ones are rejected as `busy`. */
  maxWaiting?: number
  /** Called with the results of a commit before its `write` promises resolve, in the order of the commits. */
  onResults: (results: { command: Command; value: unknown }[]) => void
}

/** Starts the writer thread. `write` resolves with the command's result once its COMMIT has returned. */
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
      results.flatMap((result, i) =>
        'value' in result ? [{ command: (completed[i] as PendingCommand).command, value: result.value }] : [],
      ),
    )
    for (const [i, result] of results.entries()) complete(completed[i] as PendingCommand, result)
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

  /** Sends the commands of one turn of the event loop in one message. */
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

  /** Finishes the accepted commands, then ends the thread. */
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
  return new StorageError('uncertain', 'The writer stopped before it confirmed whether this was saved.', {
    cause,
  })
}
