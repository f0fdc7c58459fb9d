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

/** How many links a sheet may have. */
export const maxSheetLength = 500

/** Links to several records, made together. */
export const newSheetSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['handovers'],
  properties: {
    handovers: { type: 'array', minItems: 1, maxItems: maxSheetLength, items: newHandoverSchema },
  },
} as const

/** `tokens` are in the order of the records; null for a record that is gone, or no longer as `seen`. */
export const createdSheetSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'expiresAt', 'tokens'],
  properties: {
    id: { type: 'string' },
    expiresAt: timestampSchema,
    tokens: { type: 'array', items: { type: ['string', 'null'] } },
  },
} as const

export interface CreatedSheet extends XStatic<typeof createdSheetSchema> {}

/** A sheet with open links. `by`: the email of its maker. */
export const sheetInfoSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'by', 'createdAt', 'expiresAt', 'open', 'opened'],
  properties: {
    id: { type: 'string' },
    by: { type: 'string' },
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
    /** The number of its links that nobody has opened, and of those that were opened. */
    open: { type: 'integer' },
    opened: { type: 'integer' },
  },
} as const

export interface SheetInfo extends XStatic<typeof sheetInfoSchema> {}

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
    /** The id of its sheet. */
    sheet: { type: 'string' },
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
