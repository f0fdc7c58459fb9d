import type { DatabaseSync } from 'node:sqlite'
import { diskErrorOf, FailedSync, isFailedSync } from '../disk-errors.ts'
import type { createCommands } from './commands.ts'
import type { Answer, Command } from './messages.ts'

/**
 * Runs all commands in one transaction and answers once its COMMIT has returned. A command that throws for reasons of
 * its own must not fail its neighbours: then the batch is undone and each command gets a transaction to itself.
 * Throws `FailedSync` where the disk's state has become unknown.
 */
export function commitTogether(
  database: DatabaseSync,
  { commands, forget }: ReturnType<typeof createCommands>,
  batch: Command[],
): Answer[] {
  try {
    database.exec('BEGIN IMMEDIATE')
    const answers = batch.map((command) => ({ value: run(commands, command) }))
    database.exec('COMMIT')
    return answers
  } catch (error) {
    forget()
    const first = rollBack(database, error)
    if (isFailedSync(first)) throw new FailedSync(first)
    const kind = diskErrorOf(first)
    if (!kind && batch.length > 1) {
      return batch.flatMap((command) => commitTogether(database, { commands, forget }, [command]))
    }
    return batch.map(() => ({ error: { kind: kind ?? 'bug', message: wordsOf(first) } }))
  }
}

function run(commands: ReturnType<typeof createCommands>['commands'], [name, ...args]: Command): unknown {
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

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return `${error.message} ${error.errors.map(wordsOf).join(' Then: ')}`
  return error instanceof Error ? error.message : String(error)
}
