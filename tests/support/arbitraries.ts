import fc from 'fast-check'
import { type Employee, fieldRules, mapFields } from '../../contract/employees.ts'

/** Text of any kind that a record may hold, with what is delicate in CSV and in spreadsheets more often than by chance. */
export const arbitraryText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'=+-@\'"\t\r\n,;| \u0000\ufeff＝＠', '\r\n', "'=", '""', 'sep=;', 'é', '👩‍💻'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.length > 0)

export const arbitraryEmail = fc
  .tuple(fc.stringMatching(/^[=+a-zA-Z0-9'-]{1,6}$/), fc.constantFrom('x.org', 'example.com'))
  .map(([name, domain]) => `${name}@${domain}`)

/** The fields of a record. */
export const arbitraryFields = fc.record(
  mapFields((name) => (fieldRules[name].isEmail ? arbitraryEmail : arbitraryText)),
)

/** A register; some of its records share an email. */
export const arbitraryEmployees: fc.Arbitrary<Employee[]> = fc
  .array(arbitraryFields, { maxLength: 8 })
  .map((records) => records.map((fields, i) => ({ id: `id-${i}`, ...fields })))

/** Objects with these properties, for `fc.oneof`. */
export const choice = (weight: number, properties: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record(properties),
})
