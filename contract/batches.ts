import type { XStatic } from 'typebox/schema'
import {
  type EmployeeFields,
  employeeFieldsSchema,
  employeeSchema,
  type FieldName,
  fieldNames,
  fieldOf,
  includesFields,
} from './employees.ts'
import { arrayOf, objectOf, textSchema } from './json-schema.ts'

/** Maximum number of changes in one batch. It has an error code of its own, so the schema does not check it. */
export const maxBatchSize = 100_000

/** Maximum size of a batch as JSON, in bytes. */
export const maxBatchBytes = 64 * 1024 * 1024

/**
 * Many changes that are one action: an import, or its undo. An update is applied only if the record still equals `seen`, a
 * removal only if the record still equals the one given here.
 */
export const batchSchema = objectOf({
  add: arrayOf(employeeFieldsSchema),
  update: arrayOf(objectOf({ seen: employeeSchema, fields: employeeFieldsSchema })),
  remove: arrayOf(employeeSchema),
})

export interface Batch extends XStatic<typeof batchSchema> {}

/**
 * `ids`: the added records, in the order of `add`. `kept`: records that the batch left unchanged because someone else had
 * changed or removed them.
 */
export const batchResultSchema = objectOf({
  ids: arrayOf(textSchema),
  kept: arrayOf(textSchema),
})

export interface BatchResult extends XStatic<typeof batchResultSchema> {}

export function countChanges({ add, update, remove }: Batch): number {
  return add.length + update.length + remove.length
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

/** A field that neither `seen` nor `fields` names may have changed. */
function isAsSeen(current: EmployeeFields, seen: EmployeeFields, fields: EmployeeFields | null): boolean {
  const isUnknown = (name: FieldName) => seen[name] === undefined && fields?.[name] === undefined
  return fieldNames.every((name) => isUnknown(name) || fieldOf(current, name) === fieldOf(seen, name))
}
