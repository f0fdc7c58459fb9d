import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fieldsWith, without } from '../tests/support/people.ts'
import { decideOutcome } from './batches.ts'
import {
  collection,
  countCharacters,
  fieldNames,
  fieldRules,
  findInvalidField,
  hasSameFields,
  listTexts,
  mapFields,
  maxFieldLength,
  mergeFields,
  pickFields,
} from './employees.ts'
import { splitIntoParts } from './firestore.ts'

test('the texts of a record end with the last one that is not empty, so that a field can be added behind them', () => {
  const record = fieldsWith('x')
  expect(listTexts(record)).toEqual(fieldNames.map((name) => record[name]))
  for (const [index, name] of fieldNames.entries()) {
    const texts = fieldNames.slice(0, index + 1).map((each) => (each === name ? record[name] : ''))
    expect(listTexts({ ...mapFields(() => ''), [name]: record[name] })).toEqual(texts)
  }
})

// What follows from the list of fields treats each of them alike.
describe.each(fieldNames)('the field %s', (name) => {
  const before = fieldsWith('before')
  const changed = { ...before, [name]: fieldsWith('after')[name] }
  const other = { ...before, [name]: fieldsWith('other')[name] }

  test('is picked, compared, counted and validated', () => {
    expect(pickFields({ ...changed, id: 'a' } as typeof changed)).toEqual(changed)
    expect([hasSameFields(before, { ...before }), hasSameFields(before, changed)]).toEqual([true, false])
    expect(countCharacters({ ...before, [name]: '' })).toBe(countCharacters(before) - before[name].length)
    expect(findInvalidField(changed)).toBeNull()
    expect(findInvalidField({ ...before, [name]: '' })).toBe(fieldRules[name].isOptional ? null : name)
  })

  test('is merged, and is a conflict if both have changed it', () => {
    expect(mergeFields(before, before, changed)).toEqual({ fields: changed, conflicts: [] })
    expect(mergeFields(changed, before, before)).toEqual({ fields: changed, conflicts: [] })
    expect(mergeFields(other, before, changed)).toEqual({ fields: other, conflicts: [name] })
    expect(decideOutcome(other, before, changed)).toBe('conflict')
  })

  test('stays as it is if an edit does not name it, and is no reason to repeat a batch that is done', () => {
    const edited = without(name, before)
    expect(mergeFields(changed, before, edited)).toEqual({ fields: changed, conflicts: [] })
    expect(mergeFields(changed, edited, edited)).toEqual({ fields: changed, conflicts: [] })
    expect(decideOutcome(changed, edited, edited)).toBe('done')
  })

  test('counts toward the size of a request to Firestore, and has no index there', () => {
    const large = { id: 'a', ...before, [name]: 'x'.repeat(maxFieldLength) }
    expect(splitIntoParts(Array(4).fill(Array(16).fill(large)))).toHaveLength(2)
    const { fieldOverrides } = JSON.parse(readFileSync('firestore.indexes.json', 'utf8'))
    expect(fieldOverrides).toContainEqual({ collectionGroup: collection, fieldPath: name, indexes: [] })
  })
})

test('the rules of Firestore check a text in every field, and know which fields are optional', () => {
  const optional = fieldNames.filter((name) => fieldRules[name].isOptional)
  const required = fieldNames.filter((name) => !optional.includes(name))
  expect(readRecordRule(readFileSync('firestore.rules', 'utf8'))).toEqual({
    present: required,
    optional,
    texts: required,
    optionalTexts: optional,
  })
})

/** Reads which fields the function `isRecord` of the rules treats in which way. */
function readRecordRule(rules: string) {
  const bodyOf = (name: string) =>
    new RegExp(`function ${name}\\(.*?\\) \\{\\s*return ([^;]*);`).exec(rules)?.[1] ?? ''
  const namesIn = (text = '') => Array.from(text.matchAll(/'(\w+)'/g), ([, name]) => name)
  const clauses = bodyOf('isRecord')
    .split('&&')
    .map((clause) => clause.trim())
  const namesOf = (pattern: RegExp) =>
    clauses.flatMap((clause) => {
      const [, name] = pattern.exec(clause) ?? []
      return name ? [name] : []
    })
  return {
    present: namesIn(clauses.find((clause) => clause.startsWith('data.keys().hasAll('))),
    optional: namesIn(bodyOf('optionalNames')),
    texts: namesOf(/^isText\(data\.(\w+)\)$/),
    optionalTexts: namesOf(/^isOptionalText\(data\.get\('(\w+)', ''\)\)$/),
  }
}
