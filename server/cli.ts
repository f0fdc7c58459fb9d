#!/usr/bin/env node
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { AppError, OperatorError } from './app-error.ts'
import { accountCommands } from './commands/account.ts'
import { type Command, nameOf, optionTypes, requireUsage, UsageError } from './commands/command.ts'
import { databaseCommands } from './commands/database.ts'
import { exportImportCommands } from './commands/export-import.ts'
import { historyCommands } from './commands/history.ts'
import { readDataLocation } from './config.ts'
import { readRecordsKey } from './storage/encryption/read-records-key.ts'
import { createSqliteAdmin } from './storage/sqlite/admin/admin.ts'
import { requireSupportedNode } from './storage/sqlite/require-node.ts'
import { StorageError } from './storage/storage.ts'
import type { StorageAdmin } from './storage/storage-admin.ts'
import { version } from './version.ts'

/** 1: the command failed or found a problem, printed to stderr. 2: the command line is invalid. */
const exitCodes = { done: 0, failed: 1, usage: 2 }
const usageStart = 'Usage: staffbook [--json] [--data <folder>]'
const commands = [...accountCommands, ...databaseCommands, ...exportImportCommands, ...historyCommands]

async function main(): Promise<number> {
  // As in server/main.ts: only the owner can read databases, backups and exports.
  process.umask(0o077)
  requireSupportedNode()
  const { values, positionals } = parseCommandLine()
  if (values.version) {
    console.log(values.json ? JSON.stringify({ version }) : version)
    return exitCodes.done
  }
  const command = findCommand(positionals)
  if (values.help || !command) {
    console.log(command ? `${usageStart} ${command.usage}\n\n${command.summary}` : usageText())
    return positionals.length === 0 || values.help ? exitCodes.done : exitCodes.usage
  }
  const { help: _, version: __, json: asJson, data, ...options } = values
  const args = positionals.slice(nameOf(command).split(' ').length)
  requireUsage(command, args, options)
  const output = await command.run({ args, options, openAdmin: () => getStorageAdmin(data) })
  if ('lines' in output) return printLines(output.lines)
  const { json, text, failed } = output
  if (asJson) console.log(JSON.stringify(json))
  else (failed ? console.error : console.log)(text)
  return failed ? exitCodes.failed : exitCodes.done
}

async function printLines(lines: AsyncIterable<string>): Promise<number> {
  async function* withLineEnds() {
    for await (const line of lines) yield `${line}\n`
  }
  await pipeline(withLineEnds(), process.stdout, { end: false }).catch((error) => {
    // Whoever reads them has seen enough.
    if (error.code !== 'EPIPE') throw error
  })
  return exitCodes.done
}

/** The database in `folder`, or the one that a server with this environment would open. */
async function getStorageAdmin(folder: string | undefined): Promise<StorageAdmin> {
  const key = readRecordsKey(process.env)
  if (folder !== undefined) return createSqliteAdmin(folder, key)
  const { dataDir, databaseUrl } = readDataLocation(process.env)
  if (databaseUrl === undefined) return createSqliteAdmin(dataDir, key)
  const { createPostgresAdmin } = await import('./storage/postgres/admin.ts')
  return createPostgresAdmin(databaseUrl, key)
}

function parseCommandLine() {
  // A script passes it if a variable is not set: it must not choose another database, or anyone as the invited.
  if (process.argv.some((text) => /^(--\w+=)?$/.test(text))) throw new UsageError('An argument is empty.')
  const given = process.argv.slice(2)
  // The id of a passkey may begin with a hyphen. Arguments after `--` are no options.
  const ids = given.includes('--') ? [] : given.filter((text) => /^-[\w-]{15}$/.test(text))
  try {
    return parseArgs({
      args: ids.length > 0 ? [...given.filter((text) => !ids.includes(text)), '--', ...ids] : given,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
        json: { type: 'boolean' },
        data: { type: 'string' },
        ...optionTypes,
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function findCommand(positionals: string[]): Command | undefined {
  const find = (words: number) =>
    commands.find((command) => nameOf(command) === positionals.slice(0, words).join(' '))
  const command = find(2) ?? find(1)
  if (!command && positionals.length > 0) console.error(`Unknown command "${positionals.join(' ')}".\n`)
  return command
}

function usageText(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`)
  return `${usageStart} <command>

${lines.join('\n')}

The database is in the folder given with --data, or else at DATABASE_URL, or else in DATA_DIR or ./data. Passwords are read
from the terminal without echo, or from standard input. --version prints the version. Exit codes: 0 success, 1 failure, 2 invalid command line.`
}

/** Expected errors are printed as a message, all others with their stack. */
function describeError(error: unknown): [message: string, exitCode: number] {
  if (error instanceof UsageError) return [`${error.message} See staffbook --help.`, exitCodes.usage]
  const isExpected = [OperatorError, AppError, StorageError].some((type) => error instanceof type)
  const { message, stack } = error as Error
  return [isExpected ? message : (stack ?? message), exitCodes.failed]
}

process.exitCode = await main().catch((error) => {
  const [message, exitCode] = describeError(error)
  process.stderr.write(`staffbook: ${message}\n`)
  return exitCode
})
