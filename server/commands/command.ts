import type { StorageAdmin } from '../storage/storage-admin.ts'

/** A command of `staffbook`. */
export interface Command {
  /** Name and arguments, for example `account add <email>`. */
  usage: string
  summary: string
  /** The command's own options. */
  options?: (keyof Options)[]
  run(context: CommandContext): Promise<CommandOutput> | CommandOutput
}

export interface Options {
  /** Replaces an existing file. */
  overwrite?: boolean
  /** The address at which people open the page. */
  url?: string
  /** Restores a backup without a checksum. */
  unsigned?: boolean
}

export interface CommandContext {
  /** The arguments after the command's name. */
  args: string[]
  options: Options
  /** Returns the database selected by the command line or the environment. Rejects if the configuration is invalid. */
  openAdmin(): Promise<StorageAdmin>
  /** The address at which people open the page: `--url`, PUBLIC_URL, or this machine. It has no slash at the end. */
  pageUrl(): string
  /** The key in NEW_RECORDS_KEY. */
  newKey(): Uint8Array | undefined
}

export type CommandOutput = CommandResult | CommandLines

/** Output that may be long; with `--json` the same. */
export interface CommandLines {
  lines: AsyncIterable<string>
}

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
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** The command cannot be executed; the message is for the operator. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}

/** Returns the arguments. Throws a `UsageError` unless there are `count` of them. */
export function requireArgs({ args }: CommandContext, count: number): string[] {
  if (args.length === count) return args
  const expected = `${count || 'no'} argument${count === 1 ? '' : 's'}`
  throw new UsageError(`This command takes ${expected} and got ${args.length}.`)
}

/** Joins names with commas; beyond `maxItems` adds only the number of the remaining ones. */
export function formatList(names: string[], maxItems = 10): string {
  const remaining = names.length - maxItems
  return names.slice(0, maxItems).join(', ') + (remaining > 0 ? ` and ${remaining} more` : '')
}
