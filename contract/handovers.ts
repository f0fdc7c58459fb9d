import type { XStatic } from 'typebox/schema'
import { employeeSchema, employeeUpdateSchema, fieldNames, maxFieldLength } from './employees.ts'
import { objectOf, textSchema, timestampSchema } from './json-schema.ts'

/** Base64url of all fields as encrypted JSON, in which a character has up to 6 bytes. */
export const maxSealedLength = Math.ceil((4 / 3) * (fieldNames.length * 6 * maxFieldLength + 1000))

/** A link that shows a record's fields once. `sealed`: the fields `seen`, encrypted with a key that only the link has. */
export const newHandoverSchema = objectOf({
  record: employeeSchema.properties.id,
  seen: employeeUpdateSchema.properties.seen,
  sealed: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: maxSealedLength },
})

export interface NewHandover extends XStatic<typeof newHandoverSchema> {}

/** A link that nobody has opened. `id` grants no access. `record` is the id of its record, `by` the email of its maker. */
export const handoverInfoSchema = objectOf({
  id: textSchema,
  record: textSchema,
  by: textSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
})

export interface HandoverInfo extends XStatic<typeof handoverInfoSchema> {}

/** What the link shows once. `by`: the email of who has made it. */
export const takenHandoverSchema = objectOf({ sealed: textSchema, by: textSchema })

export interface TakenHandover extends XStatic<typeof takenHandoverSchema> {}
