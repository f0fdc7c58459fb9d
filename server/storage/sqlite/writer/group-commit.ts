import type { DatabaseSync } from 'node:sqlite'
import { activityOfWrites } from '../../activity.ts'
import { type CommandOf, runEmployeeCommand } from '../../decide.ts'
import type { SqlCommands } from '../../sql/storage.ts'
import { StorageError } from '../../types.ts'
import { busyTimeoutMs } from '../connect.ts'
import { diskErrorKind, FsyncError, isFsyncError } from '../disk-errors.ts'
import { markLog, unmarkLog } from '../log-mark.ts'
import type { createCommands } from './commands.ts'
import { batchOf, type Command, type CommandResult } from './messages.ts'

/**
 * Runs all commands in one transaction and returns once its COMMIT has returned. If a command throws an error that does
 * not concern the disk, runs each command in a transaction of its own, so that only the faulty one fails. Throws
 * `FsyncError`.
 */
export function commitGroup(
  database: DatabaseSync,
  writer: ReturnType<typeof createCommands>,
  batch: Command[],
): CommandResult[] {
  try {
    database.exec('BEGIN IMMEDIATE')
    const results = batch.map((command) =>
      command[0] === 'writeBatch' ? runBatch(database, writer, command) : runCommand(writer, command),
    )
    database.exec('COMMIT')
    writer.confirm()
    return results
  } catch (error) {
    writer.reset()
    const cause = rollBack(database, error)
    if (isFsyncError(cause)) throw new FsyncError(cause)
    const diskKind = diskErrorKind(cause)
    if (!diskKind && batch.length > 1) {
      return batch.flatMap((command) => commitGroup(database, writer, [command]))
    }
    return batch.map(() => ({ error: { kind: diskKind ?? 'bug', message: messageOf(cause) } }))
  }
}

/** Takes back a batch that does not fit into the register, so that the others of its group need not run again. */
function runBatch(
  database: DatabaseSync,
  writer: ReturnType<typeof createCommands>,
  command: Command,
): CommandResult {
  const restoreHead = writer.keepHead()
  database.exec('SAVEPOINT batch')
  try {
    const result = runCommand(writer, command)
    database.exec('RELEASE batch')
    return result
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    database.exec('ROLLBACK TO batch; RELEASE batch')
    restoreHead()
    return { error: { kind: error.kind, message: error.message } }
  }
}

function runCommand(writer: ReturnType<typeof createCommands>, command: Command): CommandResult {
  if (!writer.isEmployeeCommand(command)) return { value: runSqlCommand(writer.sqlCommands, command) }
  const { outcome, writes } = runEmployeeCommand(writer.employeeCommands, command)
  activityOfWrites(writes, batchOf(command)).forEach(writer.log)
  return { value: outcome, writes }
}

function runSqlCommand(commands: SqlCommands, [name, ...args]: CommandOf<SqlCommands>): unknown {
  const run = commands[name] as (...args: unknown[]) => unknown
  return run(...args)
}

/** After some errors SQLite has already rolled back. Returns both errors if the rollback fails too. */
function rollBack(database: DatabaseSync, first: unknown): unknown {
  if (!database.isTransaction) return first
  try {
    database.exec('ROLLBACK')
    return first
  } catch (second) {
    return new AggregateError([first, second], 'A transaction failed, and so did its rollback.')
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError)
    return `${error.message} ${error.errors.map(messageOf).join(' Then: ')}`
  return error instanceof Error ? error.message : String(error)
}

/** How long the database rests before its WAL is emptied, in milliseconds. */
const restMs = 1_000

/** A frame is a page of 4 KB. At 1000 frames, checkpoints took a tenth of the processor time of changes to random records. */
const checkpointThresholdFrames = 4000

/**
 * Checkpoints the WAL. If the disk is full or read-only, the WAL remains and the next checkpoint tries again. `afterCommit` does so
 * if it is longer than the threshold: call it after responding; it throws `FsyncError`. A moment after the last commit, the WAL is
 * emptied, so that a copy of the database file alone is whole; until then, the file has the mark that there is a WAL. `onFailure`
 * receives the `FsyncError` of that.
 */
export function createCheckpoints(database: DatabaseSync, onFailure: (error: unknown) => void) {
  const prepare = (mode: string) => {
    const statement = database.prepare(`PRAGMA wal_checkpoint(${mode})`)
    return () => {
      const row = statement.get()
      return { busy: row?.busy === 1, log: Number(row?.log), checkpointed: Number(row?.checkpointed) }
    }
  }
  const [count, copy, empty] = [prepare('NOOP'), prepare('PASSIVE'), prepare('TRUNCATE')]
  let timer: NodeJS.Timeout | undefined
  let isMarked = false

  function rest() {
    try {
      // Readers end soon: it is tried again instead of keeping writes waiting.
      database.exec('PRAGMA busy_timeout = 0')
      unmark()
      const result = unlessDiskFails(empty)
      if (result?.busy) timer = setTimeout(rest, restMs)
    } catch (error) {
      onFailure(error)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    }
  }

  /** The file gets the state of the marked commit, which the mark names. */
  function markAndCopy() {
    unlessDiskFails(() => {
      markLog(database)
      copy()
      isMarked = true
    })
  }

  function unmark() {
    unlessDiskFails(() => unmarkLog(database))
    isMarked = false
  }

  return {
    afterCommit() {
      // A new timer takes ten times as long.
      timer = timer?.refresh() ?? setTimeout(rest, restMs)
      const { log, checkpointed } = unlessDiskFails(count) ?? { log: 0, checkpointed: 0 }
      if (!isMarked || log - checkpointed > checkpointThresholdFrames) markAndCopy()
    },
    /** Call before closing the database, which empties the WAL. */
    close() {
      clearTimeout(timer)
      try {
        unmark()
      } catch (error) {
        onFailure(error)
      }
    },
    stop: () => clearTimeout(timer),
  }
}

/** Returns undefined if the disk is full, read-only or in use. Throws `FsyncError`. */
function unlessDiskFails<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (isFsyncError(error)) throw new FsyncError(error)
    if (!diskErrorKind(error)) throw error
    return undefined
  }
}
