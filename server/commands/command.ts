import { text } from 'node:stream/consumers'
import type { parseArgs } from 'node:util'
import { OperatorError } from '../app-error.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'

/** A command of `staffbook`. */
export interface Command {
  /** Name, arguments and options, for example `account passkeys <email> [<id>] [--remove]`. Others are refused. */
  usage: string
  summary: string
  run(context: CommandContext): Promise<CommandOutput> | CommandOutput
}

/** The options of all commands, for `parseArgs`. */
export const optionTypes = {
  /** Replaces an existing file. */
  overwrite: { type: 'boolean' },
  /** The address at which people open the page. */
  url: { type: 'string' },
  /** Restores a backup without a checksum. */
  unsigned: { type: 'boolean' },
  /** Brings back accounts that were removed. */
  'with-removed': { type: 'boolean' },
  /** An email. */
  by: { type: 'string' },
  /** A date and time. */
  since: { type: 'string' },
  /** Deletes what is listed. */
  remove: { type: 'boolean' },
  /** Names the records of batches. */
  records: { type: 'boolean' },
} as const

export type Options = ReturnType<typeof parseArgs<{ options: typeof optionTypes }>>['values']

export interface CommandContext {
  /** The arguments after the command's name, as its usage says. */
  args: string[]
  options: Options
  /** Returns the database selected by the command line or the environment. Rejects if the configuration is invalid. */
  openAdmin(): Promise<StorageAdmin>
  /** The address at which people open the page: `--url`, PUBLIC_URL, or this machine. It has no slash at the end. */
  pageUrl(): string
  /** The key in NEW_RECORDS_KEY. */
  newKey(): Uint8Array | undefined
}

/** `lines`: output that may be long; with `--json` the same. */
export type CommandOutput = CommandResult | { lines: AsyncIterable<string> }

export interface CommandResult {
  /** The output with `--json`. */
  json: unknown
  /** The output without `--json`. */
  text: string
  /** True if the command found a problem. */
  failed?: boolean
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Opens a storage for `work`, and closes it afterwards. */
export async function withStorage<S extends { close(): unknown }, T>(
  opening: S | Promise<S>,
  work: (storage: S) => Promise<T>,
): Promise<T> {
  const storage = await opening
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Divides a usage into the name and what follows it: `<email>`, `[<id>]`, `--since <time>`, `[--remove]`. */
const splitUsage = (usage: string) => usage.split(/(?<!--[a-z-]+) (?=<|\[|--)/)

export const nameOf = ({ usage }: Command) => splitUsage(usage)[0] ?? ''

/** Throws a `UsageError` unless the arguments and options are those of the command. */
export function requireUsage(command: Command, args: string[], options: Options): void {
  const [name, ...parts] = splitUsage(command.usage)
  const known = parts.map((part) => /--([a-z-]+)/.exec(part)?.[1])
  const unknown = Object.keys(options).find((option) => !known.includes(option))
  if (unknown) throw new UsageError(`The command "${name}" has no option --${unknown}.`)
  const least = parts.filter((part) => part.startsWith('<')).length
  const most = least + parts.filter((part) => part.startsWith('[<')).length
  if (args.length >= least && args.length <= most) return
  const count = args.length < least ? least : most
  const expected = `${count || 'no'} argument${count === 1 ? '' : 's'}`
  throw new UsageError(`This command takes ${expected} and got ${args.length}.`)
}

/** Joins names with commas; beyond `maxItems` adds only the number of the remaining ones. */
export function formatList(names: string[], maxItems = 10): string {
  const remaining = names.length - maxItems
  return names.slice(0, maxItems).join(', ') + (remaining > 0 ? ` and ${remaining} more` : '')
}

/**
 * Prompts at the terminal without echo. Without a terminal, reads standard input to its end. Throws an `OperatorError` if the
 * operator cancels with Ctrl-C or an empty line.
 */
export async function promptSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write(question)
  process.stdin.setRawMode(true).setEncoding('utf8').resume()
  try {
    return await readHiddenLine()
  } finally {
    process.stdin.setRawMode(false).pause()
    process.stderr.write('\n')
  }
}

const cancelledError = new OperatorError('Cancelled; nothing was changed.')

async function readHiddenLine(): Promise<string> {
  let line = ''
  for await (const piece of process.stdin) {
    for (const character of String(piece)) {
      if (character === '\r' || character === '\n') {
        if (line === '') throw cancelledError
        return line
      }
      if (character === '\u0003' || character === '\u0004') throw cancelledError
      line = character === '\u007f' || character === '\b' ? [...line].slice(0, -1).join('') : line + character
    }
  }
  return line
}
