import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { parseArgs } from 'node:util'
import { OperatorError } from '../app-error.ts'
import { maxSecretBytes } from '../storage/files.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'

export interface Command {
  /** Name, arguments and options, for example `account passkeys <email> [<id>] [--remove]`. Others are refused. */
  usage: string
  summary: string
  run(context: CommandContext): Promise<CommandOutput> | CommandOutput
}

export const optionTypes = {
  overwrite: { type: 'boolean' },
  url: { type: 'string' },
  unsigned: { type: 'boolean' },
  'with-removed': { type: 'boolean' },
  by: { type: 'string' },
  since: { type: 'string' },
  kind: { type: 'string' },
  remove: { type: 'boolean' },
  records: { type: 'boolean' },
} as const

export type Options = ReturnType<typeof parseArgs<{ options: typeof optionTypes }>>['values']

/** The parts of `process` that the commands use. */
export type Terminal = Pick<NodeJS.Process, 'env' | 'stdin'> &
  Record<'stdout' | 'stderr', NodeJS.WritableStream>

export interface CommandContext {
  terminal: Terminal
  /** The arguments after the command's name, as its usage says. */
  args: string[]
  options: Options
  /** Returns the database selected by the command line or the environment. Rejects if the configuration is invalid. */
  openAdmin(): Promise<StorageAdmin>
}

/** `lines`: output that may be long; with `--json` the same. */
export type CommandOutput = CommandResult | { lines: AsyncIterable<string> }

export interface CommandResult {
  json: unknown
  text: string
  failed?: boolean
}

export class UsageError extends Error {
  override name = 'UsageError'
}

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
 * operator cancels with Ctrl-C, Ctrl-D or an empty line.
 */
export async function promptSecret(question: string, { stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY) return decodeSecret(await readInput(stdin))
  stderr.write(question)
  const output = new Writable({ write: (_echo, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output, terminal: true })
  try {
    // Rejects when it is interrupted.
    const line = await terminal.question('').catch(() => '')
    if (line === '') throw new OperatorError('Cancelled; nothing was changed.')
    return line
  } finally {
    terminal.close()
    stderr.write('\n')
  }
}

/** Throws an `OperatorError` if it is larger than any password. */
async function readInput(stdin: Terminal['stdin']): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stdin) {
    pieces.push(Buffer.from(piece))
    bytes += piece.length
    if (bytes > maxSecretBytes)
      throw new OperatorError(`Standard input has more than ${maxSecretBytes} bytes; nothing was changed.`)
  }
  return Buffer.concat(pieces)
}

/** Throws an `OperatorError` if it would become another password, or one that nobody can type at the sign-in. */
function decodeSecret(bytes: Buffer): string {
  try {
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
    if (!/\p{Cc}/u.test(secret)) return secret
  } catch {
    throw new OperatorError('Standard input is not in UTF-8; nothing was changed.')
  }
  throw new OperatorError(
    'Standard input has several lines, or control characters, which nobody can type; nothing was changed.',
  )
}
