import type { SqlStorage } from './sql/storage.ts'
import type { AccountStorage, EmployeeStorage, Storage } from './storage.ts'

export interface IntegrityReport {
  /** Empty if the database is intact. */
  problems: string[]
  records: number
  accounts: number
  revision: number
}

/** `compared`: with the database; `other-database`: it was created or restored since. */
export interface BackupVerification extends IntegrityReport {
  comparison: 'compared' | 'no-database' | 'other-database'
}

export interface RestoreResult {
  /** The folder with the previous database, if there was one. */
  previousDir: string | undefined
  /** The emails of accounts in the backup that were removed since; undefined if the previous database cannot be read. */
  removed: string[] | undefined
}

type Awaitable<T> = T | Promise<T>

/** The operator's tools, for the command line. All throw errors whose message can be shown to the operator. */
export interface StorageAdmin {
  /** A server may be running. Throws if there is no database, unless `createIfMissing` is set. */
  openAccounts(options?: { createIfMissing?: boolean }): Awaitable<OfflineAccounts>
  /** Opens records and accounts as of one commit. A server may be running. */
  openReadOnly(): Promise<ReadOnlyStorage>
  /** Opens for reading and writing; creates the database if there is none. With SQLite no server may be running. */
  open(): Promise<Storage>
  /**
   * Copies the database at one commit to a new file. A server may be running. Returns false if the records are encrypted, but
   * the copy has no checksum because there was no key.
   */
  backUp(target: string): Awaitable<boolean>
  /**
   * Replaces the database by a backup; no server may be running. `acceptUnsigned` accepts one whose checksum is missing or cannot
   * be verified, `withRemoved` brings back accounts that were removed since.
   */
  restore(
    backup: string,
    options: { acceptUnsigned: boolean; withRemoved?: boolean | undefined },
  ): Awaitable<RestoreResult>
  /** Restores a backup into a temporary folder, and compares it with the database at its commit. Changes nothing. */
  verifyBackup(backup: string, options: { acceptUnsigned: boolean }): Awaitable<BackupVerification>
  /** Checks the database, or a backup, without changing it. `file` is its path or address. */
  checkIntegrity(backup?: string): Awaitable<IntegrityReport & { file: string }>
  /** Encrypts all records with another key, or decrypts them if none is given; no server may be running. Returns their number. */
  changeKey(newKey: Uint8Array | undefined): Awaitable<number>
}

/** What needs no key. */
export interface OfflineAccounts extends SqlStorage {
  close: () => Awaitable<void>
}

export interface ReadOnlyStorage {
  employees: Pick<EmployeeStorage, 'load'>
  accounts: Pick<AccountStorage, 'list'>
  close(): Promise<void>
}
