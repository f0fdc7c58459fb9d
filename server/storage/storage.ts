import { hash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { Batch } from '../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import { OperatorError } from '../app-error.ts'
import type { HistoryStorage } from './history.ts'

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

/** One committed change. */
export type EmployeeChange = ({ type: 'saved' } & StoredEmployee) | ({ type: 'removed' } & Removal)

/**
 * `done` made a new revision. `unchanged` is a repeated write, and `conflict` an update that could not be merged; their
 * revision is that of the record's latest change. After an update with `seen`, `fields` is the record as it is then.
 * `key-reused`: the id was first added with another digest. `register-full`: see `RegisterSize`.
 */
export interface RecordOutcome {
  outcome: 'done' | 'unchanged' | 'conflict'
  seq: number
  revision: number
  fields?: EmployeeFields
}

export type WriteOutcome =
  | RecordOutcome
  | { outcome: 'not-found' | 'id-in-use' | 'key-reused' | 'register-full' }

/** A batch whose additions already have ids. */
export interface IdentifiedBatch extends Omit<Batch, 'add'> {
  add: Employee[]
  /** Identifies the whole batch; stored with the first added record. */
  digest?: string | undefined
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
   * the request; it must contain a secret, because it is stored also after the record has been removed.
   */
  add(id: string, fields: EmployeeFields, digest?: string, by?: string): Promise<WriteOutcome>
  /** Merges `fields` with what has changed since `seen`, the record as the author saw it: see `mergeFields`. */
  update(id: string, fields: EmployeeFields, seen?: EmployeeFields, by?: string): Promise<WriteOutcome>
  remove(id: string, by?: string): Promise<WriteOutcome>
  /** Gives a removed record its old `seq`. */
  restore(id: string, fields: EmployeeFields, by?: string): Promise<WriteOutcome>
  /** Restores the fields that it had when it was removed; `not-found` if they are not kept, `unchanged` if it exists. */
  restoreDeleted(id: string, by?: string): Promise<WriteOutcome>
  /** All or nothing: rejects with `register-full` if one does not fit. Safe to repeat: changes that are already made count as done. */
  writeBatch(batch: IdentifiedBatch): Promise<BatchOutcome>
  /**
   * Notifies the listener of every commit in the order of revisions, and before the commit's writes resolve. In
   * PostgreSQL this includes other processes' changes after `afterRevision` (default: the latest revision); a record
   * that has changed several times may be reported once. Resolves after all existing changes have been delivered.
   */
  subscribe(listener: ChangeListener, afterRevision?: number): void | Promise<void>
  /**
   * Resolves when every change up to a committed revision has been delivered to all subscribers. Undefined if there are no
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

export interface AccountStorage {
  /** False if an account with this `emailKey` exists. `by`: who adds it, its own `uid` at sign-up. */
  add(account: Account, by?: string): Promise<boolean>
  findByEmailKey(emailKey: string): Promise<Account | undefined>
  list(): Promise<Account[]>
  /** Maps each `uid` to its last request, in milliseconds since 1970, even if its sessions have ended. */
  listLastSeen(): Promise<Map<string, number>>
  /** False if there is no such account, or if `expectedHash` is given and is not the account's hash. */
  setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): Promise<boolean>
  /** Atomic. Returns the hashes of the ended sessions; undefined where `setPasswordHash` returns false, or without the link. */
  replacePassword(replacement: PasswordReplacement): Promise<string[] | undefined>
  /**
   * Removes its sessions, links and remembered addresses too, and of an account that a colleague has removed, what `letIn` needs; its
   * email stays. Returns false if there is none.
   */
  remove(uid: string): Promise<boolean>
  /**
   * Removes the account on behalf of another, and keeps what `letIn` needs. Returns the hashes of the ended sessions; undefined if
   * one of the two accounts does not exist, so that the last one stays.
   */
  removeColleague(uid: string, by: string): Promise<string[] | undefined>
  /** Call when nothing is sent any more to a removed account: this is its `removedAt`, and what changes later is unknown to it. */
  confirmRemoval(uid: string): Promise<void>
  /** The account as it was, if a colleague has removed it and it can be let back in. */
  findRemoved(emailKey: string): Promise<Account | undefined>
  /** Adds a removed account again. `not-found` also if `by` has no account. Without `by`, the operator does it. */
  letIn(uid: string, by?: string): Promise<LetInOutcome>
  /** Deletes what `letIn` needs of accounts that were removed until then. */
  forgetRemoved(removedUntil: number): Promise<void>
  /** The colleague who has last made a reset link for the account. */
  findResetLinkMaker(uid: string): Promise<ResetLinkMaker | undefined>
}

