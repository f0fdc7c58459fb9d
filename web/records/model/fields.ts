import type { InputHTMLAttributes } from 'react'
import { toEmailKey } from '../../../contract/accounts.ts'
import {
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  secretFieldNames,
} from '../../../contract/employees.ts'
import { currentLanguage, type Message, msg, t, translateLabel } from '../../language/translate.ts'
import { toUnicodeEmail } from '../../lib/domains/unicode-email.ts'
import { removeMarks } from '../../lib/isolate.ts'

/** How the page shows a field of a record. `fieldRules` has its label and decides what is valid and masked. */
interface FieldView {
  /** The field's name within a sentence. */
  noun: Message
  /** Why a value can't be imported. */
  missing: Message
  tooLong: Message
  invalid: Message
  /** Attributes of its input in the form. A password manager never fills it. */
  input?: InputHTMLAttributes<HTMLInputElement>
  /** The letter that copies the field of the focused row. */
  copyKey?: string
  /** Headers of the import's column besides the label, separated by spaces: of programs, and of languages without a catalog. */
  headers: string
}

export const fieldViews: Record<FieldName, FieldView> = {
  eName: {
    noun: msg('name'),
    missing: msg('The name is missing.'),
    tooLong: msg('The name is too long.'),
    invalid: msg('The name contains invalid characters.'),
    headers: 'employee fullname displayname person staff staffmember фио',
  },
  email: {
    noun: msg('email'),
    missing: msg('The email is missing.'),
    tooLong: msg('The email is too long.'),
    invalid: msg('The email contains invalid characters.'),
    input: { type: 'email' },
    copyKey: 'm',
    headers: 'emailaddress emailid workemail mail mailaddress epost epostadresse почта',
  },
  password: {
    noun: msg('password'),
    missing: msg('The password is missing.'),
    tooLong: msg('The password is too long.'),
    invalid: msg('The password contains invalid characters.'),
    copyKey: 'c',
    headers:
      'loginpassword initialpassword temporarypassword temppassword userpassword userpass pass passwd pwd pw passphrase wachtwoord losenord adgangskode passord пароль',
  },
}

/** The field that stands for the whole record, such as in a message. */
export const titleField = 'eName'

/** The fields that anybody near the screen may read. Search, sort order and print know no others. */
export const visibleFieldNames = fieldNames.filter((name) => !fieldRules[name].isSecret)

export const textFieldNames = visibleFieldNames.filter((name) => name !== titleField)

export const capitalize = (noun: string) =>
  noun.charAt(0).toLocaleUpperCase(currentLanguage()) + noun.slice(1)

/** What tells secrets apart where no header does so. Undefined if a record has only one. */
export const captionOf = (name: FieldName): string | undefined =>
  secretFieldNames.length > 1 ? translateLabel(fieldRules[name].label) : undefined

/** Lists the nouns of fields within a sentence: "name and email". */
export const listNouns = (names: readonly FieldName[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(currentLanguage(), { type }).format(names.map((name) => t(fieldViews[name].noun)))

/** Matches neither a space nor an ignorable character, such as a zero-width space or an empty Braille pattern. */
const visibleCharacter = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns the name of a record as the page shows it; a blank name would be invisible. */
export function displayName(record: EmployeeFields): string {
  const name = removeMarks(record[titleField])
  return visibleCharacter.test(name) ? name : t('(no name)')
}

/** A field as the page shows and prints it. A secret is shown as it is. */
export function readableField(record: EmployeeFields, name: FieldName): string {
  const { isEmail, isSecret } = fieldRules[name]
  const text = fieldOf(record, name)
  if (isSecret) return text
  return isEmail ? toUnicodeEmail(removeMarks(text)) : removeMarks(text)
}

/** Whether the record is of the person with this email. */
export const hasEmail = (employee: EmployeeFields, email: string) =>
  toEmailKey(employee.email) === toEmailKey(email)
