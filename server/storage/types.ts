import { hash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Batch } from '../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import { OperatorError } from '../app-error.ts'

/** `seq`: position in creation order. `revision`: number of the write that last changed the record. */
export interface StoredEmployee extends Employee {
  seq: number
  revision: number
}

export interface Removal {
  id: string
  seq: number
  revision: number
}

export type EmployeeChange = ({ type: 'saved' } & StoredEmployee) | ({ type: 'removed' } & Removal)

/**
 * `done` made a new revision. `unchanged` is a repeated write, and `conflict` an update that could not be merged; their
 * revision is that of the record's latest change. `isRepeated`: the same request has changed the record before. `fields` is the
 * record as it is then, unless it is as the caller has given it. `key-reused`: the id was first added with another digest.
 * `register-full`: see `RegisterSize`.
 */
export interface RecordOutcome {
  outcome: 'done' | 'unchanged' | 'conflict'
  seq: number
  revision: number
  fields?: EmployeeFields
  isRepeated?: boolean
}

export type WriteOutcome =
  | RecordOutcome
  | { outcome: 'not-found' | 'id-in-use' | 'key-reused' | 'register-full' }

/** A batch whose additions already have ids. */
export interface IdentifiedBatch extends Omit<Batch, 'add'> {
  add: Employee[]
  /** Identifies the whole batch; stored with the first added record, and with those that are changed. */
  digest?: string | undefined
  /** The number of changes in the parts before it, if it is a part. */
  first?: number
  /** The author, as in the other writes. */
  by?: string | undefined
}

/** `key-reused`: the first record was added by a batch with another digest. */
export type BatchOutcome = { outcome: 'key-reused' } | WrittenBatch

export interface WrittenBatch {
  outcome: 'done'
  /** The database's revision after the batch. */
  revision: number
  /** Ids of the conflicts: records that were no longer as `seen`, and were not changed. */
  kept: string[]
  /** The records that exist as the batch restores them, in its order, with their fields if they are others than those of the batch. */
  restored: { id: string; seq: number; fields?: EmployeeFields }[]
  /** An earlier batch has added its records, or a change was done already, by anyone. */
  isRepeated: boolean
}

/** Counts the stored fields of each record, and 100 bytes more. */
export interface RegisterSize {
  /** The size of the existing records. */
  bytes: number
  /** The size of the removed records whose fields are kept. */
  deletedBytes: number
  /**
   * What makes the existing records larger than this, or all together larger than twice this, is refused. They may be larger if
   * the limit was lowered.
   */
  maxBytes: number
}

export interface StorageHead {
  /** The revision of the latest write. */
  revision: number
  /** Changes before this revision are unknown, because the database was restored from a backup. */
  floor: number
  /** Identity of the database; a restore changes it. */
  epoch: string
}

export const isEmpty = (changes: Iterable<EmployeeChange>) => changes[Symbol.iterator]().next().done === true

/** If it returns a promise, the next commit and the results of this one wait for it. */
export type ChangeListener = (changes: Iterable<EmployeeChange>) => unknown

/** `seen`: the record as the author of the write saw it. */
type MergingWrite = (
  id: string,
  fields: EmployeeFields,
  seen?: EmployeeFields,
  by?: string,
  digest?: string,
) => Promise<WriteOutcome>

/**
 * A write resolves once it is on the disk. It rejects with a `StorageError` if that fails. `by` is the `uid` of its author;
 * undefined for the operator.
 */
