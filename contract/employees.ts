import { objectOf } from './json-schema.ts'

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

interface FieldRules {
  /** The label in the form, and the header in the table and in a spreadsheet. */
  label: string
  isEmail?: boolean
  /** Masked on the page, left out of search, and tracked by the history: who could read it, when it last changed. */
  isSecret?: boolean
}

/**
 * The fields of a record, in the specification's order. Whatever validates, stores, sends or displays a record iterates this
 * list. CONTRIBUTING.md says how to add a field.
 */
export const fieldNames = ['eName', 'email', 'password'] as const

export type FieldName = (typeof fieldNames)[number]

export const fieldRules: Record<FieldName, FieldRules> = {
  eName: { label: 'Employee Name' },
  email: { label: 'Email', isEmail: true },
  password: { label: 'Password', isSecret: true },
}

export const secretFieldNames = fieldNames.filter((name) => fieldRules[name].isSecret)

/** Returns an object with the result of `convert` for each field, in the order of `fieldNames`. */
export function mapFields<T>(convert: (name: FieldName) => T): Record<FieldName, T> {
  const result: Partial<Record<FieldName, T>> = {}
  for (const name of fieldNames) result[name] = convert(name)
  return result as Record<FieldName, T>
}

/** What a user enters about an employee. */
export const employeeFieldsSchema = objectOf(
  mapFields((name) => (fieldRules[name].isEmail ? { ...fieldSchema, pattern: emailPattern } : fieldSchema)),
)

export type EmployeeFields = Record<FieldName, string>

const storedFieldsSchema = objectOf(mapFields(() => ({ type: 'string', maxLength: maxFieldLength }) as const))

/** A record as it is stored. It may predate the rules of `employeeFieldsSchema`, so its fields are checked less strictly. */
export const employeeSchema = objectOf({
  id: { type: 'string', pattern: idPattern },
  ...storedFieldsSchema.properties,
})

export const secretFieldsSchema = objectOf(
  {},
  Object.fromEntries(secretFieldNames.map((name) => [name, storedFieldsSchema.properties[name]])),
)

export type SecretFields = Partial<EmployeeFields>

export interface Employee extends EmployeeFields {
  id: string
}

/** Body of an update. `seen`: the record as its author saw it; then the update is merged (`mergeFields`). */
export const employeeUpdateSchema = objectOf(employeeFieldsSchema.properties, { seen: storedFieldsSchema })

/** Returns the fields without the id or whatever else `record` has. */
export const pickFields = (record: EmployeeFields): EmployeeFields => mapFields((name) => record[name])

export const hasSameFields = (a: EmployeeFields, b: EmployeeFields): boolean =>
  fieldNames.every((name) => a[name] === b[name])

/**
 * Merges an edit with the `current` record, field by field. `seen`: the record as the editor saw it; `fields`: as the editor
 * wants it. A field that the editor has not changed keeps its current value. A field that already has the wanted value is no
 * conflict, so an update can be repeated. `conflicts`: the fields that both have changed differently; they keep the current value.
 */
export function mergeFields(current: EmployeeFields, seen: EmployeeFields, fields: EmployeeFields) {
  const isConflict = (name: FieldName) =>
    fields[name] !== seen[name] && current[name] !== seen[name] && fields[name] !== current[name]
  const merge = (name: FieldName) =>
    fields[name] === seen[name] || isConflict(name) ? current[name] : fields[name]
  return { fields: mapFields(merge), conflicts: fieldNames.filter(isConflict) }
}

export const emptyFields: Readonly<EmployeeFields> = mapFields(() => '')

/** Returns the length of all fields in UTF-16 code units, for limits on memory. */
export function countCharacters(fields: EmployeeFields): number {
  let count = 0
  for (const name of fieldNames) count += fields[name].length
  return count
}

const emailRegExp = new RegExp(emailPattern)

export const isEmail = (text: string) => emailRegExp.test(text)

/** White space, also of no width, as it comes with text from the web. */
const outerSpace = /^[\s\u200b-\u200d\u2060]+|(?<![\s\u200b-\u200d\u2060])[\s\u200b-\u200d\u2060]+$/g

export const trimSpace = (text: string) => text.replace(outerSpace, '')

declare const URL: { new (url: string): { hostname: string }; canParse(url: string): boolean }

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes the control characters
const nonAscii = /[^\x00-\x7f]/

/**
 * Writes a domain beyond ASCII as mail servers compare it (`xn--…`, RFC 5891) and as Chrome's email fields do. Returns other text
 * unchanged.
 */
export function toAsciiEmail(text: string): string {
  if (!nonAscii.test(text)) return text
  const [, localPart, domain] = /^(.+@)([\p{L}\p{M}\p{N}.-]+)$/u.exec(text) ?? []
  const url = domain && `http://${domain}`
  return url && URL.canParse(url) ? localPart + new URL(url).hostname : text
}

/** Returns an email as it is stored and compared, but for upper case. */
export const cleanEmail = (text: string) => toAsciiEmail(trimSpace(text))

/** The email in what is typed or pasted into a field; the text itself if there is none, or if it is what is being typed. */
export function takeEmail(text: string): string {
  const { email } = parseEmail(text)
  return isEmail(email) && email !== toAsciiEmail(text) ? email : text
}

/**
 * Takes an email as it comes from other programs: with spaces of the web around it, as `mailto:ada@example.com`, or as
 * `Ada <ada@example.com>`, which also gives a name. The domain becomes ASCII. Other text is only trimmed.
 */
export function parseEmail(text: string): { email: string; name: string } {
  const trimmed = trimSpace(text)
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(trimmed) ?? []
  const email = cleanEmail((inBrackets ?? trimmed).replace(/^\s*mailto:/i, ''))
  if (!isEmail(email)) return { email: trimmed, name: '' }
  return { email, name: trimSpace(name).replace(/^"(.*)"$/, '$1') }
}

/**
 * Returns the first field that `employeeFieldsSchema` rejects, or null. For code without a JSON Schema validator, such as the
 * page; the server validates requests with the schema itself. `server/http/validation.test.ts` verifies that both agree.
 */
export function findInvalidField(fields: EmployeeFields): FieldName | null {
  const isInvalid = (name: FieldName) =>
    !isFieldText(fields[name]) || (fieldRules[name].isEmail === true && !isEmail(fields[name]))
  return fieldNames.find(isInvalid) ?? null
}

function isFieldText(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= maxFieldLength && value.isWellFormed()
  )
}
