import type { XStatic } from 'typebox/schema'
import { timestampSchema } from './accounts.ts'
import { employeeSchema, employeeUpdateSchema, fieldNames, maxFieldLength } from './employees.ts'

/** Base64url of all fields as encrypted JSON, in which a character has up to 6 bytes. */
export const maxSealedLength = Math.ceil((4 / 3) * (fieldNames.length * 6 * maxFieldLength + 1000))

/** A link that shows a record's fields once. `sealed`: the fields `seen`, encrypted with a key that only the link has. */
export const newHandoverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['record', 'seen', 'sealed'],
  properties: {
    record: employeeSchema.properties.id,
    seen: employeeUpdateSchema.properties.seen,
    sealed: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: maxSealedLength },
  },
} as const

export interface NewHandover extends XStatic<typeof newHandoverSchema> {}

/** A link that nobody has opened. `id` grants no access. `record` is the id of its record, `by` the email of its maker. */
export const handoverInfoSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'record', 'by', 'createdAt', 'expiresAt'],
  properties: {
    id: { type: 'string' },
    record: { type: 'string' },
    by: { type: 'string' },
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
  },
} as const

export interface HandoverInfo extends XStatic<typeof handoverInfoSchema> {}

/** What the link shows once. `by`: the email of who has made it. */
export const takenHandoverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['sealed', 'by'],
  properties: { sealed: { type: 'string' }, by: { type: 'string' } },
} as const

export interface TakenHandover extends XStatic<typeof takenHandoverSchema> {}