export type LetInOutcome = 'done' | 'not-found' | 'account-exists'

/** `by` is an email, `at` milliseconds since 1970. */
export interface ResetLinkMaker {
  by: string
  at: number
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

/** A one-time link that sets a new password of an account. */
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

/** Limits the invitations that are neither used nor expired, and the hand-overs. */
export const maxOpenLinks = { perAccount: 20, total: 200 }

/** The same for the links of sheets, which are counted apart. `bytes`: the size of what is sealed. */
export const maxSheetLinks = { perAccount: 1_000, total: 2_000, bytes: 16 * 2 ** 20 }

/** How long whoever has opened a hand-over may repeat that, if the response was lost. */
export const takeRepeatMs = 10 * 60 * 1000

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

/** One-time links. An expired link is the same as none. A restore of the database deletes all. */
export interface LinkStorage {
  /** False if there are `maxOpenLinks`, or the account is gone. */
  addInvitation(invitation: Invitation, now: number): Promise<boolean>
  findInvitation(hash: string, now: number): Promise<Invitation | undefined>
  /** The next to expire first. */
  listInvitations(now: number): Promise<ListedInvitation[]>
  /** False if there is no such invitation. `by`: the account that revokes it. */
  removeInvitation(hash: string, by: string): Promise<boolean>
  /** Adds the account and uses up the invitation, both or neither. */
  acceptInvitation(hash: string, account: Account, now: number): Promise<AcceptOutcome>
  /** Replaces an earlier link of the account. False if it, or `by`, has no account. */
  setResetLink(link: ResetLink): Promise<boolean>
  /** The account whose password the link sets. */
  findByResetLink(hash: string, now: number): Promise<Account | undefined>
  /**
   * Adds links of one account, and returns the outcome of each. `sheet`: the id of their sheet, whose links replace the open ones
   * that their records have on other sheets. `conflict`: the record is no longer as `seen`. `too-many-handovers`, for all: there
   * would be more than `maxOpenLinks` or `maxSheetLinks`, or the account is gone.
   */
  addHandovers(handovers: Handover[], now: number, sheet?: string): Promise<HandoverOutcome[]>
  /** The open ones of everyone, the next to expire first. */
  listHandovers(now: number): Promise<ListedHandover[]>
  /** Those with open links, the next to expire first. */
  listSheets(now: number): Promise<ListedSheet[]>
  /** Removes the open link with this hash, or all of a sheet. False if there are none. `by`: the account that revokes them. */
  removeHandovers(column: 'hash' | 'sheet', value: string, by: string): Promise<boolean>
  /**
   * Resolves once for each link, and then to undefined; with the `key` of that first call again, for `takeRepeatMs` and within
   * `maxTakenBytes`. `by`: the email of its maker.
   */
  takeHandover(hash: string, now: number, key?: string): Promise<{ sealed: string; by: string } | undefined>
  removeExpired(now: number): Promise<void>
}

export type HandoverOutcome = 'done' | 'not-found' | 'conflict' | 'too-many-handovers'

export type AcceptOutcome = 'done' | 'invalid-link' | 'account-exists'

/** A new password hash, which ends all sessions of the account, and the session that replaces them. */
export interface PasswordReplacement {
  uid: string
  passwordHash: string
  /** The hash to replace; undefined to replace any. */
  expectedHash?: string
  /** The link that must exist and not have expired. Any replacement uses up the account's link. */
  resetLink?: { hash: string; now: number }
  newSession?: { session: Session; addressHash: string }
  /** The removal of the account follows, and only that is logged. */
  isRemoval?: boolean
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

export interface SessionStorage {
  /** Other servers use it too, so what it returned may have ended since. */
  isShared?: boolean
  /**
   * False if `passwordHash` is not the account's current one: a sign-in that runs while the password changes must not
   * add a session that `endAll` has missed. `addressHash` is remembered with the account, also after the session has
   * ended.
   */
  add(session: Session, passwordHash: string, addressHash?: string): Promise<boolean>
  /** True if an account was signed in to from this address, see `maxRememberedAddresses`. */
  isRemembered(addressHash: string): boolean | Promise<boolean>
  /** Synchronous in SQLite, because every request calls it. */
  find(hash: string): AuthenticatedSession | undefined | Promise<AuthenticatedSession | undefined>
  listByAccount(uid: string): Promise<Session[]>
  touch(hash: string, lastSeenAt: number): Promise<void>
  /** Returns the hashes of the sessions that existed. */
  end(hashes: string[]): Promise<string[]>
  /** Ends every session of an account. Returns their hashes. */
  endAll(uid: string): Promise<string[]>
  /** Returns those hashes whose session does not exist or would be ended by `endExpired`. */
  findEnded(hashes: string[], createdBefore: number, seenBefore: number): Promise<string[]>
  /** Ends sessions created before `createdBefore` or last seen before `seenBefore`. Returns their hashes. */
  endExpired(createdBefore: number, seenBefore: number): Promise<string[]>
}

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

/** What sets a password without the old one removes all passkeys of the account. A removed account is let back in without them. */
export interface PasskeyStorage {
  /** A secret that all servers of the database share. A restore changes it. */
  readChallengeKey(): Promise<string>
  /** The oldest first. */
  list(uid: string): Promise<Passkey[]>
  find(id: string): Promise<FoundPasskey | undefined>
  add(passkey: Passkey, challenge: AnsweredChallenge, sessionHash: string): Promise<PasskeyOutcome>
  /** False if the account has no such passkey. `by`: the account that removes it; undefined for the operator. */
  remove(id: string, uid: string, by?: string): Promise<boolean>
  /** Stores the session, and that the passkey was used; unless `done`, only that the challenge was answered. */
  signIn(use: PasskeyUse): Promise<PasskeyOutcome>
  /** Removes what no request can use any more. */
  removeExpired(now: number): Promise<void>
}

export interface AuthenticatedSession {
  session: Session
  account: Account
  /** The revision of the register at the look-up; defined where `EmployeeStorage.catchUp` is. */
  revision?: number
}

export interface Storage {
  employees: EmployeeStorage
  accounts: AccountStorage
  sessions: SessionStorage
  links: LinkStorage
  passkeys: PasskeyStorage
  history: HistoryStorage
  /** Calls the listener soon after another process has ended sessions, where that is known. */
  onSessionsEnded?(listener: () => void): void
  /** Resolves when the storage can no longer write until the process restarts. */
  failed: Promise<StorageFailure>
  /** Rejects if the database does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
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

/** One commit: the number of writes in it, and how long its transaction took, with the fsync. */
export interface CommitMessage {
  writes: number
  seconds: number
}

const commits = channel('staffbook.commit')

/** Costs nothing while nobody has subscribed. */
export function publishCommit(message: CommitMessage): void {
  if (commits.hasSubscribers) commits.publish(message)
}

/** Returns a function that ends the subscription. */
export function subscribeToCommits(listener: (message: CommitMessage) => void): () => void {
  const onMessage = (message: unknown) => listener(message as CommitMessage)
  commits.subscribe(onMessage)
  return () => commits.unsubscribe(onMessage)
}
