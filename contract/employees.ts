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
  maxLength: maxFieldLength,
  format: 'well-formed',
} as const

interface FieldRules {
  /** The label in the form, and the header in the table and in a spreadsheet. */
  label: string
  isEmail?: true
  /** Masked on the page, left out of search, and tracked by the history: who could read it, when it last changed. */
  isSecret?: true
  /** May be empty; then a record lacks it. A request that lacks it leaves it as it is. */
  isOptional?: true
}

const allRules = {
  eName: { label: 'Employee Name' },
  email: { label: 'Email', isEmail: true },
  password: { label: 'Password', isSecret: true },
} as const satisfies Record<string, FieldRules>

export type FieldName = keyof typeof allRules

type OptionalFieldName = {
  [Name in FieldName]: (typeof allRules)[Name] extends { isOptional: true } ? Name : never
}[FieldName]
type RequiredFieldName = Exclude<FieldName, OptionalFieldName>

export const fieldRules: Record<FieldName, FieldRules> = allRules

/**
 * The fields of a record, in the specification's order. Whatever validates, stores, sends or displays a record iterates this
 * list. CONTRIBUTING.md says how to add a field.
 */
export const fieldNames = Object.keys(allRules) as FieldName[]

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(fieldRules, name)

const isRequired = (name: FieldName): name is RequiredFieldName => !fieldRules[name].isOptional
const isOptional = (name: FieldName): name is OptionalFieldName => !isRequired(name)

export const optionalFieldNames: FieldName[] = fieldNames.filter(isOptional)

export const secretFieldNames = fieldNames.filter((name) => fieldRules[name].isSecret)

/** Returns an object with the result of `convert` for each of these fields, in their order. */
function mapNames<Name extends FieldName, T>(names: Name[], convert: (name: Name) => T): Record<Name, T> {
  const result: Partial<Record<Name, T>> = {}
  for (const name of names) result[name] = convert(name)
  return result as Record<Name, T>
}

/** The same for all fields, in the order of `fieldNames`. */
export const mapFields = <T>(convert: (name: FieldName) => T): Record<FieldName, T> =>
  mapNames(fieldNames, convert)

/** Returns the properties of a schema, for `objectOf`. */
const toProperties = <Schema extends object>(toSchema: (name: FieldName) => Schema) => ({
  required: mapNames(fieldNames.filter(isRequired), toSchema),
  optional: mapNames(fieldNames.filter(isOptional), toSchema),
})

const enteredFields = toProperties((name) => {
  const { isEmail, isOptional } = fieldRules[name]
  const pattern = isEmail && { pattern: isOptional ? `^$|${emailPattern}` : emailPattern }
  return { ...fieldSchema, minLength: isOptional ? 0 : 1, ...pattern }
})

/** What a user enters about an employee. */
export const employeeFieldsSchema = objectOf(enteredFields.required, enteredFields.optional)

/**
 * An optional field may be missing. In a record it is empty then; in a request it is unknown to the client, which neither sees
 * nor changes it.
 */
export type EmployeeFields = Record<RequiredFieldName, string> & Partial<Record<OptionalFieldName, string>>

/** A record as it is stored may predate the rules of `employeeFieldsSchema`, so its fields are checked less strictly. */
export const storedFields = toProperties(() => ({ type: 'string', maxLength: maxFieldLength }) as const)

/** A record as it is stored. */
export const employeeSchema = objectOf(
  { id: { type: 'string', pattern: idPattern }, ...storedFields.required },
  storedFields.optional,
)

/** A record with what a user has entered. */
export const enteredEmployeeSchema = objectOf(
  { id: employeeSchema.properties.id, ...enteredFields.required },
  enteredFields.optional,
)

export const secretFieldsSchema = objectOf(
  {},
  mapNames(secretFieldNames, (name) => ({ ...storedFields.required, ...storedFields.optional })[name]),
)

export type SecretFields = Partial<EmployeeFields>

export interface Employee extends EmployeeFields {
  id: string
}

/** Body of an update or a restore. `seen`: the record as its author saw it; then it is merged (`mergeFields`, `mergeRestored`). */
export const employeeUpdateSchema = objectOf(enteredFields.required, {
  ...enteredFields.optional,
  seen: objectOf(storedFields.required, storedFields.optional),
})

/** Returns the field as text: empty if it is missing. */
export const fieldOf = (record: EmployeeFields, name: FieldName): string => record[name] ?? ''

/** Returns these fields as text. */
export const pickNamed = (names: readonly FieldName[], record: EmployeeFields): Partial<EmployeeFields> =>
  Object.fromEntries(names.map((name) => [name, fieldOf(record, name)]))

function filterFields(record: EmployeeFields, isWanted: (text: string | undefined) => boolean) {
  const fields: Partial<EmployeeFields> = {}
  for (const name of fieldNames) {
    if (isRequired(name) || isWanted(record[name])) fields[name] = record[name] as string
  }
  return fields as EmployeeFields
}

/** Returns the fields that a record or a request names, without the id or whatever else it has. */
export const pickFields = (record: EmployeeFields): EmployeeFields =>
  filterFields(record, (text) => text !== undefined)

/** Returns the fields as they are sent to clients: without those that are empty. */
export const withoutEmpty = (record: EmployeeFields): EmployeeFields => filterFields(record, Boolean)

