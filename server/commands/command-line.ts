import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { AppError, OperatorError } from '../app-error.ts'
import { readDataLocation } from '../config.ts'
import { replaceControls } from '../control-characters.ts'
import { requireExpandedPath } from '../expanded-path.ts'
import { readRecordsKey } from '../storage/encryption/read-records-key.ts'
import { createSqliteAdmin } from '../storage/sqlite/admin/admin.ts'
import { requireSupportedNode } from '../storage/sqlite/require-node.ts'
import { StorageError } from '../storage/storage.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'
import { version } from '../version.ts'
import { accountCommands } from './account.ts'
import { type Command, nameOf, optionTypes, requireUsage, type Terminal, UsageError } from './command.ts'
import { databaseCommands } from './database.ts'
import { exportImportCommands } from './export-import.ts'
import { historyCommands } from './history.ts'
import { ssoCommands } from './sso.ts'

/** 1: the command failed or found a problem, printed to stderr. 2: the command line is invalid. */
const exitCodes = { done: 0, failed: 1, usage: 2 }
const usageStart = 'Usage: staffbook [--json] [--data <folder>]'
const commands = [
  ...accountCommands,
  ...databaseCommands,
  ...exportImportCommands,
  ...historyCommands,
  ...ssoCommands,
]

/** Runs a command line, without the name of the program. Resolves with the exit code. */
export async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runCommand(given, terminal)
  } catch (error) {
    const [message, exitCode] = describeError(error)
    await print(terminal.stderr, `staffbook: ${message}`).catch(() => {})
    return exitCode
  }
}

async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  requireSupportedNode()
  const { stdout, stderr } = terminal
  const { values, positionals } = parseCommandLine(given)
  if (values.version) {
    await print(stdout, values.json ? JSON.stringify({ version }) : version)
    return exitCodes.done
  }
  const command = findCommand(positionals)
  if (!command && positionals.length > 0) await print(stderr, `Unknown command "${positionals.join(' ')}".\n`)
  if (values.help || !command) {
    await print(stdout, command ? `${usageStart} ${command.usage}\n\n${command.summary}` : usageText())
    return positionals.length === 0 || values.help ? exitCodes.done : exitCodes.usage
  }
  const { help: _, version: __, json: asJson, data, ...options } = values
  const args = positionals.slice(nameOf(command).split(' ').length)
  requireUsage(command, args, options)
  const output = await command.run({
    args,
    options,
    terminal,
    openAdmin: () => getStorageAdmin(data, terminal),
  })
  if ('lines' in output) return printLines(output.lines, stdout)
  const { json, text, failed } = output
  if (asJson) await print(stdout, JSON.stringify(json))
  else await print(failed ? stderr : stdout, text)
  return failed ? exitCodes.failed : exitCodes.done
}

/**
 * Files and databases of others must not change the terminal, nor turn a line round. JSON stays the same text: it escapes only some of
 * these itself.
 */
const toPrintable = (text: string) =>
  replaceControls(text, (control) =>
    control === '\n' ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Resolves when it is written, or nobody reads it any more. Rejects on a full disk. */
function print(stream: NodeJS.WritableStream, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const settle = (error?: Error | null) => {
    if (!error || isUnread(error)) resolve()
    else reject(createOutputError(error))
  }
  // Emitted after the callback, and would end the process.
  stream.on('error', settle)
  stream.write(toPrintable(`${text}\n`), (error) => {
    if (!error) stream.off('error', settle)
    settle(error)
  })
  return promise
}

/** Whoever reads it has seen enough. */
const isUnread = (error: Error) => (error as NodeJS.ErrnoException).code === 'EPIPE'

const createOutputError = ({ message }: Error) =>
  new OperatorError(`The output could not be written: ${message}. What the command changes, is changed.`)

async function printLines(lines: AsyncIterable<string>, stdout: Terminal['stdout']): Promise<number> {
  async function* withLineEnds() {
    for await (const line of lines) yield toPrintable(`${line}\n`)
  }
  await pipeline(withLineEnds(), stdout, { end: false }).catch((error) => {
    if (!isUnread(error)) throw createOutputError(error)
  })
  return exitCodes.done
}

/** The database in `folder`, or the one that a server with this environment would open. */
async function getStorageAdmin(folder: string | undefined, { env, stderr }: Terminal): Promise<StorageAdmin> {
  const key = readRecordsKey(env)
  const onWarning = (message: string) => void stderr.write(`staffbook: ${message}\n`)
  if (folder !== undefined) return createSqliteAdmin(requireExpandedPath('--data', folder), key, onWarning)
  const { dataDir, databaseUrl } = readDataLocation(env)
  if (databaseUrl === undefined) return createSqliteAdmin(dataDir, key, onWarning)
  const { createPostgresAdmin } = await import('../storage/postgres/admin.ts')
  return createPostgresAdmin(databaseUrl, key)
}

function parseCommandLine(given: readonly string[]) {
  // A script passes it if a variable is not set: it must not choose another database, or anyone as the invited.
  if (given.some((text) => /^(--\w+=)?$/.test(text))) throw new UsageError('An argument is empty.')
  // The id of a passkey may begin with a hyphen. Arguments after `--` are no options.
  const ids = given.includes('--') ? [] : given.filter((text) => /^-[\w-]{15}$/.test(text))
  try {
    return parseArgs({
      args: ids.length > 0 ? [...given.filter((text) => !ids.includes(text)), '--', ...ids] : [...given],
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
  return find(2) ?? find(1)
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
  const { message, stack, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  // Those of the file system and SQLite, such as a name that is too long or a full disk, are not the program's.
  const isExpected =
    (syscall ?? errcode) !== undefined ||
    [OperatorError, AppError, StorageError].some((type) => error instanceof type)
  return [isExpected ? message : (stack ?? message), exitCodes.failed]
}
