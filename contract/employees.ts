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

const text = { type: 'string', minLength: 1, maxLength: maxFieldLength } as const

/** JSON schema of `EmployeeFields`: the three fields, all of them, and nothing else. */
export const employeeFieldsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['eName', 'email', 'password'],
  properties: {
    eName: text,
    email: { ...text, pattern: emailPattern },
    password: text,
  },
} as const

/** The three fields of an employee without its id, in the specification's order. */
export function fieldsOf({ eName, email, password }: EmployeeFields): EmployeeFields {
  return { eName, email, password }
}

export function sameFields(a: EmployeeFields, b: EmployeeFields): boolean {
  return a.eName === b.eName && a.email === b.email && a.password === b.password
}

const emailExpression = new RegExp(emailPattern)

export function isEmail(text: string): boolean {
  return emailExpression.test(text)
}

/** The first field that is not as `employeeFieldsSchema` says or holds text that is no Unicode; null: all are well. */
export function wrongField(fields: EmployeeFields): keyof EmployeeFields | null {
  const isText = (value: unknown) =>
    typeof value === 'string' && value.length > 0 && value.length <= maxFieldLength && value.isWellFormed()
  if (!isText(fields.eName)) return 'eName'
  if (!isText(fields.email) || !isEmail(fields.email)) return 'email'
  return isText(fields.password) ? null : 'password'
}
