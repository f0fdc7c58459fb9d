import type { ActivityGroup } from '../../contract/activity/activity.ts'
import type { Employee, SecretFields } from '../../contract/employees.ts'
import type { ActivityReport } from '../../contract/history.ts'

/**
 * What the log of activity tells apart. Those of a batch have a `count`, and the revision of its last change of that kind;
 * the others are the consecutive ones before it. What begins with `reported-` is what a page has reported, and not verified.
 */
export type ActivityKind =
  | 'add'
  | 'change'
  | 'delete'
  | 'restore'
  | 'batch-add'
  | 'batch-change'
  | 'batch-delete'
  | 'batch-restore'
  | 'sign-up'
  | 'invite'
  | 'revoke-invitation'
  | 'accept-invitation'
  | 'create-reset-link'
  | 'doubt-clock'
  | 'use-reset-link'
  | 'hand-over'
  | 'revoke-hand-over'
  | 'open-hand-over'
  | 'change-password'
  | 'add-passkey'
  | 'remove-passkey'
  | 'connect-sso'
  | 'remove-account'
  | 'let-in-account'
  | 'sign-in'
  | 'sign-in-first'
  | 'sign-in-new-browser'
  | 'refuse-sign-in'
  | 'end-sessions'
  | 'expire-hand-over'
  | `reported-${ActivityReport['kind']}`
  // What only the command line does.
  | 'add-account'
  | 'reset-password'
  | 'revoke-sessions'
  | 'disconnect-sso'
  | 'backup'
  | 'restore-backup'
  | 'export'
  | 'emergency'
  | 'change-key'
  | 'confirm-clock'

/** What to log: never the value of a field. */
export interface NewActivity {
  kind: ActivityKind
  /** The account that did it; null or undefined for the operator. */
  by?: string | null | undefined
  /** The sequence of the record. */
  seq?: number
  revision?: number
  /** The `uid` of the account that it was done to. */
  account?: string
  count?: number
  /** The public id of an invitation. */
  invitation?: string
  /** The sequences of the records of a batch, as `formatRanges` writes them. */
  records?: string
  /** The name of the browser that has signed in. */
  browser?: string | null | undefined
}

export interface LoggedActivity {
  /** Milliseconds since 1970. */
  at: number
  kind: ActivityKind
  /** The email of the account that did it; null for the operator. */
  by: string | null
  /** The id of the record. */
  record: string | null
  revision: number | null
  /** The email of the account that it was done to. */
  account: string | null
  count: number | null
  invitation: string | null
  records: string | null
  browser: string | null
}

/** An entry with its number; later ones have higher numbers. */
export interface NumberedActivity extends Omit<LoggedActivity, 'records'> {
  id: number
}

/** Entries in their order. `next`: those beyond this number were not read; undefined if there are none. */
export interface ActivityPart<Entry = NumberedActivity> {
  entries: Entry[]
  next?: number | undefined
}

/** Which entries to read, at most `limit`. */
export interface ActivityFilter {
  /** Only entries with lower, or higher, numbers than this. */
  before?: number | undefined
  after?: number | undefined
  /** Milliseconds since 1970. */
  since?: number | undefined
  group?: ActivityGroup | undefined
  /** Who did it: the `uid` of accounts; null is the operator. */
  by?: (string | null)[] | undefined
  /** Default: the latest first. */
  isOldestFirst?: boolean
  limit: number
}

/** What entries are about: done to one of these records, or by or to one of these accounts. */
export interface ActivitySubjects {
  /** Their ids. */
  records: string[]
  /** Their `uid`s. */
  people: string[]
}

export type RecordActivity = Pick<LoggedActivity, 'at' | 'kind' | 'by' | 'count'>

/** When a record was last changed, in milliseconds since 1970, and by which email; null for the operator. */
export interface StoredDetails {
  id: string
  /** Null if it was not recorded. */
  changedAt: number | null
  changedBy: string | null
  passwordChangedAt: number | null
  /** When the latest link to the credential was made, and opened; null or undefined if there is none, or not yet. */
  handedOverAt?: number | null
  openedAt?: number | null
}

/** A removed record with the fields that it had. */
export interface DeletedRecord extends Employee {
  deletedAt: number
  deletedBy: string | null
}

/** A password that a record had until `by` changed it. `by` is an email; null for the operator. */
export interface StoredPrevious {
  /** That of the change. */
  revision: number
  at: number
  by: string | null
  fields: SecretFields
}

/** Times are milliseconds since 1970, and included. */
export interface DeletionFilter {
  since: number
  until: number
  /** The emails of who has deleted the records; null for the operator. By default anyone. */
  by?: (string | null)[] | undefined
}

export interface StoredDeletion extends Pick<DeletionFilter, 'since' | 'until'> {
  count: number
  by: string | null
}

/** Somebody who has, or had, an account. */
export interface Person {
  uid: string
  email: string
  createdAt: string
  /** Milliseconds since 1970; null if there is the account. */
  removedAt: number | null
  /** The `uid` of who has removed it; null for the operator. */
  removedBy: string | null
  /** Its `uid` if it can be let back in; else null. */
  kept: string | null
  /** The public id of the invitation that created the account; null if none did, or before the upgrade that records it. */
  invitation: string | null
  /** The `uid` of the account that made the invitation; null for the operator. */
  invitedBy: string | null
  /** The only email that could use the invitation; null for any. */
  invitedFor: string | null
}

/** The log keeps at most so many entries, the latest. */
export const maxActivity = 1_000_000

/** Entries, or records, that one call removes: a longer transaction would delay others. */
export const maxRemovedTogether = 1000
