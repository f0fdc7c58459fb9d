import type { XStatic } from 'typebox/schema'
import { employeeSchema, employeeUpdateSchema, fieldNames, maxFieldLength } from './employees.ts'
import { arrayOf, countSchema, objectOf, textSchema, timestampSchema } from './json-schema.ts'
import { handoverHours } from './links.ts'

/** Base64url of all fields as encrypted JSON, in which a character has up to 6 bytes. */
export const maxSealedLength = Math.ceil((4 / 3) * (fieldNames.length * 6 * maxFieldLength + 1000))

/**
 * A link that shows a record's fields once. `sealed`: the fields `seen`, encrypted with a key that only the link has. `hours`: how long
 * it can be opened; seven days without it.
 */
export const newHandoverSchema = objectOf(
  {
    record: employeeSchema.properties.id,
    seen: employeeUpdateSchema.properties.seen,
    sealed: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: maxSealedLength },
  },
  { hours: { enum: handoverHours } },
)

export interface NewHandover extends XStatic<typeof newHandoverSchema> {}

export const maxSheetLength = 500

export const newSheetSchema = objectOf({
  handovers: { ...arrayOf(newHandoverSchema), minItems: 1, maxItems: maxSheetLength },
})

/** `tokens` are in the order of the records; null for a record that is gone, or no longer as `seen`. */
export const createdSheetSchema = objectOf({
  id: textSchema,
  expiresAt: timestampSchema,
  tokens: arrayOf({ type: ['string', 'null'] }),
})

export interface CreatedSheet extends XStatic<typeof createdSheetSchema> {}

/** `id` grants no access. `by`: the email of the maker. */
const linkInfo = { id: textSchema, by: textSchema, createdAt: timestampSchema, expiresAt: timestampSchema }

/** A sheet with open links. `open`: the number of its links that nobody has opened; `opened`: of those that were. */
export const sheetInfoSchema = objectOf({ ...linkInfo, open: countSchema, opened: countSchema })

export interface SheetInfo extends XStatic<typeof sheetInfoSchema> {}

/** A link that nobody has opened. `record` is the id of its record, `sheet` that of its sheet. */
export const handoverInfoSchema = objectOf({ ...linkInfo, record: textSchema }, { sheet: textSchema })

export interface HandoverInfo extends XStatic<typeof handoverInfoSchema> {}

/** What the link shows once. `by`: the email of who has made it; `isLookAlike`: that of another account looks the same. */
export const takenHandoverSchema = objectOf(
  { sealed: textSchema, by: textSchema },
  { isLookAlike: { const: true } },
)

export interface TakenHandover extends XStatic<typeof takenHandoverSchema> {}
