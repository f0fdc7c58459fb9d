import type { XStatic } from 'typebox/schema'
import { collection, employeeSchema } from './employees.ts'
import { arrayOf, countSchema, objectOf, textSchema } from './json-schema.ts'

export const paths = {
  policy: '/api/identity/policy',
  accounts: '/api/identity/accounts',
  accountRemoval: (id: string) => `/api/identity/accounts/${encodeURIComponent(id)}/removal`,
  accountResetLink: (id: string) => `/api/identity/accounts/${encodeURIComponent(id)}/reset-link`,
  invitations: '/api/identity/invitations',
  invitationById: (id: string) => `/api/identity/invitations/${encodeURIComponent(id)}`,
  invitationCheck: '/api/identity/invitations/check',
  session: '/api/identity/session',
  sessions: '/api/identity/sessions',
  sessionById: (id: string) => `/api/identity/sessions/${encodeURIComponent(id)}`,
  password: '/api/identity/password',
  passwordReset: '/api/identity/password-reset',
  passwordResetCheck: '/api/identity/password-reset/check',
  books: `/api/collections/${collection}`,
  changes: `/api/collections/${collection}/changes`,
  batch: `/api/collections/${collection}/batch`,
  details: `/api/collections/${collection}/details`,
  deleted: `/api/collections/${collection}/deleted`,
  restoreDeletion: `/api/collections/${collection}/restore`,
  exposed: `/api/collections/${collection}/exposed`,
  handovers: '/api/handovers',
  handoverById: (id: string) => `/api/handovers/${encodeURIComponent(id)}`,
  handoverTake: '/api/handovers/take',
  sheets: '/api/handovers/sheets',
  sheetById: (id: string) => `/api/handovers/sheets/${encodeURIComponent(id)}`,
  activity: '/api/activity',
  news: '/api/activity/news',
  book: (id: string) => `/api/collections/${collection}/${encodeURIComponent(id)}`,
  previousPasswords: (id: string) =>
    `/api/collections/${collection}/${encodeURIComponent(id)}/previous-passwords`,
  previousPassword: (id: string, key: string) =>
    `/api/collections/${collection}/${encodeURIComponent(id)}/previous-passwords/${encodeURIComponent(key)}`,
  recordActivity: (id: string) => `/api/collections/${collection}/${encodeURIComponent(id)}/activity`,
  restore: (id: string) => `/api/collections/${collection}/${encodeURIComponent(id)}/restore`,
} as const

/**
 * Request header of what changes records: a retry with the same key returns the same ids, adds no second record, and does not do again
 * what was undone since. Of `POST take`: a retry gets the same response. 1 to 128 visible ASCII characters chosen by the client, such
 * as a UUID.
 */
export const idempotencyKeyHeader = 'idempotency-key'

/**
 * Response header of every write: the revision after it. Each changed record increments the revision, so a batch returns
 * the revision of its last change. A repeated request may return a later revision than the first.
 */
export const revisionHeader = 'revision'

/**
 * Response header of what changes records: `yes` if an earlier request with this key has added or changed the records, or a change of
 * the batch was done already. Others may have changed, removed or restored the records before this revision.
 */
export const repeatedHeader = 'repeated'

/**
 * Request header: the `uid` of the account that asks, percent-encoded, as those of imported accounts may have any characters. With a
 * session of another one, as another tab may have begun, the request is refused as without a session.
 */
export const accountHeader = 'account'

/** Response header of `GET books`: the identity of the database. Revisions of different epochs can't be compared. */
export const epochHeader = 'epoch'

/** Response header of `GET books`: the number of documents, for progress messages. */
export const countHeader = 'count'

/** Response header of `GET books`, from 90 on: how much of its maximum size the register has, in percent. */
export const usedHeader = 'register-used'

/** Response of `GET books`. Documents are in order of creation. */
export const bookListSchema = objectOf({
  revision: countSchema,
  documents: arrayOf(employeeSchema),
})

export interface BookList extends XStatic<typeof bookListSchema> {}

const placedDocument = {
  document: employeeSchema,
  /** Id of the preceding document; null at the start of the list. Used only if the list has no document with this id. */
  after: { type: ['string', 'null'] },
} as const

/** Body of 409 `conflict`: the document as it is, with its revision in `revisionHeader`. The update changed nothing. */
export const conflictSchema = objectOf({ code: textSchema, message: textSchema, ...placedDocument })

export interface Conflict extends XStatic<typeof conflictSchema> {}

const savedProperties = { type: { const: 'saved' }, ...placedDocument } as const
const removedProperties = { type: { const: 'removed' }, id: textSchema } as const

/** `saved` is an add, an update or a restore: the document takes the place of the one with its id, and stands after `after`. */
const changeSchema = {
  anyOf: [
    { type: 'object', required: ['type', 'document', 'after'], properties: savedProperties },
    { type: 'object', required: ['type', 'id'], properties: removedProperties },
  ],
} as const

export type Change = XStatic<typeof changeSchema>

/**
 * Data of a `change` event: the change and its revision. The revision is repeated here because not every event has an id.
 * When missed changes are sent on reconnect, only the last one has an id. A client that is disconnected before that one
 * resumes from its previous position and receives all of them again.
 */
export const changeEventSchema = {
  ...changeSchema,
  type: 'object',
  required: ['revision'],
  properties: { revision: countSchema },
} as const

export type ChangeEvent = XStatic<typeof changeEventSchema>

/** Event names of the stream `GET changes`. `stale`: the missed changes are not available, read the list again. */
export const changeEvents = { change: 'change', stale: 'stale' } as const

/** The part of the address of /form that opens the dialog for changing the password. */
export const changePasswordHash = '#change-password'
