import type { XStatic } from 'typebox/schema'
import { employeeSchema, storedFields } from './employees.ts'
import { arrayOf, countSchema, objectOf, textSchema, timestampSchema } from './json-schema.ts'

export const maxDetailIds = 100

/**
 * When a record and its password were last changed. `changedBy` is an email; it is missing if the operator made the change.
 * What happened before an upgrade was not recorded and is missing. `handedOverAt`, `openedAt`: of the latest link to the present
 * password; only where records are named by their ids.
 */
export const recordDetailsSchema = objectOf(
  { id: textSchema },
  {
    changedAt: timestampSchema,
    changedBy: textSchema,
    passwordChangedAt: timestampSchema,
    handedOverAt: timestampSchema,
    openedAt: timestampSchema,
  },
)

export interface RecordDetails extends XStatic<typeof recordDetailsSchema> {}

export const maxRecordEvents = 100

/**
 * What was done to a record. `by` is an email; without it, the operator did it, or, if a hand-over was opened, whoever had the
 * link. `count`: how many records at once. An `export` of many may not have included the record.
 */
export const recordEventSchema = objectOf(
  {
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
  },
  { by: textSchema, count: countSchema },
)

export interface RecordEvent extends XStatic<typeof recordEventSchema> {}

/** A deleted record that can be restored. Without `deletedBy`, an email, the operator has deleted it. */
const deletedEmployeeSchema = objectOf(
  { id: employeeSchema.properties.id, ...storedFields.required, deletedAt: timestampSchema },
  { ...storedFields.optional, deletedBy: textSchema },
)

export interface DeletedEmployee extends XStatic<typeof deletedEmployeeSchema> {}

/** A password that a record had until `replacedAt`, without its text. `replacedBy` is an email; without it, the operator replaced it. */
export const previousPasswordSchema = objectOf(
  { key: textSchema, replacedAt: timestampSchema },
  { replacedBy: textSchema },
)

export interface PreviousPassword extends XStatic<typeof previousPasswordSchema> {}

/** Fewer records than these are restored one by one. */
export const minDeletion = 10

const deletionTimes = { since: timestampSchema, until: timestampSchema }
const deletionAuthor = { by: { type: 'string', maxLength: 1000, pattern: '^[^\\0]*$' } } as const

/** Records that somebody, or without `by` the operator, has deleted one soon after the other, from `since` to `until`. */
export const deletionSchema = objectOf(deletionTimes, deletionAuthor)

export interface Deletion extends XStatic<typeof deletionSchema> {}

/**
 * The latest deleted records, newest first; `total` may be more. They are kept for `keptDays`; 0: none is kept. `deletions`:
 * the latest of at least `minDeletion` records.
 */
export const deletedListSchema = objectOf({
  deletions: arrayOf(
    objectOf({ ...deletionTimes, count: { type: 'integer', minimum: minDeletion } }, deletionAuthor),
  ),
  documents: arrayOf(deletedEmployeeSchema),
  total: countSchema,
  keptDays: countSchema,
})

export interface DeletedList extends XStatic<typeof deletedListSchema> {}

/**
 * The records whose password has not changed since an account could last read them, in order of creation. `canSignIn`: the
 * account exists, so it can still read all.
 */
export const exposedRecordsSchema = objectOf({
  ids: arrayOf(textSchema),
  canSignIn: { type: 'boolean' },
})

export interface ExposedRecords extends XStatic<typeof exposedRecordsSchema> {}

export const maxReportedIds = 100

/** What only the page knows; `export` is without passwords. `ids`: the records; or, where they are many, only their number as `count`. */
export const activityReportSchema = objectOf(
  { kind: { enum: ['export', 'export-passwords', 'reveal', 'copy', 'emergency'] } },
  {
    ids: { type: 'array', minItems: 1, maxItems: maxReportedIds, items: employeeSchema.properties.id },
    count: { type: 'integer', minimum: 0, maximum: 10_000_000 },
  },
)

export interface ActivityReport extends XStatic<typeof activityReportSchema> {}