/** Returns all fields of a record, also the empty ones. In a request, it says that the client knows them. */
export const completeFields = (record: EmployeeFields): Record<FieldName, string> =>
  mapFields((name) => fieldOf(record, name))

/**
 * Returns the texts of these fields without empty ones at the end. So what is derived from them stays the same when an optional
 * field is added behind the others.
 */
export function listTexts(record: SecretFields, names: readonly FieldName[] = fieldNames): string[] {
  const texts = names.map((name) => record[name] ?? '')
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

export const hasSameFields = (a: EmployeeFields, b: EmployeeFields): boolean =>
  fieldNames.every((name) => fieldOf(a, name) === fieldOf(b, name))

/** The fields in which two records differ. */
export const changedNames = (before: EmployeeFields, after: EmployeeFields): FieldName[] =>
  fieldNames.filter((name) => fieldOf(before, name) !== fieldOf(after, name))

/** Whether a record has the fields that a request names. */
export const includesFields = (record: EmployeeFields, requested: EmployeeFields): boolean =>
  fieldNames.every((name) => requested[name] === undefined || requested[name] === fieldOf(record, name))

/** Returns the fields that a request names, and of the others those that the record has. */
export const fillFields = (requested: EmployeeFields, record: EmployeeFields | undefined): EmployeeFields =>
  withoutEmpty({ ...record, ...requested })

/** Returns the fields that take a change back, also those that were empty: all that one of the two names. */
export function revertFields(before: EmployeeFields, after: EmployeeFields): EmployeeFields {
  return mapNames(Object.keys(pickFields({ ...after, ...before })) as FieldName[], (name) =>
    fieldOf(before, name),
  )
}

/**
 * Merges an edit with the `current` record, field by field. `seen`: the record as the editor saw it; `fields`: as the editor
 * wants it. A field that the editor has not changed, or does not name, keeps its current value. A field that already has the
 * wanted value is no conflict, so an update can be repeated. `conflicts`: the fields that both have changed differently; they keep
 * the current value.
 */
export function mergeFields(current: EmployeeFields, seen: EmployeeFields, fields: EmployeeFields) {
  const wanted = fillFields(fields, seen)
  const isChanged = (name: FieldName) => fieldOf(wanted, name) !== fieldOf(seen, name)
  const isConflict = (name: FieldName) =>
    isChanged(name) &&
    fieldOf(current, name) !== fieldOf(seen, name) &&
    fieldOf(wanted, name) !== fieldOf(current, name)
  const merge = (name: FieldName) => fieldOf(isChanged(name) && !isConflict(name) ? wanted : current, name)
  return { fields: withoutEmpty(mapFields(merge)), conflicts: fieldNames.filter(isConflict) }
}

/**
 * Merges a record that is restored with what was stored `last`, maybe by others: a field that the author has not changed since
 * `seen`, or does not name, is as it was last. Without `seen`, the author wants all that `fields` names.
 */
export function mergeRestored(
  last: EmployeeFields | undefined,
  fields: EmployeeFields,
  seen: EmployeeFields | undefined,
): EmployeeFields {
  if (!last || !seen) return fillFields(fields, last)
  const { fields: merged, conflicts } = mergeFields(last, seen, fields)
  return withoutEmpty({ ...merged, ...mapNames(conflicts, (name) => fieldOf(fields, name)) })
}

export const emptyFields: Readonly<EmployeeFields> = mapFields(() => '')

/** Returns the length of all fields in UTF-16 code units, for limits on memory. */
export function countCharacters(fields: EmployeeFields): number {
  let count = 0
  for (const name of fieldNames) count += fieldOf(fields, name).length
  return count
}

const emailRegExp = new RegExp(emailPattern)

export const isEmail = (text: string) => emailRegExp.test(text)

/** White space, also of no width, as it comes with text from the web. */
const outerSpace = /^[\s\u200b-\u200d\u2060]+|(?<![\s\u200b-\u200d\u2060])[\s\u200b-\u200d\u2060]+$/g

export const trimSpace = (text: string) => text.replace(outerSpace, '')

/**
 * Soft hyphens, spaces of no width, and what embeds or turns another direction: they come with text from documents and the web. The
 * joiners stay, which scripts and emoji need, and so do single marks of direction.
 */
const invisible = /[\xad\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Returns the text without characters that nobody sees. Never for a password. */
export const removeInvisible = (text: string) => text.replace(invisible, '')

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
export const cleanEmail = (text: string) => toAsciiEmail(trimSpace(removeInvisible(text)))

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
  const email = cleanEmail((inBrackets ?? trimmed).replace(/^\s*(mailto|smtp):/i, ''))
  if (!isEmail(email)) return { email: trimmed, name: '' }
  return { email, name: trimSpace(removeInvisible(name)).replace(/^"(.*)"$/, '$1') }
}

/**
 * Returns the first field that `employeeFieldsSchema` rejects, or null. For code without a JSON Schema validator, such as the
 * page; the server validates requests with the schema itself. `server/http/validation.test.ts` verifies that both agree.
 */
export function findInvalidField(fields: EmployeeFields): FieldName | null {
  const isInvalid = (name: FieldName) =>
    isBlank(fields[name])
      ? isRequired(name)
      : !isFieldText(fields[name]) || (fieldRules[name].isEmail === true && !isEmail(fields[name]))
  return fieldNames.find(isInvalid) ?? null
}

const isBlank = (value: unknown) => value === undefined || value === ''

const isFieldText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxFieldLength && value.isWellFormed()
