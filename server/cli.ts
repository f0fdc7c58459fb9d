#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { Refusal } from './app-error.ts'
import { accountCommands } from './commands/account.ts'
import { type Command, OperatorError, type Options, UsageError } from './commands/command.ts'
import { registerCommands } from './commands/database.ts'
import { moveCommands } from './commands/export-import.ts'
import { firebaseCommands } from './commands/firebase/commands.ts'
import { configuredProject } from './commands/firebase/project.ts'
import { withProgress } from './commands/progress.ts'
import { NoAnswer } from './commands/prompt.ts'
import { ConfigError, readPlace } from './config.ts'
import { KeyError, readKey } from './storage/encryption/read-records-key.ts'
import { sqliteTools } from './storage/sqlite/admin/admin.ts'
import { EngineError, requireEngine } from './storage/sqlite/engine.ts'
import { RegisterError, StorageError } from './storage/storage.ts'
import type { RegisterTools } from './storage/storage-admin.ts'

/** 0: done. 1: not done, or done and found bad; the reason is on stderr. 2: not a command line we know. */
const codes = { done: 0, failed: 1, usage: 2 }

const commands: Record<string, Command> = {
  ...accountCommands,
  ...registerCommands,
  ...moveCommands,
  ...firebaseCommands,
}

/** Where the build for Firebase reads its project from, too. */
const environmentFile = new URL('../.env.local', import.meta.url)

async function main(): Promise<number> {
  // As in server/main.ts: backups and registers are their owner's alone.
  process.umask(0o077)
  requireEngine()
  const { values, positionals } = parsed()
  const [name, command] = find(positionals)
  if (values.help || !command) {
    console.log(command ? helpOf(command) : help())
    return positionals.length === 0 || values.help ? codes.done : codes.usage
  }
  const { help: _, json: asJson, data, ...options } = values
  requireOwn(options, name, command)
  const args = positionals.slice(name.split(' ').length)
  const { json, text, failed } = await withProgress(process.stderr, (tell) =>
    command.run({
      args,
      options,
      register: () => toolsFor(data),
      newKey: () => readKey(process.env, 'NEW_RECORDS_KEY'),
      firebase: () => configuredProject(process.env, environmentFile),
      tell: asJson ? () => {} : tell,
    }),
  )
  if (asJson) console.log(JSON.stringify(json))
  else (failed ? console.error : console.log)(text)
  return failed ? codes.failed : codes.done
}

/** The register that was named by its folder, or else the one that a server would serve. */
async function toolsFor(folder: string | undefined): Promise<RegisterTools> {
  const key = readKey(process.env)
  const { dataDir, databaseUrl } = folder
    ? { dataDir: folder, databaseUrl: undefined }
    : readPlace(process.env)
  if (databaseUrl === undefined) return sqliteTools(dataDir, key)
  const { postgresTools } = await import('./storage/postgres/admin.ts')
  return postgresTools(databaseUrl, key)
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
        data: { type: 'string' },
        overwrite: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function find(positionals: string[]): [name: string, command: Command | undefined] {
  const [first = '', second = ''] = positionals
  const name = [`${first} ${second}`, first].find((name) => Object.hasOwn(commands, name))
  if (name === undefined && positionals.length > 0)
    console.error(`There is no command "${positionals.join(' ')}".\n`)
  return [name ?? '', name === undefined ? undefined : commands[name]]
}

function requireOwn(options: Options, name: string, command: Command) {
  const foreign = Object.keys(options).find((option) => !command.options?.some((own) => own === option))
  if (foreign) throw new UsageError(`"${name}" has no --${foreign}.`)
}

function help(): string {
  const all = Object.values(commands)
  const width = Math.max(...all.map(({ usage }) => usage.length)) + 2
  const lines = all.map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`)
  return `Usage: staffbook [--json] [--data <folder>] <command>

${lines.join('\n')}

The register is in --data, or DATABASE_URL, or DATA_DIR, or ./data. A password is asked for at the terminal, or read from standard input.
Ends with 0 when done, 1 when not, 2 when the command line is wrong.`
}

function helpOf({ usage, summary }: Command): string {
  return `Usage: staffbook [--json] [--data <folder>] ${usage}\n\n${summary}`
}

const plain = [
  ConfigError,
  EngineError,
  KeyError,
  NoAnswer,
  OperatorError,
  Refusal,
  RegisterError,
  StorageError,
]

/** What the operator can do something about is said plainly; anything else keeps its stack. */
function explain(error: unknown): [words: string, code: number] {
  if (error instanceof UsageError) return [`${error.message} See staffbook --help.`, codes.usage]
  const known = plain.some((type) => error instanceof type)
  const { message, stack } = error as Error
  return [known ? message : (stack ?? message), codes.failed]
}

process.exitCode = await main().catch((error) => {
  const [words, code] = explain(error)
  process.stderr.write(`staffbook: ${words}\n`)
  return code
})
