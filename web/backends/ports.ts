import type {
  Colleague,
  IdentityPolicy,
  InvitationInfo,
  NewResetLink,
  SessionInfo,
  SignedIn,
  User,
} from '../../contract/accounts.ts'
import type { ActivityEntry, ActivityPage, ActivityQuery } from '../../contract/activity/activity.ts'
import type { Batch, BatchResult } from '../../contract/batches.ts'
import type { Employee, EmployeeFields, SecretFields } from '../../contract/employees.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type {
  CreatedSheet,
  HandoverInfo,
  NewHandover,
  SheetInfo,
  TakenHandover,
} from '../../contract/handovers.ts'
import type {
  ActivityReport,
  DeletedList,
  Deletion,
  ExposedRecords,
  PreviousPassword,
  RecordDetails,
  RecordEvent,
} from '../../contract/history.ts'
import type { Confirmation } from '../../contract/identity/sso.ts'
import type { PasskeyInfo, PasskeyObstacle } from '../../contract/passkeys.ts'
import type { Change } from '../../contract/protocol.ts'

/** Accounts and sessions. All calls reject with a `ServiceError` only. */
export interface IdentityService {
  /** `invitation` is the token of a link, where the policy is `invited`. Rejects with `invalid-link` if it can't be used. */
  createAccount(email: string, password: string, invitation?: string): Promise<User>
  /** Rejects with `account-removed` only if the password is right. */
  signIn(email: string, password: string): Promise<SignedIn>
  signOut(): Promise<void>
  /**
   * Changes the password of the signed-in account and ends its other sessions. Rejects with `invalid-credentials` and the
   * field `password` if the current password is wrong, and with `weak-password` and the field `newPassword`.
   */
  changePassword(password: string, newPassword: string): Promise<void>
  /** Who may create an account. Without it, only an attempt can tell. */
  policy?(): Promise<IdentityPolicy>
  /** Sends a link that sets a new password, if this email has an account. Without it, whoever runs the service resets it. */
  sendPasswordReset?(email: string): Promise<void>
  team?: TeamService
  passkeys?: PasskeyService
  /** Where the service can have single sign-on; the policy says if it has. */
  sso?: SsoService
  sessions?: SessionService
}

/** Who has access, invitations and reset links. Loaded on demand. */
export interface TeamService {
  /** Needs no session. Resolves to the email that the link is bound to, if any. Rejects with `invalid-link`. */
  checkInvitation(token: string): Promise<{ email?: string }>
  /** `email` is the only one that may use the link. Resolves with the token, which can't be read again. */
  createInvitation(email?: string): Promise<InvitationInfo & { token: string }>
  /** Removes another account, with the caller’s password. Rejects with `invalid-credentials`, or `not-found` if it is gone. */
  removeColleague(id: string, password: string): Promise<void>
  /** Adds a removed account again, with the password that it had. */
  letIn(id: string): Promise<void>
  /** Makes a link that sets a new password of another account, whose owner is told. `password` is the caller’s. */
  createPasswordReset(id: string, password: string): Promise<NewResetLink>
  /** All accounts, the oldest first, then the removed ones. */
  listColleagues(): Promise<Colleague[]>
  /** The open invitations of everyone. */
  listInvitations(): Promise<InvitationInfo[]>
  /** Resolves even if the invitation can't be used any more. */
  revokeInvitation(id: string): Promise<void>
  /** Needs no session. Resolves to the email of the account whose password the link sets. Rejects with `invalid-link`. */
  checkPasswordReset(token: string): Promise<{ email: string }>
  /** Uses up the link and ends all sessions of the account. Rejects with `invalid-link` or `weak-password`. */
  resetPassword(token: string, newPassword: string): Promise<void>
  /**
   * Makes a link to what is sealed. Resolves with the token, which can't be read again. Rejects with `not-found` if the record
   * does not exist, with `conflict` if it is no longer as `seen`, and with `too-many-handovers`.
   */
  createHandover(handover: NewHandover): Promise<{ id: string; token: string }>
  listHandovers(): Promise<HandoverInfo[]>
  /** Resolves even if the link can't be used any more. */
  revokeHandover(id: string): Promise<void>
  /** Makes links to several records, whose open links on other sheets are void. Rejects with `too-many-handovers`. */
  createSheet(handovers: NewHandover[]): Promise<CreatedSheet>
  /** The sheets with open links, of everyone. */
  listSheets(): Promise<SheetInfo[]>
  /** Revokes the open links of a sheet. Resolves even if there are none. */
  revokeSheet(id: string): Promise<void>
  /** Needs no session. Uses up the link; for some minutes, a call with the same key resolves again. Rejects with `invalid-link`. */
  takeHandover(token: string, key: string): Promise<TakenHandover>
}

