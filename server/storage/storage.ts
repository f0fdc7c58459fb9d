import type { Batch } from '../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'

/** A record as it is stored: `seq` is its place in the order of creation, `revision` the write that made it so. */
export interface StoredEmployee extends Employee {
  seq: number
  revision: number
}

export interface Removal {
  id: string
  seq: number
  revision: number
}

/** What one write has done to the register; told once it is safe on the disk, in the order of revisions. */
export type EmployeeChange = ({ type: 'saved' } & StoredEmployee) | ({ type: 'removed' } & Removal)

/**
 * `done` made a new revision; `unchanged` found its work done already (the retry of a write that went through) and
 * tells the revision that did it.
 */
export type WriteOutcome =
  | { outcome: 'done' | 'unchanged'; seq: number; revision: number }
  | { outcome: 'not-found' | 'id-in-use' }

/** A batch whose additions have their ids. */
export interface IdentifiedBatch extends Omit<Batch, 'add'> {
  add: Employee[]
}

export interface BatchOutcome {
  /** The register's revision after the batch. */
  revision: number
  /** The records that were not as the batch had seen them, and that it left alone. */
  kept: string[]
}

export interface StorageHead {
  /** The revision of the latest write. */
  revision: number
  /** Changes before this revision cannot be told one by one: the register was restored from a backup. */
  floor: number
  /** Differs between any two registers that could have the same revision. */
  epoch: string
}

/** The records. A write resolves when it is on the disk, and rejects with a `StorageError` where it is not. */
export interface EmployeeStorage {
  head(): Promise<StorageHead>
  /** All records in order of creation, in pages. */
  load(): AsyncIterable<StoredEmployee[]>
  /** The latest removals, newest first, at most `limit`. */
  latestRemovals(limit: number): Promise<Removal[]>
  /** An id that was ever used is not used again: adding under it is `unchanged`, also when the record is gone. */
  add(id: string, fields: EmployeeFields): Promise<WriteOutcome>
  update(id: string, fields: EmployeeFields): Promise<WriteOutcome>
  remove(id: string): Promise<WriteOutcome>
  /** Puts a removed record back in its old place. */
  restore(id: string, fields: EmployeeFields): Promise<WriteOutcome>
  /** Whole or not at all. What it finds done already, it counts as done, so it can be sent again. */
  writeBatch(batch: IdentifiedBatch): Promise<BatchOutcome>
  /**
   * The listener hears of every commit, in the order of revisions, before its writes resolve. Where other processes
   * write too, it also hears what they have changed after revision `since` (not given: from now on): every record once,
   * however often it changed meanwhile. What there is to hear already, it has heard when this resolves.
   */
  subscribe(listener: (changes: EmployeeChange[]) => void, afterRevision?: number): void | Promise<void>
}

export interface Account {
  uid: string
  /** As it was typed at sign-up. */
  email: string
  /** The email in the form in which two are compared; one account each. */
  emailKey: string
  passwordHash: string
  /** ISO 8601, UTC. */
  createdAt: string
}

export interface AccountStorage {
  /** False where an account with this `emailKey` exists. */
  add(account: Account): Promise<boolean>
  findByEmailKey(emailKey: string): Promise<Account | undefined>
  list(): Promise<Account[]>
  /** False where there is no such account, or where `seen` is given and no longer its hash. */
  setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): Promise<boolean>
  /** Its sessions end with it, and where they began is forgotten. False where there is no such account. */
  remove(uid: string): Promise<boolean>
}

/** Times are milliseconds since 1970. */
export interface Session {
  /** SHA-256 of the token, so that what is stored opens nothing. */
  hash: string
  uid: string
  createdAt: number
  lastSeenAt: number
}

/** So many places from which an account was signed in are remembered. */
export const maxRememberedAddresses = 20

export interface SessionStorage {
  /**
   * False where `passwordHash` is not the account's, or no longer: whoever was let in by an old password while a new one
   * was set begins no session that `endAll` has missed. Where it begins (a hash) is remembered with the account: its
   * latest `placesRemembered`, also when the session has ended.
   */
  add(session: Session, passwordHash: string, addressHash?: string): Promise<boolean>
  /** Whether a session has begun from there, as far as it is remembered. */
  isRemembered(addressHash: string): boolean | Promise<boolean>
  /** Synchronous where the storage is embedded: it is asked with every request. */
  find(hash: string): AuthenticatedSession | undefined | Promise<AuthenticatedSession | undefined>
  listByAccount(uid: string): Promise<Session[]>
  touch(hash: string, lastSeenAt: number): Promise<void>
  /** Answers the hashes that were there. */
  end(hashes: string[]): Promise<string[]>
  /** Ends every session of an account, but for the one to keep; answers their hashes. */
  endAll(uid: string, exceptHash?: string): Promise<string[]>
  /** Of these hashes, those of sessions that are there no more, or that `endExpired` would end. */
  findEnded(hashes: string[], createdBefore: number, seenBefore: number): Promise<string[]>
  /** Ends every session created before `createdBefore` or last seen before `seenBefore`; answers their hashes. */
  endExpired(createdBefore: number, seenBefore: number): Promise<string[]>
}

export interface AuthenticatedSession {
  session: Session
  account: Account
}

export interface Storage {
  employees: EmployeeStorage
  accounts: AccountStorage
  sessions: SessionStorage
  /** Resolves, once and for all, when the storage cannot acknowledge another write. */
  failed: Promise<StorageFailure>
  /** Rejects where the storage does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * `disk`: an fsync failed, so what the disk holds is unknown. `writer`: the writing thread is gone. `stale`: the
 * database no longer holds the register that this process has read, or not as this program knows it.
 */
export interface StorageFailure {
  reason: 'disk' | 'writer' | 'stale'
  error: Error
}

/** The register cannot be opened; the message says why and what to do. */
export class StorageOpenError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageOpenError'
  }
}

/** `uncertain` alone leaves open whether the write is there after a restart; the others changed nothing. */
export type StorageErrorKind = 'full' | 'unavailable' | 'busy' | 'uncertain'

export class StorageError extends Error {
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.kind = kind
  }
}
