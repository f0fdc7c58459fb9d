import { expect, test } from 'vitest'
import { maxBatchSize } from '../../../contract/batches.ts'
import type { Employee } from '../../../contract/employees.ts'
import { keptWords, resultWords, sizeWords } from '../outbox/batch-summary.ts'
import { recogniseLayout } from './detect-columns.ts'
import { openSource, type Source } from './open-source.ts'
import { columnNames, detailOf, previewOf, type Reading } from './preview.ts'

const ada: Employee = { id: 'a', eName: 'Ada', email: 'ada@example.com', password: 'engine' }

async function preview(source: Source, reading: Partial<Reading> = {}, book = [ada]) {
  const opened = await openSource(source)
  const full = { ...recogniseLayout(opened.rows), unprotects: true, ...reading }
  return previewOf(opened, full, book)
}

test('preview: counts each kind, and says what would change without telling a password', async () => {
  const { rows, counts, problem } = await preview(
    'name,email,password\nAda King,ada@example.com,analytical\nNew,new@example.com,x\n,bad,\n',
  )
  expect([counts, problem]).toEqual([{ new: 1, changed: 1, same: 0, wrong: 1 }, null])
  expect(rows.map(detailOf)).toEqual(['was Ada, new password', '', 'The name is missing.'])
})

test('preview: the person says whether the first row is a header and whether apostrophes come off', async () => {
  const text = "'=Name,Email,Password\n'=Ada,new@example.com,x\n"
  const read = await preview(text, { hasHeader: true, columns: { eName: 0, email: 1, password: 2 } })
  expect(read.rows[0]?.fields.eName).toBe('=Ada')
  const kept = await preview(text, { hasHeader: true, unprotects: false })
  expect(kept.rows).toHaveLength(1)
  const asRows = await preview('Ada,new@example.com,x', { hasHeader: false })
  expect(asRows.rows.map(({ number, verdict }) => [number, verdict])).toEqual([[1, 'new']])
})

test('preview: without a column of emails, and with too many rows, nothing can be imported', async () => {
  expect((await preview('just words')).problem).toBe('Please choose the column with the emails.')
  const rows = Array.from({ length: maxBatchSize + 1 }, (_, i) => `N,p${i}@example.com,x\n`).join('')
  expect((await preview(rows, { hasHeader: false })).problem).toContain('more than 100,000 rows')
  expect((await preview(`Name,Email,Password\n${rows}N,last@example.com,x`)).problem).toContain(
    'more than 100,000',
  )
  const most = await preview(`Name,Email,Password\n${rows.slice(0, rows.lastIndexOf('N'))}`)
  expect([most.problem, most.counts.new]).toEqual([null, maxBatchSize])
})

test('preview: columns have their names, or the letters of a spreadsheet', async () => {
  const source = await openSource(`Name,,Email\n${','.repeat(27)}x`)
  expect(columnNames(source, true).slice(0, 3)).toEqual(['Name', 'Column B', 'Email'])
  expect(columnNames(source, false).slice(25)).toEqual(['Column Z', 'Column AA', 'Column AB'])
})

test('import: what is no sheet is said in words', async () => {
  const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'a.csv')
  await expect(openSource(file(new Uint8Array([0x50, 0x4b, 3, 4])))).rejects.toThrow('save its sheet as CSV')
  await expect(openSource(' \n ,, \n')).rejects.toThrow('There are no rows in it.')
  await expect(openSource(file(new Uint8Array(65 * 1024 * 1024)))).rejects.toThrow('too large')
  const gone = Object.assign(file(new Uint8Array()), { arrayBuffer: () => Promise.reject(new Error('gone')) })
  await expect(openSource(gone)).rejects.toThrow('can’t be read')
})

test('import: the words for what was done', () => {
  const fields = { eName: 'x', email: 'x@y', password: 'z' }
  const batch = {
    add: [fields],
    update: [
      { seen: ada, fields },
      { seen: ada, fields },
    ],
    remove: [],
  }
  expect(sizeWords(batch)).toBe('3 records')
  expect(resultWords(batch, { ids: ['1'], kept: ['a'] })).toBe('1 new, 1 changed')
  expect(resultWords({ ...batch, add: [] }, { ids: [], kept: ['a', 'b'] })).toBe('nothing')
  expect([keptWords(0), keptWords(1)]).toEqual([
    '',
    'Left as they are, because someone has changed them meanwhile: 1 record.',
  ])
})