export interface SessionService {
  list(): Promise<SessionInfo[]>
  /** Resolves even if the session has ended already. */
  end(id: string): Promise<void>
  /** Ends all sessions but this one. */
  endOthers(): Promise<void>
}

/** Signing in without a password. Loaded on demand. All calls also reject with `passkeys-unavailable` where there can be none. */
export interface PasskeyService {
  /** The passkeys of the signed-in account, the oldest first, and why there can be none at this address or in this browser. */
  list(): Promise<{ passkeys: PasskeyInfo[]; unavailable?: PasskeyObstacle | 'no-webauthn' }>
  /**
   * Lets the browser make a passkey for the signed-in account. `password` is the caller’s: rejects with `invalid-credentials`
   * if it is wrong, with `too-many-passkeys`, with `conflict` if this device has one already, and with `cancelled` if the user
   * or the browser refuses.
   */
  create(name: string, password: string): Promise<void>
  /** Resolves even if the passkey does not exist any more. */
  remove(id: string): Promise<void>
  /** Resolves when the visitor has chosen a passkey. Rejects with `cancelled` if they or the browser refuse, or on abort. */
  choose(options: PasskeyChoice): Promise<() => ReturnType<IdentityService['signIn']>>
}

/** Signing in as one's company does. Loaded on demand. */
export interface SsoService {
  /** Resolves to the address at which the provider asks who the visitor is. It sends them back to /signin. */
  begin(): Promise<string>
  /** `response`: the query of the address to which the provider has sent the visitor back. `invitation` as in `createAccount`. */
  finish(response: string, invitation?: string): Promise<SignedIn>
  /** How the signed-in account confirms an act. */
  confirmation(): Promise<Confirmation>
  /** Like `begin`, to confirm an act of an account without a password. */
  beginConfirmation(): Promise<string>
  finishConfirmation(response: string): Promise<void>
}

export interface PasskeyChoice {
  /** Where: in a dialog, or, while the page is used, in the suggestions for a field with `autocomplete="username webauthn"`. */
  inDialog: boolean
  signal: AbortSignal
  /** Called when the service has said that it has passkeys. */
  onOffered(): void
}

/** The collection `books`. All calls settle, even without a network, and reject with a `ServiceError` only. */
export interface DocumentStore {
  /** How full the service was when the list was last read, in percent; undefined if there is much room. */
  readonly usedPercent?: number | undefined
  /**
   * Returns all records in order of creation. If the service supports it, `onPart` is called with the records that have
   * arrived while the others are still being received: first with enough to fill the screen, then about once a second with
   * those that follow. Reading continues after its promise has resolved, so that the records can be painted.
   */
  list(onPart?: OnPart): Promise<Employee[]>
  /**
   * Creates a record and returns its id. `key` is an idempotency key: repeated calls with the same key, from any tab,
   * create one record and return the same id. With other fields than the first call it stores nothing; it returns the id,
   * or rejects with `key-reused` and the id. With `editKey`, an idempotency key of the calls after which the fields were
   * edited, it always rejects then, and may do so if a call without it has created the record.
   */
  add(fields: EmployeeFields, key: string, editKey?: string): Promise<string>
  /**
   * Resolves with the fields of the record. Without `seen`, these are `fields`. With `seen`, the record as the user saw it,
   * they are merged: a field that the user has not changed keeps its current value. Rejects with `conflict` if somebody else
   * has changed a field differently; the listener is notified of the current record, if it has not been yet. Rejects with
   * `not-found` if the record does not exist. `key`, as of the two next, is an idempotency key: repeated calls with the same key and
   * fields take effect once. If that was undone meanwhile, they resolve with the fields of the record as it is.
   */
  update(id: string, fields: EmployeeFields, seen?: EmployeeFields, key?: string): Promise<EmployeeFields>
  /** Resolves even if the record does not exist. */
  remove(id: string, key?: string): Promise<void>
  /**
   * Restores a removed record with its id at its old position. With `seen`, the record as the user saw it, a field that the user has
   * not changed is as it was last, maybe saved by others. Resolves with the record, and the id of the one before it, or null if it
   * is the first. Rejects with `id-in-use` if the record exists without these fields or, with `seen`, these changes.
   */
  restore(
    employee: Employee,
    seen?: EmployeeFields,
    key?: string,
  ): Promise<{ document: Employee; after: string | null }>
  /**
   * Executes many changes: an import, or its undo. The batch is atomic if the service has transactions of its size.
   * Otherwise it is executed in order in smaller parts, and completed parts remain if a later one fails. `key` is an
   * idempotency key: the same batch with the same key, from any tab, continues where it was interrupted, creates no
   * record twice and returns the same ids. Records that already have the requested state count as done. Records that
   * someone else has changed since they were read are skipped, and returned as `kept`.
   *
   * Rejects with `invalid-request` and the path of an invalid value (`add/3/email`), with `too-large` above
   * `maxBatchSize`, and with `cancelled` if `signal` is aborted before everything has been sent. Later it has no effect.
   */
  writeBatch(batch: Batch, key: string, options?: BatchOptions): Promise<BatchResult>
  /** Notifies the listener of changes after the last `list()`, until the returned function is called. */
  subscribe(listener: ChangeListener): () => void
  history?: HistoryService
  previousPasswords?: PreviousPasswordService
}