export interface EmployeeStorage {
  head(): Promise<StorageHead>
  /** As of the latest commit that this process knows. */
  size(): RegisterSize
  /** All records in creation order, in pages. */
  load(): AsyncIterable<StoredEmployee[]>
  /** The latest removals, newest first, at most `limit`. */
  latestRemovals(limit: number): Promise<Removal[]>
  /**
   * Returns `unchanged` for an id that was ever used, even if its record has been removed. `digest` identifies the content of
   * the request; it must contain a secret, because it is stored also after the record has been removed. With it, the other writes
   * return `isRepeated` instead of doing again what has been undone since.
   */
  add(id: string, fields: EmployeeFields, by?: string, digest?: string): Promise<WriteOutcome>
  /** Merges `fields` with what has changed since `seen`: see `mergeFields`. */
  update: MergingWrite
  remove(id: string, by?: string, digest?: string): Promise<WriteOutcome>
  /** Gives a removed record its old `seq`. Merges `fields` with what has changed since `seen`: see `mergeRestored`. */
  restore: MergingWrite
  /** Restores the fields that it had when it was removed; `not-found` if they are not kept, `unchanged` if it exists. */
  restoreDeleted(id: string, by?: string, digest?: string): Promise<WriteOutcome>
  /** All or nothing: rejects with `register-full` if one does not fit. Safe to repeat: changes that are already made count as done. */
  writeBatch(batch: IdentifiedBatch): Promise<BatchOutcome>
  /**
   * Notifies the listener, the only one, of every commit in the order of revisions, and before the commit's writes resolve. In
   * PostgreSQL this includes other processes' changes after `afterRevision` (default: the latest revision); a record
   * that has changed several times may be reported once. Resolves after all existing changes have been delivered.
   */
  subscribe(listener: ChangeListener, afterRevision?: number): void | Promise<void>
  /**
   * Resolves when every change up to a committed revision has been delivered to the listener. Undefined if there are no
   * other processes.
   */
  catchUp?(revision: number): Promise<void>
}

export interface Account {
  uid: string
  /** The email as typed at sign-up. */
  email: string
  /** The normalised email; unique. */
  emailKey: string
  passwordHash: string
  /** ISO 8601, UTC. */
  createdAt: string
}

/** A one-time link that lets somebody create an account. Times are milliseconds since 1970. */
export interface Invitation {
  /** SHA-256 of the token: a stolen database contains no usable link. */
  hash: string
  /** The account that has made it; null for the operator. Removing the account removes its invitations. */
  uid: string | null
  /** The only email that may use it, as typed; null for any. */
  email: string | null
  expiresAt: number
}

export interface ListedInvitation extends Invitation {
  /** The email of the account `uid`. */
  invitedBy: string | null
}

/** How long the owner of an account is told who has made reset links for it: longer than any session, so at least once. */
export const makersKeptMs = 60 * 24 * 60 * 60 * 1000

export interface ResetLink {
  hash: string
  uid: string
  expiresAt: number
  /** The account that has made it; undefined for the operator. */
  by?: string | undefined
}

/** Names a session or a link by its hash. It reveals neither the token nor the hash. */
export function toPublicId(tokenHash: string): string {
  return hash('sha256', tokenHash, 'base64url').slice(0, 16)
}

/** The total size of what can be opened again. Beyond it, hand-overs are opened once only. */
export const maxTakenBytes = 16 * 2 ** 20

/** A link that shows the fields of a record once, to whoever has it. Times are milliseconds since 1970. */
export interface Handover {
  hash: string
  /** The id of the record. A new password or the removal of the record removes its open links. */
  record: string
  /** The account that has made it. Removing the account removes its open links. */
  uid: string
  /** The record as its maker saw it. */
  seen: EmployeeFields
  /** Its fields, encrypted with a key that the server never has. */
  sealed: string
  expiresAt: number
}

export interface ListedHandover extends Omit<Handover, 'seen' | 'sealed'> {
  createdAt: number
  /** The email of the account `uid`. */
  by: string
  /** The id of its sheet. */
  sheet: string | null
}

/** Links that were made together. `open` and `opened` count them; void and revoked ones are forgotten. */
export interface ListedSheet extends Pick<ListedHandover, 'by' | 'createdAt' | 'expiresAt'> {
  id: string
  open: number
  opened: number
}

export type HandoverOutcome = 'done' | 'not-found' | 'conflict' | 'too-many-handovers'

/** A new password hash, which ends all sessions of the account, and the session that replaces them. */
export interface PasswordReplacement {
  uid: string
  passwordHash: string
  /** The hash to replace; undefined to replace any. */
  expectedHash?: string
  /** The link that must exist and not have expired. Any replacement uses up the account's link. */
  resetLink?: { hash: string; now: number }
  newSession?: { session: Session; addressHash: string }
  /** False if what follows in the log says it. Default: true. */
  isLogged?: boolean
}

