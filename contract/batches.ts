import {
  type Employee,
  type EmployeeFields,
  employeeFieldsSchema,
  hasSameFields,
  maxFieldLength,
} from './employees.ts'
import { idPattern } from './protocol.ts'

/** Many changes that are one intention: an import, or what takes it back. */
export interface Batch {
  add: EmployeeFields[]
  /** Each is written only where the record still is as it was seen. */
  update: { seen: Employee; fields: EmployeeFields }[]
  /** Each is removed only where the record still is as it stands here. */
  remove: Employee[]
}

export interface BatchResult {
  /** The ids of the added records, in the order of `add`. */
  ids: string[]
  /** The ids of the records that someone else has changed or removed meanwhile, and that were left as they are. */
  kept: string[]
}

/** Changes in one batch. */
export const maxBatchSize = 100_000

/** A batch as JSON, in bytes. */
export const maxBatchBytes = 64 * 1024 * 1024

export function countChanges({ add, update, remove }: Batch): number {
  return add.length + update.length + remove.length
}

/**
 * What becomes of a change to a record that was seen: written, done already, or kept from it because someone else has
 * changed the record since. `present` is undefined where the record is gone, `fields` is null where it is to go.
 */
export function decideOutcome(
  current: EmployeeFields | undefined,
  seen: EmployeeFields,
  fields: EmployeeFields | null,
): 'done' | 'write' | 'conflict' {
  const isDone = fields ? current && hasSameFields(current, fields) : !current
  if (isDone) return 'done'
  return current && hasSameFields(current, seen) ? 'write' : 'conflict'
}

const textSchema = { type: 'string', maxLength: maxFieldLength } as const
const employeeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'eName', 'email', 'password'],
  properties: {
    id: { type: 'string', pattern: idPattern },
    eName: textSchema,
    email: textSchema,
    password: textSchema,
  },
} as const
const arrayOf = <T>(items: T) => ({ type: 'array', items }) as const

/**
 * JSON schema of `Batch`, but for its size, which has a code of its own. Records that were seen may be older than today's
 * rules, so only their shape is checked.
 */
export const batchSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['add', 'update', 'remove'],
  properties: {
    add: arrayOf(employeeFieldsSchema),
    update: arrayOf({
      type: 'object',
      additionalProperties: false,
      required: ['seen', 'fields'],
      properties: { seen: employeeSchema, fields: employeeFieldsSchema },
    }),
    remove: arrayOf(employeeSchema),
  },
} as const
