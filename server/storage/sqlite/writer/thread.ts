import { flushCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createFieldEncryption } from '../../encryption/field-encryption.ts'
import { identifyFile, isSameFile } from '../../files.ts'
import type { IdentifiedBatch } from '../../types.ts'
import { connect } from '../connect.ts'
import { mayBeFull, runInReserve } from '../data-dir.ts'
import { findFailure } from '../disk-errors.ts'
import { createCommands } from './commands.ts'
import { commitGroup, createCheckpoints } from './group-commit.ts'
import type {
  BatchPart,
  Command,
  CommandResult,
  PartedBatch,
  ResultsMessage,
  WriterMessage,
  WriterSettings,
} from './messages.ts'

/**
 * The writer thread, with the only connection that writes. It commits all waiting commands in one transaction, so that
 * they share one fsync, and responds after COMMIT has returned.
 */
if (!parentPort) throw new Error('thread.ts must run as a worker thread.')
const port = parentPort
const { file, lock, key, keepDeleted, maxBytes, ...options } = workerData as WriterSettings
const database = connect(file, options)
const rules = { encryption: createFieldEncryption(key), keepDeleted, maxBytes }
const commands = createCommands(database, rules)
const checkpoints = createCheckpoints(database, failByDisk)
// A port that is closed still delivers what has arrived.
let hasFailed = false
const failure = findFailure(database, file)
/** What is written to them is lost once another file has their name. */
const ownFiles = [file, `${file}-wal`].map(identifyFile)
if (failure) fail('disk', failure)
else port.postMessage({ results: [], size: commands.size() } satisfies ResultsMessage)
// Each thread has its own compile cache; see flushCompileCache in server/main.ts.
flushCompileCache()

/** What must succeed on a full disk too. */
const accessEnding = new Set<Command[0]>([
  'sessions.end',
  'sessions.endAll',
  'accounts.removeColleague',
  'links.removeInvitation',
  'links.removeHandovers',
  'passkeys.remove',
])

const partedBatches = new Map<number, IdentifiedBatch>()

port.on('message', (firstMessage: WriterMessage) => {
  if (hasFailed) return
  const batch: Command[] = []
  let message: WriterMessage | undefined = firstMessage
  while (message && message !== 'close') {
    if (Array.isArray(message)) batch.push(...message.map(toCommand))
    else addPart(message)
    message = receiveMessageOnPort(port)?.message
  }
  if (batch.length > 0) commitBatch(batch)
  if (message !== 'close') return
  checkpoints.close()
  database.close()
  port.close()
})

function commitBatch(batch: Command[]) {
  if (!isSameFile(lock))
    return fail('stale', `${lock.path} was removed or replaced: another Staffbook may be using the folder.`)
  try {
    const replaced = ownFiles.find((each) => !isSameFile(each))
    if (replaced) return failByReplacement(replaced.path)
    const startedAt = performance.now()
    const results = endAccess(batch, commitGroup(database, commands, batch))
    const seconds = (performance.now() - startedAt) / 1000
    port.postMessage({ results, size: commands.size(), seconds } satisfies ResultsMessage)
    checkpoints.afterCommit()
  } catch (error) {
    failByDisk(error)
  }
}

/** Runs the commands that end access again if the disk was full. Returns the results of all. */
function endAccess(batch: Command[], results: CommandResult[]): CommandResult[] {
  return results.map((result, i) => {
    const command = batch[i] as Command
    if (!('error' in result) || !mayBeFull(result.error.kind) || !accessEnding.has(command[0])) return result
    const [retried = result] = runInReserve(dirname(file), () => commitGroup(database, commands, [command]))
    return retried
  })
}

function failByDisk(error: unknown) {
  fail('disk', String(error instanceof Error ? (error.cause ?? error) : error))
}

/** The next start must not apply the log to another database. */
function failByReplacement(path: string) {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  fail(
    'stale',
    `${path} was removed or replaced under a running server. To restore a backup, stop the server and run: staffbook restore <backup>`,
  )
}

/** Commits nothing any more. */
function fail(reason: 'disk' | 'stale', message: string) {
  hasFailed = true
  const failure = { reason, error: new Error(message) }
  port.postMessage({ results: [], failure } satisfies ResultsMessage)
  checkpoints.stop()
  port.close()
}

function addPart({ batchId, part: { add, update, remove, restore = [] } }: BatchPart) {
  const batch = partedBatches.get(batchId) ?? { add: [], update: [], remove: [], restore: [] }
  partedBatches.set(batchId, batch)
  batch.add.push(...add)
  batch.update.push(...update)
  batch.remove.push(...remove)
  batch.restore?.push(...restore)
}

function toCommand(message: Command | PartedBatch): Command {
  if (Array.isArray(message)) return message
  const { batchId, rest } = message
  const batch = partedBatches.get(batchId) as IdentifiedBatch
  partedBatches.delete(batchId)
  return ['writeBatch', { ...batch, ...rest }]
}