/** The passwords that a change, an import or a restore has replaced. */
export interface PreviousPasswordService {
  /** Those of a record that are kept, the latest first. */
  list(id: string): Promise<PreviousPassword[]>
  /** Resolves to the fields that were replaced. Rejects with `no-longer-kept`. */
  read(id: string, key: string): Promise<SecretFields>
}

/** Who has changed which record, and what is deleted. */
export interface HistoryService {
  /** Resolves to the details of these records, at most `maxDetailIds`, or of all. Leaves out records without details. */
  details(ids?: string[]): Promise<RecordDetails[]>
  /** Resolves to the ids of the records whose password is known not to have changed since `until`, an ISO timestamp. */
  listOldPasswords(until: string): Promise<string[]>
  /** What was done to a record, the latest first, at most `maxRecordEvents`. Rejects with `not-found` if it never existed. */
  listEvents(id: string): Promise<RecordEvent[]>
  listDeleted(): Promise<DeletedList>
  /** Restores a deleted record at its old position. Also resolves if it exists. Rejects with `not-found` if it is not kept. */
  restoreDeleted(id: string): Promise<void>
  /** Restores the records that were deleted together, some at a time. Those that can't be restored any more stay as they are. */
  restoreDeletion(deletion: Deletion): Promise<void>
  /** `accountId` is the `id` of a `Colleague`. Rejects with `not-found` if there was no such account. */
  listExposed(accountId: string): Promise<ExposedRecords>
  /** Whether each entry that is read costs the team money: none is read ahead. A method, because services are loaded on demand. */
  isMetered?(): Promise<boolean>
  /** Who did what, the latest first. */
  listActivity(query: ActivityQuery): Promise<ActivityPage>
  /**
   * What happened to the signed-in account: its hand-overs that were opened, and sign-ins from browsers not seen before, except the
   * one that this session began with. Those of a service that does not know are none. Rejects if `signal` is aborted meanwhile.
   */
  listNews(signal?: AbortSignal): Promise<ActivityEntry[]>
  /** Forgets news that was told. */
  forgetNews(ids: string[]): Promise<void>
  /** Records what only the page knows. Best effort: rejects with `too-many-requests` beyond a limit. */
  report(report: ActivityReport): Promise<void>
}

/** `total` is the number of all records, if the service tells it. */
export type OnPart = (employees: Employee[], total: number | undefined) => Promise<unknown>

export interface BatchOptions {
  signal?: AbortSignal | undefined
  /** Called with the fraction sent, from 0 to 1. From 1 on the batch can no longer be cancelled. */
  onProgress?: ((sent: number) => void) | undefined
}

export interface ChangeListener {
  /** Changes by any client, including this one, in order, and never older than the result of `list()`. */
  onChanges(changes: Change[]): void
  /** Changes were missed: call `list()` again. */
  onStale(): void
  onConnectionChange(connected: boolean): void
  /** The session has ended on the service, as any call or another tab has found. No more notifications follow. */
  onSessionEnded(): void
}

/**
 * `offline`: no response was received, so it is unknown whether the service has executed the request.
 * `cancelled`: the caller aborted the request before it was sent.
 */
export type ServiceErrorCode = ErrorCode | 'offline' | 'cancelled'

interface ServiceErrorOptions extends ErrorOptions {
  field?: string | undefined
  id?: string | undefined
  retryAfterMs?: number | undefined
}

/** The only error that services reject with. `message` can be shown to users. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly field: string | undefined
  /** The record that the error is about. */
  readonly id: string | undefined
  /** The service asks not to repeat the request before this time, in ms. */
  readonly retryAfterMs: number | undefined

  constructor(code: ServiceErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.field = options.field
    this.id = options.id
    this.retryAfterMs = options.retryAfterMs
  }
}

export function hasCode(error: unknown, code: ServiceErrorCode): error is ServiceError {
  return error instanceof ServiceError && error.code === code
}

export interface Services {
  identity: IdentityService
  documents: DocumentStore
}