/** Times are milliseconds since 1970. */
export interface Session {
  /** SHA-256 of the token: a stolen database contains no usable token. */
  hash: string
  uid: string
  createdAt: number
  lastSeenAt: number
  /** "Firefox on Linux", see `nameBrowser`; null or undefined if it is unknown. Only `listByAccount` returns it. */
  browser?: string | null | undefined
}

/** Counts per account. Older addresses are deleted. */
export const maxRememberedAddresses = 20

/** A public key that signs in to an account. Times are milliseconds since 1970. */
export interface Passkey {
  /** That of the credential, in base64url. */
  id: string
  uid: string
  name: string
  /** In COSE, base64url. */
  publicKey: string
  /** How often the authenticator says that it has signed; 0 if it does not count. */
  counter: number
  isBackedUp: boolean
  createdAt: number
  lastUsedAt?: number | null
}

/** `isRemoved`: a colleague has removed the account, and it can be let back in. */
export interface FoundPasskey {
  passkey: Passkey
  account: Account
  isRemoved: boolean
}

/** `nonce` tells challenges apart. */
export interface AnsweredChallenge {
  nonce: string
  expiresAt: number
}

/** An answer to a challenge, whose signature is right. */
export interface PasskeyUse extends Pick<Passkey, 'id' | 'counter' | 'isBackedUp'> {
  challenge: AnsweredChallenge
  session: Session
  addressHash: string
}

/**
 * `refused`: the challenge was answered before, or the account, session or passkey is gone, or the new passkey exists.
 * `counter-went-back`: it is not higher than before, although the authenticator counts.
 */
export type PasskeyOutcome = 'done' | 'refused' | 'too-many-passkeys' | 'counter-went-back'

/** Who somebody is at a provider of single sign-on. */
export interface Identity {
  issuer: string
  subject: string
}

/** A sign-in that the provider has vouched for. */
export interface SsoSignIn {
  identity: Identity
  /** Undefined if the provider does not vouch for it. */
  email: Pick<Account, 'email' | 'emailKey'> | undefined
  challenge: AnsweredChallenge
  /** For the first sign-in. No password matches the hash. */
  newAccount: Omit<Account, 'email' | 'emailKey'>
  /** Whether somebody without an account gets one without an invitation. */
  admitsAll: boolean
  /** The hash of an invitation. */
  invitation: string | undefined
  session: Omit<Session, 'uid'>
  addressHash: string
  /** Milliseconds since 1970. */
  now: number
}

/**
 * `ended`: the hashes of the account's sessions that were ended. `isFirst`: the identity was connected to the account. `replaced`: how
 * the account was signed in to before that. `refused`: the challenge was answered before, or the account has just been disconnected.
 */
export type SsoOutcome =
  | {
      outcome: 'done'
      account: Account
      ended: string[]
      isFirst?: boolean
      replaced?: { passwordHash: string; passkeys: number }
    }
  | {
      outcome:
        | 'refused'
        | 'unverified'
        | 'other-person'
        | 'removed'
        | 'closed'
        | 'invalid-link'
        | 'other-email'
      /** The account that was not signed in to, if there is or was one. */
      uid?: string
    }

export interface AuthenticatedSession {
  session: Session
  account: Account
  /** The revision of the register at the look-up; defined where `EmployeeStorage.catchUp` is. */
  revision?: number
}

/**
 * `disk`: an fsync failed, so the content of the disk is unknown. `writer`: the writer thread has ended. `stale`: the
 * database was replaced, restored or upgraded while this process was using it.
 */
export interface StorageFailure {
  reason: 'disk' | 'writer' | 'stale'
  error: Error
}

/** The database cannot be opened; the message explains why and what to do. */
export class StorageOpenError extends OperatorError {
  override name = 'StorageOpenError'
}

/** A write that is `uncertain` may or may not be on the disk; the other kinds changed nothing. */
export type StorageErrorKind = 'full' | 'register-full' | 'unavailable' | 'busy' | 'uncertain'

export class StorageError extends Error {
  override name = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Tells of each commit: the number of writes in it, and how long its transaction took, with the fsync. */
export const commits = new EventEmitter<{ commit: [{ writes: number; seconds: number }] }>()
