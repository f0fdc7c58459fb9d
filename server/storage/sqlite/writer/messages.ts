import type { CommandOf } from '../../employee-commands.ts'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import { StorageError, type StorageErrorKind } from '../../storage.ts'
import type { ConnectOptions } from '../connect.ts'
import type { Commands } from './commands.ts'

export type Command = CommandOf<Commands>

export type CommandResult = { value: unknown } | { error: CommandError }

interface CommandError {
  kind: StorageErrorKind | 'bug'
  message: string
}

export function toError({ kind, message }: CommandError): Error {
  return kind === 'bug' ? new Error(message) : new StorageError(kind, message)
}

/**
 * From the writer thread. The results are in the order of the commands. After a `failure` there are no further ones.
 */
export interface ResultsMessage {
  results: CommandResult[]
  failure?: string
}

export interface WriterSettings extends ConnectOptions {
  file: string
  /** Encrypts the records' fields; without a key they are plain text. */
  key?: RecordsKey
}
