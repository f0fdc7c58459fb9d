import {
  type EmployeeFields,
  type FieldName,
  fieldRules,
  mapFields,
  pickFields,
} from '../../contract/employees.ts'

export const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
export const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }
export const alan = { eName: 'Alan Turing', email: 'alan@example.com', password: 'bombe' }

/** Returns Ada's record with other fields, so that a test names only those it is about. */
export const record = (fields: Partial<EmployeeFields>): EmployeeFields => ({ ...ada, ...fields })

/** Returns a record with this name; its email follows: `named('Bob Ray')` has `bob.ray@example.com`. */
export const named = (eName: string, fields?: Partial<EmployeeFields>): EmployeeFields =>
  record({ eName, email: `${eName.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`, ...fields })

/** A record, or its name. */
export type Named = string | Pick<EmployeeFields, 'eName'>
export const nameOf = (record: Named): string => (typeof record === 'string' ? record : record.eName)
export const namesOf = (employees: EmployeeFields[]): string[] => employees.map(nameOf)

/** Returns a record whose fields all differ from one another, and from those with another text. */
export const fieldsWith = (text: string) =>
  mapFields((name) => (fieldRules[name].isEmail ? `${text}.${name}@example.com` : `${text} ${name}`))

/** Returns the fields as a client knows them that is older than one of them. */
export const without = (name: FieldName, fields: EmployeeFields): EmployeeFields =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name)) as EmployeeFields

/** Returns the record, by default Ada's, with another name. */
export function renamed(eName: string): EmployeeFields
export function renamed<Fields extends EmployeeFields>(eName: string, employee: Fields): Fields
export function renamed(eName: string, employee: EmployeeFields = ada) {
  return { ...employee, eName }
}

/** The account of the person who uses the page in the browser tests. */
export const account = { email: 'keeper@example.com', password: 'a register of one’s own' }

/** The given number of different people, starting with `Person 0`. */
export function makeEmployees(count: number, password?: string): EmployeeFields[] {
  return Array.from({ length: count }, (_, index) => ({
    eName: `Person ${index}`,
    email: `person${index}@example.com`,
    password: password ?? `secret-${index}`,
  }))
}

/** The fields of these records, without their ids, for comparison with what was typed. */
export const toFields = (employees: EmployeeFields[]): EmployeeFields[] => employees.map(pickFields)

const longName = `${'Name '.repeat(1_000)}end`

/** Records that are hard to show: very long, right to left, outside the BMP, blank. */
export const edgeCaseEmployees: EmployeeFields[] = [
  ada,
  { eName: longName, email: 'five-thousand@example.com', password: 'x'.repeat(2_000) },
  { eName: 'x'.repeat(300), email: `${'long'.repeat(16)}@${'domain'.repeat(10)}.example`, password: 'x' },
  { eName: 'عائشة بنت أبي بكر', email: 'aisha@example.com', password: 'كلمة' },
  { eName: '👩‍💻 Emoji 🎈', email: 'emoji@example.com', password: '🔑🔑' },
  { eName: '   ', email: 'nameless@example.com', password: 'x' },
]
