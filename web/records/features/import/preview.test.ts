import { expect, test } from 'vitest'
import { maxBatchSize } from '../../../../contract/batches.ts'
import { type Employee, mapFields } from '../../../../contract/employees.ts'
import { ada as person } from '../../../../tests/support/people.ts'
import { finish } from '../../../../tests/support/steps.ts'
import { describeBatchSize, describeConflicts, describeResult } from '../../model/book/operation.ts'
import type { ImportSource } from '../../model/view.ts'
import { getColumnNames, previewInSteps, proposeOptions, type ReadOptions } from './preview.ts'
import { parseSource } from './source/parse-source.ts'

const ada: Employee = { id: 'a', ...person }

async function preview(source: ImportSource, readOptions: Partial<ReadOptions> = {}) {
  const parsed = await parseSource(source)
  return finish(previewInSteps(parsed, { ...proposeOptions(parsed), ...readOptions }, [ada]))
}

test('preview: options set whether there is a header and whether apostrophes are removed', async () => {
  const text = "'=Name,Email,Password\n'=Ada,new@example.com,x\n"
  const unescaped = await preview(text, {
    hasHeader: true,
    columns: { ...mapFields(() => null), eName: 0, lastName: null, email: 1, password: 2 },
  })
  expect(unescaped.rows[0]?.fields.eName).toBe('=Ada')
  const escaped = await preview(text, { hasHeader: true, unescapesFormulas: false })
  expect(escaped.rows).toHaveLength(1)
  const withoutHeader = await preview('Ada,new@example.com,x', { hasHeader: false })
  expect(withoutHeader.rows.map(({ number, outcome }) => [number, outcome])).toEqual([[1, 'new']])
})

test('preview: an email with letters beyond ASCII in its domain is that of the record in the register', async () => {
  const typed = 'Name,Email,Password\nJo,jo@müller.example,x\n'
  const imported = await preview(typed)
  expect(imported.rows).toMatchObject([{ outcome: 'new', fields: { email: 'jo@xn--mller-kva.example' } }])
})

test('preview: asks about a name and a password of nothing but spaces, which are missing where they are removed', async () => {
  const text = 'Name,Email,Password\nJo,jo@example.com, \n ,bo@example.com,x\n'
  const { rows, spacedCounts } = await preview(text)
  expect(rows.map(({ outcome }) => outcome)).toEqual(['new', 'new'])
  expect(spacedCounts).toMatchObject({ eName: 1, email: 0, password: 1 })
  const trimmed = await preview(text, { trims: true })
  expect(trimmed.rows.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid'])
})

test('preview: rejects a source without an email column or with too many rows', {
  tags: 'large',
}, async () => {
  expect(await preview('just words')).toMatchObject({
    problem: 'Choose the column for “Email”.',
    missingField: 'email',
  })
  const rows = Array.from({ length: maxBatchSize + 1 }, (_, i) => `N,p${i}@example.com,x\n`).join('')
  expect((await preview(rows, { hasHeader: false })).problem).toContain('more than 100,000 rows')
  const tooLong = await preview(`Name,Email,Password\n${rows}N,last@example.com,x`)
  expect(tooLong.problem).toContain('more than 100,000')
  const largest = await preview(`Name,Email,Password\n${rows.slice(0, rows.lastIndexOf('N'))}`)
  expect([largest.problem, largest.counts.new]).toEqual([null, maxBatchSize])
})

test('preview: names columns by the header, otherwise by letters', async () => {
  const source = await parseSource(`Name,,Email\n${','.repeat(27)}x`)
  expect(getColumnNames(source, true).slice(0, 3)).toEqual(['Name', 'Column B', 'Email'])
  const twins = await parseSource('Password,Name,Password\na,b,c')
  expect(getColumnNames(twins, true)).toEqual(['Password (Column A)', 'Name', 'Password (Column C)'])
  expect(getColumnNames(source, false).slice(25)).toEqual(['Column Z', 'Column AA', 'Column AB'])
})

test('import: explains why a source can’t be read', async () => {
  const createFile = (bytes: Uint8Array<ArrayBuffer>, name = 'a.csv') => new File([bytes], name)
  const zip = new Uint8Array([0x50, 0x4b, 3, 4])
  await expect(parseSource(createFile(zip, 'a.1pux'))).rejects.toThrow('damaged or incomplete')
  const kdbx = new Uint8Array([0x03, 0xd9, 0xa2, 0x9a, 0x67])
  await expect(parseSource(createFile(kdbx, 'a.kdbx'))).rejects.toThrow('KeePass database')
  await expect(parseSource(' \n ,, \n')).rejects.toThrow('There are no rows in this text.')
  await expect(parseSource(createFile(new Uint8Array()))).rejects.toThrow('The file is empty.')
  await expect(parseSource(createFile(new Uint8Array(65 * 1024 * 1024)))).rejects.toThrow('too big')
  const deleted = Object.assign(createFile(new Uint8Array()), {
    arrayBuffer: () => Promise.reject(new Error('deleted')),
  })
  await expect(parseSource(deleted)).rejects.toThrow('can’t be read')
})

test('import: describes the size, result and conflicts of a batch', () => {
  const batch = { add: [person], update: Array(2).fill({ seen: ada, fields: person }), remove: [] }
  expect(describeBatchSize(batch)).toBe('3 records')
  expect(describeResult(batch, { ids: ['1'], kept: ['a'] })).toBe('1 record imported, 1 changed')
  expect(describeResult({ ...batch, add: [] }, { ids: [], kept: ['a', 'b'] })).toBe('Nothing imported')
  expect([describeConflicts(0), describeConflicts(1)]).toEqual([
    '',
    '1 record left alone because someone changed it in the meantime.',
  ])
})
