/** The product's only collection (specification, point 3). */
export const collection = 'books'

/** What a person types about an employee; the names are the specification's. */
export interface EmployeeFields {
  eName: string
  email: string
  password: string
}

export interface Employee extends EmployeeFields {
  id: string
}

/** The longest value of a field, in UTF-16 code units, as `maxlength` and `String.length` count. */
export const maxFieldLength = 10_000

/**
 * What `<input type="email">` accepts, so that page, server and import agree.
 * @see https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

const textSchema = { type: 'string', minLength: 1, maxLength: maxFieldLength } as const

/** JSON schema of `EmployeeFields`: the three fields, all of them, and nothing else. */
export const employeeFieldsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['eName', 'email', 'password'],
  properties: {
    eName: textSchema,
    email: { ...textSchema, pattern: emailPattern },
    password: textSchema,
  },
} as const

/** The three fields of an employee without its id, in the specification's order. */
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

/** The first field that is not as `employeeFieldsSchema` says or holds text that is no Unicode; null: all are well. */
export function findInvalidField(fields: EmployeeFields): keyof EmployeeFields | null {
  const isValidText = (value: unknown) =>
    typeof value === 'string' && value.length > 0 && value.length <= maxFieldLength && value.isWellFormed()
  if (!isValidText(fields.eName)) return 'eName'
  if (!isValidText(fields.email) || !isEmail(fields.email)) return 'email'
  return isValidText(fields.password) ? null : 'password'
}
