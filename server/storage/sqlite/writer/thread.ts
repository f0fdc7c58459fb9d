import { flushCompileCache } from 'node:module'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { sealingWith } from '../../encryption/field-encryption.ts'
import { connect } from '../connect.ts'
import { checkpointWhenLong } from './checkpoint.ts'
import { createCommands } from './commands.ts'
import { commitTogether } from './group-commit.ts'
import type { Answers, Command, WriterSettings } from './messages.ts'

/**
 * The writer thread: it holds the only connection that writes. Whatever waits is committed together, so that one fsync
 * serves all who wait for it, and nobody is answered before it has returned.
 */
if (!parentPort) throw new Error('The writer runs as a worker thread.')
const port = parentPort
const { file, key, ...options } = workerData as WriterSettings
const database = connect(file, options)
const commands = createCommands(database, sealingWith(key))
// Each thread has its own part of what is compiled once; the main thread says why it is written now.
flushCompileCache()

port.on('message', (first: Command[] | 'close') => {
  const batch: Command[] = []
  let message: Command[] | 'close' | undefined = first
  while (message && message !== 'close') {
    batch.push(...message)
    message = receiveMessageOnPort(port)?.message
  }
  if (batch.length > 0) write(batch)
  if (message === 'close') close()
})

function write(batch: Command[]) {
  try {
    port.postMessage({ answers: commitTogether(database, commands, batch) } satisfies Answers)
    checkpointWhenLong(database)
  } catch (error) {
    port.postMessage({ answers: [], failed: String(error instanceof Error ? (error.cause ?? error) : error) })
    port.close()
  }
}

function close() {
  database.close()
  port.close()
}
