import type { RecordsKey } from './encryption/field-encryption.ts'
import type { SqlStorage } from './sql/storage.ts'
import type { EmployeeStorage, StorageFailure } from './types.ts'

export * from './types.ts'

export interface StorageOptions {
  key?: RecordsKey | undefined
  /** Keeps the fields of removed records, so that they can be restored. Default: true. */
  keepDeleted?: boolean
  /** See `RegisterSize`. Default: no limit. */
  maxBytes?: number
  /** Maximum number of waiting writes. Further ones are rejected as `busy`. Default: 10,000; none for the operator. */
  maxWaiting?: number
  /** A command that may take long, such as an import. Its writes of one turn of the event loop are committed together. */
  isOperator?: boolean
}

export type AccountStorage = SqlStorage['accounts']
export type LinkStorage = SqlStorage['links']
export type PasskeyStorage = SqlStorage['passkeys']
export type IdentityStorage = SqlStorage['identities']
export type HistoryStorage = SqlStorage['history']

/** `isShared`: other servers use it too, so what it returned may have ended since. */
export type SessionStorage = SqlStorage['sessions'] & { isShared?: boolean }

export interface Storage extends SqlStorage {
  employees: EmployeeStorage
  sessions: SessionStorage
  /** Calls the listener soon after another process has ended sessions, where that is known. */
  onSessionsEnded?(listener: () => void): void
  /** Resolves when the storage can no longer write until the process restarts. */
  failed: Promise<StorageFailure>
  /** Rejects if the database does not respond. */
  ping(): Promise<void>
  /** Rejects if the last write failed, or the disk is nearly full, and a write fails. Otherwise it writes nothing. */
  requireWritable?(): Promise<void>
  close(): Promise<void>
}
