import type { DatabaseSync } from 'node:sqlite'
import { diskErrorKind, FsyncError, isFsyncError } from '../disk-errors.ts'
import type { createCommands } from './commands.ts'
import type { Command, CommandResult } from './messages.ts'

/**
 * Runs all commands in one transaction and answers once its COMMIT has returned. A command that throws for reasons of
 * its own must not fail its neighbours: then the batch is undone and each command gets a transaction to itself.
 * Throws `FailedSync` where the disk's state has become unknown.
 */
export function commitGroup(
  database: DatabaseSync,
  { commands, resetHead }: ReturnType<typeof createCommands>,
  batch: Command[],
): CommandResult[] {
  try {
    database.exec('BEGIN IMMEDIATE')
    const answers = batch.map((command) => ({ value: runCommand(commands, command) }))
    database.exec('COMMIT')
    return answers
  } catch (error) {
    resetHead()
    const cause = rollBack(database, error)
    if (isFsyncError(cause)) throw new FsyncError(cause)
    const kind = diskErrorKind(cause)
    if (!kind && batch.length > 1) {
      return batch.flatMap((command) => commitGroup(database, { commands, resetHead }, [command]))
    }
    return batch.map(() => ({ error: { kind: kind ?? 'bug', message: messageOf(cause) } }))
  }
}

function runCommand(
  commands: ReturnType<typeof createCommands>['commands'],
  [name, ...args]: Command,
): unknown {
  const command = commands[name] as (...args: unknown[]) => unknown
  return command(...args)
}

/** SQLite has undone some errors' transactions by itself; where undoing fails too, both errors are kept. */
function rollBack(database: DatabaseSync, first: unknown): unknown {
  if (!database.isTransaction) return first
  try {
    database.exec('ROLLBACK')
    return first
  } catch (second) {
    return new AggregateError([first, second], 'A transaction failed, and so did undoing it.')
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError)
    return `${error.message} ${error.errors.map(messageOf).join(' Then: ')}`
  return error instanceof Error ? error.message : String(error)
}
