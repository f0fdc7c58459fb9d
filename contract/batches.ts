import type { XStatic } from 'typebox/schema'
import {
  type EmployeeFields,
  employeeFieldsSchema,
  employeeSchema,
  enteredEmployeeSchema,
  type FieldName,
  fieldNames,
  fieldOf,
  hasSameFields,
  includesFields,
  mergeRestored,
} from './employees.ts'
import { arrayOf, objectOf, textSchema } from './json-schema.ts'

/** Maximum number of changes in one batch. It has an error code of its own, so the schema does not check it. */
export const maxBatchSize = 100_000

/** Maximum size of a batch as JSON, in bytes. */
export const maxBatchBytes = 64 * 1024 * 1024

/** Names the lists of a batch in the order in which they are executed. */
export const batchLists = ['add', 'update', 'remove', 'restore'] as const

/**
 * Many changes that are one action: an import, a deletion, or the undo of one. An update is applied only if the record still
 * equals `seen`, a removal only if the record still equals the one given here, and a restore only if the record is removed: it gets
 * the fields that were stored last, or, if they are not kept, those given here.
 */
export const batchSchema = objectOf(
  {
    add: arrayOf(employeeFieldsSchema),
    update: arrayOf(objectOf({ seen: employeeSchema, fields: employeeFieldsSchema })),
    remove: arrayOf(employeeSchema),
  },
  { restore: arrayOf(enteredEmployeeSchema) },
)

export interface Batch extends XStatic<typeof batchSchema> {}

/** A restored record, and the one before it in the list. `document`: the record, if it has other fields than the request. */
export const restoredSchema = objectOf(
  {
    id: textSchema,
    after: { type: ['string', 'null'], description: 'Id of the record before it.' },
  },
  { document: employeeSchema },
)

export interface Restored extends XStatic<typeof restoredSchema> {}

/**
 * `ids`: the added records, in the order of `add`. `kept`: records that the batch left unchanged because someone else had
 * changed or removed them. `restored`, of a batch that restores: the records of `restore` that exist now, in the order of the
 * list, each with the one before it. Those that are neither kept nor restored are unknown to the service.
 */
export const batchResultSchema = objectOf(
  { ids: arrayOf(textSchema), kept: arrayOf(textSchema) },
  { restored: arrayOf(restoredSchema) },
)

export interface BatchResult extends XStatic<typeof batchResultSchema> {}

export function countChanges(batch: Batch): number {
  return batchLists.reduce((count, name) => count + (batch[name]?.length ?? 0), 0)
}

/**
 * Decides what a batch does to one record: write the change, skip it because it is already done, or skip it because of a
 * conflict. `current` is undefined if the record does not exist; `fields` is null for a removal.
 */
export function decideOutcome(
  current: EmployeeFields | undefined,
  seen: EmployeeFields,
  fields: EmployeeFields | null,
): 'done' | 'write' | 'conflict' {
  const isDone = fields ? current && includesFields(current, fields) : !current
  if (isDone) return 'done'
  return current && isAsSeen(current, seen, fields) ? 'write' : 'conflict'
}

export interface RestoredState {
  /** The fields that the record has, or had last, if they are known. */
  last: EmployeeFields | undefined
  isRemoved: boolean
}

interface RestoreDecision {
  outcome: ReturnType<typeof decideOutcome>
  fields: EmployeeFields
  /** The same, if they are other fields than those that were requested. */
  other: EmployeeFields | undefined
}

/** Decides the same for a record that is to be restored, and with which fields. `seen`: as in `mergeRestored`. */
export function decideRestore(
  { last, isRemoved }: RestoredState,
  requested: EmployeeFields,
  seen?: EmployeeFields,
): RestoreDecision {
  const fields = mergeRestored(last, requested, seen)
  const other = hasSameFields(fields, requested) ? undefined : fields
  const isDone = last && hasSameFields(last, fields)
  return { outcome: isRemoved ? 'write' : isDone ? 'done' : 'conflict', fields, other }
}

/** Describes a restored record to a client, with the fields that are other ones than those that it has requested. */
export const describeRestored = (
  id: string,
  after: string | null,
  other: EmployeeFields | undefined,
): Restored => ({ id, after, ...(other && { document: { id, ...other } }) })

/** Decides it for a record of a batch. What others have restored, and changed, is a conflict. */
export const decideBatchRestore = (state: RestoredState, requested: EmployeeFields) =>
  decideRestore(state, requested, state.isRemoved ? requested : undefined)

/** A field that neither `seen` nor `fields` names may have changed. */
function isAsSeen(current: EmployeeFields, seen: EmployeeFields, fields: EmployeeFields | null): boolean {
  const isUnknown = (name: FieldName) => seen[name] === undefined && fields?.[name] === undefined
  return fieldNames.every((name) => isUnknown(name) || fieldOf(current, name) === fieldOf(seen, name))
}
