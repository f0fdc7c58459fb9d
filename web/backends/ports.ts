import type { User } from '../../contract/accounts.ts'
import type { Batch, BatchResult } from '../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Change } from '../../contract/protocol.ts'

/** Who may come in. Every call rejects with a `ServiceError` and with nothing else. */
export interface IdentityService {
  createAccount(email: string, password: string): Promise<User>
  signIn(email: string, password: string): Promise<User>
  signOut(): Promise<void>
  /**
   * Gives the signed-in account another password and ends its other sessions. Rejects with `invalid-credentials` and
   * the field `password` where that is not the present one, with `weak-password` and the field `newPassword`.
   */
  changePassword(password: string, newPassword: string): Promise<void>
}

/** The collection `books`. Every call settles, also without a network, and rejects with a `ServiceError` only. */
export interface DocumentStore {
  /**
   * All records, in order of creation. Where the service can, `onFirst` is told the first screenful of them while the
   * others are still on their way: once, or not at all. The others are read once it has resolved, so that reading them
   * does not keep the first from being seen.
   */
  list(onFirst?: (employees: Employee[]) => Promise<unknown>): Promise<Employee[]>
  /**
   * Creates a record and answers its id. `key` names this one intention to add: however often it is sent, by whatever
   * tab, it makes one record and answers the same id.
   */
  add(fields: EmployeeFields, key: string): Promise<string>
  /** Rejects with `not-found` where the record is gone. */
  update(id: string, fields: EmployeeFields): Promise<void>
  /** Resolves also where the record is gone already: that is what was asked for. */
  remove(id: string): Promise<void>
  /**
   * Puts a removed record back under its id, in its old place, and answers the id of the record before it (null: it
   * is the first). Rejects with `id-in-use` where a record with this id and other fields is there.
   */
  restore(employee: Employee): Promise<string | null>
  /**
   * Carries many changes out: an import, or what takes it back. Where the service has transactions of that size it is
   * done whole or not at all. Where it has not, it is done in the batch's order, in parts small enough, and what a part
   * has done stays; `key` names the intention, so that the same batch sent again under it, by whatever tab, goes on
   * where it was cut off, makes no record twice and answers the same ids. What it finds as it was asked for counts as
   * done; what someone else has changed since it was seen is left alone and named in the result. Rejects with
   * `invalid-request` and the field (`add/3/email`) where a new value is wrong, with `too-large` beyond
   * `maxBatchSize`, and with `cancelled` where `signal` was given before all was sent; after that it has no effect.
   */
  writeBatch(batch: Batch, key: string, options?: BatchOptions): Promise<BatchResult>
  /** Tells what changes after the last `list()`, until the returned function is called. */
  subscribe(listener: ChangeListener): () => void
}

export interface BatchOptions {
  signal?: AbortSignal | undefined
  /** How much has been sent, from 0 to 1; at 1 there is no way back but an undo. */
  onProgress?: ((sent: number) => void) | undefined
}

export interface ChangeListener {
  /** What others, or we ourselves, changed: in order, and never older than what `list()` told. */
  onChanges(changes: Change[]): void
  /** Something was missed: `list()` again. */
  onStale(): void
  /** The line to the service was lost, or is back. */
  onConnectionChange(connected: boolean): void
  /** The session has ended on the service. Nothing more will be told. */
  onSessionEnded(): void
}

/**
 * `offline`: the service could not be reached, so whether it has done what was asked is not known.
 * `cancelled`: the caller took it back before it was sent.
 */
export type ServiceErrorCode = ErrorCode | 'offline' | 'cancelled'

/** The one error that a service rejects with; `message` is fit for a person. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode
  readonly field: string | undefined

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: { field?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.field = options.field
  }
}

export interface Services {
  identity: IdentityService
  documents: DocumentStore
}
