import type { FirebaseConfig } from '../../contract/firebase.ts'
import type { StorageAdmin } from '../storage/storage-admin.ts'
import type { ReportProgress } from './progress.ts'

/** One command of the operator's command line. */
export interface Command {
  /** As it is typed: `account add <email>`. */
  usage: string
  summary: string
  /** Options of its own. */
  options?: (keyof Options)[]
  run(context: CommandContext): Promise<CommandOutput> | CommandOutput
}

export interface Options {
  /** Takes the place of a file that is there. */
  overwrite?: boolean
}

export interface CommandContext {
  /** What was typed behind the command's words. */
  args: string[]
  options: Options
  /** The register that the command line or the environment names. Throws where it names none that we know. */
  openAdmin(): Promise<StorageAdmin>
  /** The key that NEW_RECORDS_KEY names. */
  newKey(): Uint8Array | undefined
  /** The Firebase project that the environment names. Throws an `OperatorError` where it names none. */
  firebase(): FirebaseConfig
  /** Hears how far a long command is, for a person who waits for it. */
  reportProgress: ReportProgress
}

export interface CommandOutput {
  /** For a program (`--json`). */
  json: unknown
  /** For a person. */
  text: string
  /** Where the command was done and what it found is bad. */
  failed?: boolean
}

/** The command line is not one we know; the message says what is. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** The operator's request cannot be done; the message is for the operator. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}

/** What was typed behind the command's words. Throws a `UsageError` where it is not as much as the command takes. */
export function requireArgs({ args }: CommandContext, count: number): string[] {
  if (args.length === count) return args
  const taken = `${count || 'no'} argument${count === 1 ? '' : 's'}`
  throw new UsageError(`This command takes ${taken} and got ${args.length}.`)
}

/** As many names as a person reads. */
export function formatList(names: string[], maxItems = 10): string {
  const remaining = names.length - maxItems
  return names.slice(0, maxItems).join(', ') + (remaining > 0 ? ` and ${remaining} more` : '')
}
