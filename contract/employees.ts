import type { XStatic } from 'typebox/schema'

/** The product's only collection (specification, section 3). */
export const collection = 'books'

/** Maximum length of a field in UTF-16 code units, the unit of `maxlength` and `String.length`. */
export const maxFieldLength = 10_000

/** A record id: 1 to 64 characters of base64url. */
export const idPattern = '^[A-Za-z0-9_-]{1,64}$'

/**
 * What `<input type="email">` accepts, so that page, server and import agree.
 * @see https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

/** `format: 'well-formed'` is ours: text without lone surrogates, which UTF-8 cannot represent. */
const fieldSchema = {
  type: 'string',
  minLength: 1,
  maxLength: maxFieldLength,
  format: 'well-formed',
} as const

/** In the specification's order. */
export const fieldNames = ['eName', 'email', 'password'] as const

/** What a user enters about an employee. The field names come from the specification. */
export const employeeFieldsSchema = {
  type: 'object',
  additionalProperties: false,
  required: fieldNames,
  properties: {
    eName: fieldSchema,
    email: { ...fieldSchema, pattern: emailPattern },
    password: fieldSchema,
  },
} as const

export interface EmployeeFields extends XStatic<typeof employeeFieldsSchema> {}

const storedFieldSchema = { type: 'string', maxLength: maxFieldLength } as const
const storedFields = {
  eName: storedFieldSchema,
  email: storedFieldSchema,
  password: storedFieldSchema,
} as const

/** A record as it is stored. It may predate the rules of `employeeFieldsSchema`, so its fields are checked less strictly. */
export const employeeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'eName', 'email', 'password'],
  properties: {
    id: { type: 'string', pattern: idPattern },
    ...storedFields,
  },
} as const

export interface Employee extends XStatic<typeof employeeSchema> {}

/** Body of an update. `seen`: the record as its author saw it; then the update is merged (`mergeFields`). */
export const employeeUpdateSchema = {
  ...employeeFieldsSchema,
  properties: {
    ...employeeFieldsSchema.properties,
    seen: { type: 'object', additionalProperties: false, required: fieldNames, properties: storedFields },
  },
} as const

/** Returns the three fields without the id. */
export function pickFields({ eName, email, password }: EmployeeFields): EmployeeFields {
  return { eName, email, password }
}

export function hasSameFields(a: EmployeeFields, b: EmployeeFields): boolean {
  return a.eName === b.eName && a.email === b.email && a.password === b.password
}

const emailRegExp = new RegExp(emailPattern)

export function isEmail(text: string): boolean {
  return emailRegExp.test(text)
}

/**
 * Returns the first field that `employeeFieldsSchema` rejects, or null. For code without a JSON Schema validator, such as the
 * page; the server validates requests with the schema itself. `server/http/validation.test.ts` verifies that both agree.
 */
export function findInvalidField(fields: EmployeeFields): keyof EmployeeFields | null {
  const isInvalid = (name: keyof EmployeeFields) =>
    !isFieldText(fields[name]) || (name === 'email' && !isEmail(fields.email))
  return fieldNames.find(isInvalid) ?? null
}

function isFieldText(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= maxFieldLength && value.isWellFormed()
  )
}
