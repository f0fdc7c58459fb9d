import { Worker } from 'node:worker_threads'
import { StorageError, type StorageFailure } from '../../storage.ts'
import type { CommandName, Commands } from './commands.ts'
import { type Answer, type Answers, type Command, errorOf, type WriterSettings } from './messages.ts'

export type Write = ReturnType<typeof startWriter>['write']

interface Waiting {
  command: Command
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export interface WriterOptions {
  /** Commands in flight beyond which a further one is refused as `busy`. */
  maxWaiting?: number
  /** Hears of every answered command, in the order of the commits, before anyone who waits for it does. */
  onAnswers: (answered: { command: Command; value: unknown }[]) => void
}

/** Starts the writer thread; `write` resolves with a command's outcome once its COMMIT has returned. */
export function startWriter(settings: WriterSettings, { maxWaiting = 10_000, onAnswers }: WriterOptions) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings, execArgv: [] })
  const failed = Promise.withResolvers<StorageFailure>()
  const ended = Promise.withResolvers<void>()
  const waiting: Waiting[] = []
  let unsent: Command[] = []
  let state: 'running' | 'closing' | 'failed' = 'running'

  worker.on('message', ({ answers, failed }: Answers) => {
    const settled = waiting.splice(0, answers.length)
    onAnswers(
      answers.flatMap((answer, i) =>
        'value' in answer ? [{ command: (settled[i] as Waiting).command, value: answer.value }] : [],
      ),
    )
    for (const [i, answer] of answers.entries()) settle(settled[i] as Waiting, answer)
    if (failed !== undefined) fail({ reason: 'disk', error: new Error(failed) })
  })
  worker.on('error', (error) => fail({ reason: 'writer', error: error as Error }))
  worker.on('exit', () => {
    if (state === 'running') fail({ reason: 'writer', error: new Error('The writer thread has ended.') })
    ended.resolve()
  })

  function fail(failure: StorageFailure) {
    if (state === 'failed') return
    state = 'failed'
    unsent = []
    for (const { reject } of waiting.splice(0)) reject(uncertain(failure.error))
    failed.resolve(failure)
  }

  function send() {
    if (unsent.length > 0) worker.postMessage(unsent)
    unsent = []
  }

  /** Commands of one turn of the event loop travel together. */
  function write<K extends CommandName>(name: K, ...args: Parameters<Commands[K]>) {
    if (state !== 'running') return Promise.reject(new StorageError('unavailable', 'The storage is closed.'))
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new StorageError('busy', `${maxWaiting} writes are waiting already.`))
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const command = [name, ...args] as unknown as Command
    waiting.push({ command, resolve, reject })
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
    await ended.promise
  }

  return { write, failed: failed.promise, close }
}

function settle({ resolve, reject }: Waiting, answer: Answer) {
  if ('value' in answer) resolve(answer.value)
  else reject(errorOf(answer.error))
}

function uncertain(cause: Error) {
  return new StorageError('uncertain', 'The writer stopped before it could say whether this was saved.', {
    cause,
  })
}
