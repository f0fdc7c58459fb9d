import type { CommandOf, StorageRules, Writes } from '../../decide.ts'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import type { FileIdentity } from '../../files.ts'
import {
  type IdentifiedBatch,
  type RegisterSize,
  StorageError,
  type StorageErrorKind,
  type StorageFailure,
} from '../../types.ts'
import type { ConnectOptions } from '../connect.ts'
import type { Commands } from './commands.ts'

export type Command = CommandOf<Commands>

/** Is sent to the writer thread. */
export type WriterMessage = (Command | PartedBatch)[] | BatchPart | 'close'

/** Changes of a batch that is too large for one message, before its `PartedBatch`. */
export interface BatchPart {
  batchId: number
  part: IdentifiedBatch
}

/** Replaces the command `writeBatch` when all parts have been sent. */
export interface PartedBatch {
  batchId: number
  rest: Pick<IdentifiedBatch, 'digest' | 'by'>
}

/** `writes`: of a command that writes records. */
export type CommandResult = { value: unknown; writes?: Writes } | { error: CommandError }

export const batchOf = (command: Command): IdentifiedBatch | undefined =>
  command[0] === 'writeBatch' ? command[1] : undefined

interface CommandError {
  kind: StorageErrorKind | 'bug'
  message: string
}

export function toError({ kind, message }: CommandError): Error {
  return kind === 'bug' ? new Error(message) : new StorageError(kind, message)
}

/** From the writer thread. The results are in the order of the commands. After a `failure` there are no further ones. */
export interface ResultsMessage {
  results: CommandResult[]
  /** The size of the register after it, unless it has failed. */
  size?: Omit<RegisterSize, 'maxBytes'>
  /** The duration of the transaction. */
  seconds?: number
  failure?: StorageFailure
}

export interface WriterSettings extends ConnectOptions, Omit<StorageRules, 'encryption'> {
  file: string
  /** The lock of the data folder. If it is replaced, another process may be writing. */
  lock: FileIdentity
  /** Encrypts the records' fields; without a key they are plain text. */
  key: RecordsKey | undefined
}
