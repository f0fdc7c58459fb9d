import type { XStatic } from 'typebox/schema'
import { timestampSchema } from './accounts.ts'
import { employeeSchema } from './employees.ts'

/** Maximum number of records whose details one request can name. */
export const maxDetailIds = 100

/**
 * When a record and its password were last changed. `changedBy` is an email; it is missing if the operator made the change.
 * What happened before an upgrade was not recorded and is missing. `handedOverAt`, `openedAt`: of the latest link to the present
 * password; only where records are named by their ids.
 */
export const recordDetailsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    changedAt: timestampSchema,
    changedBy: { type: 'string' },
    passwordChangedAt: timestampSchema,
    handedOverAt: timestampSchema,
    openedAt: timestampSchema,
  },
} as const

export interface RecordDetails extends XStatic<typeof recordDetailsSchema> {}

/** Maximum number of entries in the history of a record. */
export const maxRecordEvents = 100

/**
 * What was done to a record. `by` is an email; without it, the operator did it, or, if a hand-over was opened, whoever had the
 * link. `count`: how many records at once. An `export` of many may not have included the record.
 */
export const recordEventSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['at', 'kind'],
  properties: {
    at: timestampSchema,
    kind: {
      enum: [
        'add',
        'change',
        'delete',
        'restore',
        'reveal',
        'copy',
        'export',
        'hand-over',
        'revoke-hand-over',
        'open-hand-over',
      ],
    },
    by: { type: 'string' },
    count: { type: 'integer', minimum: 0 },
  },
} as const

export interface RecordEvent extends XStatic<typeof recordEventSchema> {}

/** A deleted record that can be restored. Without `deletedBy`, an email, the operator has deleted it. */
export const deletedEmployeeSchema = {
  ...employeeSchema,
  required: [...employeeSchema.required, 'deletedAt'],
  properties: {
    ...employeeSchema.properties,
    deletedAt: timestampSchema,
    deletedBy: { type: 'string' },
  },
} as const

export interface DeletedEmployee extends XStatic<typeof deletedEmployeeSchema> {}

/** A password that a record had until `replacedAt`, without its text. `replacedBy` is an email; without it, the operator replaced it. */
export const previousPasswordSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['key', 'replacedAt'],
  properties: {
    key: { type: 'string' },
    replacedAt: timestampSchema,
    replacedBy: { type: 'string' },
  },
} as const

export interface PreviousPassword extends XStatic<typeof previousPasswordSchema> {}

/** Fewer records than these are restored one by one. */
export const minDeletion = 10

/** Records that somebody, or without `by` the operator, has deleted one soon after the other, from `since` to `until`. */
export const deletionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['since', 'until'],
  properties: {
    since: timestampSchema,
    until: timestampSchema,
    by: { type: 'string', maxLength: 1000, pattern: '^[^\\0]*$' },
  },
} as const

export interface Deletion extends XStatic<typeof deletionSchema> {}

/**
 * The latest deleted records, newest first; `total` may be more. They are kept for `keptDays`; 0: none is kept. `deletions`:
 * the latest of at least `minDeletion` records.
 */
export const deletedListSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['documents', 'total', 'keptDays', 'deletions'],
  properties: {
    deletions: {
      type: 'array',
      items: {
        ...deletionSchema,
        required: [...deletionSchema.required, 'count'],
        properties: { ...deletionSchema.properties, count: { type: 'integer', minimum: minDeletion } },
      },
    },
    documents: { type: 'array', items: deletedEmployeeSchema },
    total: { type: 'integer', minimum: 0 },
    keptDays: { type: 'integer', minimum: 0 },
  },
} as const

export interface DeletedList extends XStatic<typeof deletedListSchema> {}

/**
 * The records whose password has not changed since an account could last read them, in order of creation. `canSignIn`: the
 * account exists, so it can still read all.
 */
export const exposedRecordsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['ids', 'canSignIn'],
  properties: { ids: { type: 'array', items: { type: 'string' } }, canSignIn: { type: 'boolean' } },
} as const

export interface ExposedRecords extends XStatic<typeof exposedRecordsSchema> {}

/** Maximum number of records in one report. */
export const maxReportedIds = 100

/** What only the page knows. `ids`: the records; or, where they are many, only their number as `count`. */
export const activityReportSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { enum: ['export', 'reveal', 'copy'] },
    ids: { type: 'array', minItems: 1, maxItems: maxReportedIds, items: employeeSchema.properties.id },
    count: { type: 'integer', minimum: 0, maximum: 10_000_000 },
  },
} as const

export interface ActivityReport extends XStatic<typeof activityReportSchema> {}
