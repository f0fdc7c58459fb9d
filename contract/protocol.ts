import { collection, type Employee } from './employees.ts'

/** The paths of the self-hosted service. */
export const paths = {
  accounts: '/api/identity/accounts',
  session: '/api/identity/session',
  sessions: '/api/identity/sessions',
  password: '/api/identity/password',
  books: `/api/collections/${collection}`,
  changes: `/api/collections/${collection}/changes`,
  batch: `/api/collections/${collection}/batch`,
  book: (id: string) => `/api/collections/${collection}/${encodeURIComponent(id)}`,
} as const

/**
 * Sent with `POST books` and `POST batch`: a retry with the same key gets the same answer and makes no second record.
 * 1 to 128 visible ASCII characters, the caller's own choice; a UUID is a good one.
 */
export const idempotencyKeyHeader = 'idempotency-key'

/**
 * Sent with the answer of every write: the register's revision after it. Each changed record makes one of its own, so a
 * batch answers that of its last; a call that is repeated may answer a later one than it did first.
 */
export const revisionHeader = 'revision'

/** An id is 1 to 64 characters of base64url. */
export const idPattern = '^[A-Za-z0-9_-]{1,64}$'

/** The answer of `GET books`. Documents are in order of creation. */
export interface BookList {
  revision: number
  documents: Employee[]
}

/**
 * One change of the register. `saved` is an add, an update or a restore: the document takes the place of the one
 * with its id or, where there is none, stands behind the document whose id is `after` (null: at the head).
 */
export type Change =
  | { type: 'saved'; document: Employee; after: string | null }
  | { type: 'removed'; id: string }

/**
 * The data of a `change` event: the change, and the revision that made it. It stands in the data as well as in the
 * event's id, because of the events that tell what a listener missed only the last one has an id: it is the place to
 * resume from, and being cut off among them means to hear them all again.
 */
export type ChangeEvent = Change & { revision: number }

/**
 * The events of the stream `GET changes`. `stale` says that what the listener missed cannot be told one by one,
 * and the list must be read again.
 */
export const changeEvents = { change: 'change', stale: 'stale' } as const
