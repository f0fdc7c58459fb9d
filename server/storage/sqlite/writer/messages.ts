import type { CommandOf } from '../../decide.ts'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import { StorageError, type StorageErrorKind } from '../../storage.ts'
import type { ConnectOptions } from '../connect.ts'
import type { Commands } from './commands.ts'

/** What the main thread and the writer thread say to each other. */
export type Command = CommandOf<Commands>

export type CommandResult = { value: unknown } | { error: CommandError }

interface CommandError {
  kind: StorageErrorKind | 'bug'
  message: string
}

/** What whoever asked for a refused command gets to see. */
export function toError({ kind, message }: CommandError): Error {
  return kind === 'bug' ? new Error(message) : new StorageError(kind, message)
}

/** Answers come in the order of the commands. `failed`: no further command will be answered. */
export interface ResultsMessage {
  results: CommandResult[]
  failure?: string
}

export interface WriterSettings extends ConnectOptions {
  file: string
  /** Seals the records' fields; plain without one. */
  key?: RecordsKey
}
