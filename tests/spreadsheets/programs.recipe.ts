import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { type EmployeeFields, pickFields } from '../../contract/employees.ts'
import { parseSource } from '../../web/records/features/import/source/parse-source.ts'
import { toCsv, toRows } from '../../web/records/model/spreadsheet/to-csv.ts'
import { writeWorkbook } from '../../web/records/model/spreadsheet/write-workbook.ts'
import { runProgram } from '../recipes/programs.ts'
import { createFolder } from '../support/cleanup.ts'
import { importInto } from '../support/import-file.ts'
import { named, nameOf } from '../support/people.ts'

/** Texts that a spreadsheet may take for something else, or change. */
const hardTexts = [
  '00123',
  '=1+1',
  '12345678901234567890',
  '1E5',
  '3/4',
  '1-2',
  '5%',
  'TRUE',
  '#N/A',
  ' a space on each side ',
  "'an apostrophe",
  '"quoted, twice"',
  'semi;colon,comma',
  'two\nlines',
  '@SUM(A1)',
  '-2',
  '+41 44 668 18 00',
  'Zoë 😀 Ω',
  'السيد',
  '<b>&amp;</b> \\ ]]>',
  'a_x0041_b',
  '  two  spaces  ',
]

const employees = hardTexts.map((password, i) => ({
  id: `id-${i}`,
  ...named(`${i % 2 ? 'Ada' : 'Łukasz'} ${i}${i % 3 ? '' : ' von & zu'}`, {
    email: `person${i}@example.com`,
    password,
  }),
}))

const rows = () => toRows(employees, 'spreadsheet with passwords')

/** Opens a file with LibreOffice, without windows, and saves it in another format. */
function saveWithLibreOffice(file: string, to: string, folder: string): string {
  const out = join(folder, `saved-${to.split(':')[0]}`)
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`
  const { status, output } = runProgram(
    'soffice',
    [profile, '--headless', '--convert-to', to, '--outdir', out, file],
    { HOME: folder },
  )
  expect(status, output).toBe(0)
  const name = (file.split('/').at(-1) ?? '').replace(/\.\w+$/, `.${to.split(':')[0]}`)
  return join(out, name)
}

function saveWithGnumeric(file: string, to: string, folder: string): string {
  mkdirSync(join(folder, 'gnumeric'), { recursive: true })
  const saved = join(folder, 'gnumeric', `staff.${to}`)
  const { status, output } = runProgram('ssconvert', [file, saved], { HOME: folder })
  expect(status, output).toBe(0)
  return saved
}

function writeOurs(folder: string): string {
  const file = join(folder, 'staff.xlsx')
  writeFileSync(file, writeWorkbook(rows()))
  return file
}

const unchanged = employees.map(() => 'unchanged')

/** Where a file does not tell texts from errors, what looks like one is asked about. */
const unchangedOrAsked = employees.map(({ password }) => (password === '#N/A' ? 'asked' : 'unchanged'))
const expectedOf = (to: string) => (/csv|html/.test(to) ? unchangedOrAsked : unchanged)

/** Unicode text, with a comma and quotes as needed, cells as they are shown. */
const csv = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'

test.each(['xlsx', 'xls', 'ods', 'fods', 'html', csv])(
  'our workbook, saved by LibreOffice as %s, comes back unchanged',
  async (to) => {
    const folder = createFolder()
    const saved = saveWithLibreOffice(writeOurs(folder), to, folder)
    expect(await importInto(employees, saved)).toEqual(expectedOf(to))
  },
)

test.each(['xlsx', 'xls', 'ods', 'fods'])(
  'what merged cells cover is not read from what LibreOffice saves as %s',
  async (to) => {
    const folder = createFolder()
    const file = writeOurs(folder)
    const parts = unzipSync(readFileSync(file))
    const sheet = 'xl/worksheets/sheet1.xml'
    // The password of the first record covers that of the second, which is still in the file.
    const merged = strFromU8(parts[sheet] ?? new Uint8Array()).replace(
      '</worksheet>',
      '<mergeCells count="1"><mergeCell ref="C2:C3"/></mergeCells></worksheet>',
    )
    writeFileSync(file, zipSync({ ...parts, [sheet]: strToU8(merged) }))
    const saved = saveWithLibreOffice(file, to, folder)
    const { rows } = await parseSource(new File([readFileSync(saved)], 'saved'))
    expect(rows.slice(1, 4).map(({ cells }) => cells[2] ?? '')).toEqual([hardTexts[0], '', hardTexts[2]])
  },
)

test.each(['gnumeric', 'xlsx', 'ods', 'html', 'csv'])(
  'our workbook, saved by Gnumeric as %s, comes back unchanged',
  async (to) => {
    const folder = createFolder()
    const saved = saveWithGnumeric(writeOurs(folder), to, folder)
    expect(await importInto(employees, saved)).toEqual(expectedOf(to))
  },
)

test('what LibreOffice has made of our CSV file is imported by Gnumeric, and comes back unchanged', async () => {
  const folder = createFolder()
  const file = join(folder, 'staff.csv')
  writeFileSync(file, toCsv(employees, 'spreadsheet with passwords'))
  // All columns as text, as an import dialog allows it.
  const asText = '--infilter=CSV:44,34,76,1,1/2/2/2/3/2'
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`
  const { status, output } = runProgram(
    'soffice',
    [profile, asText, '--headless', '--convert-to', 'ods', '--outdir', join(folder, 'out'), file],
    { HOME: folder },
  )
  expect(status, output).toBe(0)
  const saved = saveWithGnumeric(join(folder, 'out', 'staff.ods'), 'xlsx', folder)
  expect(await importInto(employees, saved, { unescapesFormulas: true })).toEqual(unchanged)
})

test.each(['csv', 'xml'])('what KeePassXC exports as %s comes back unchanged', async (format) => {
  const folder = createFolder()
  const database = join(folder, 'staff.kdbx')
  const run = (args: string[], input: string) => {
    const result = spawnSync('keepassxc-cli', args, { input, encoding: 'utf8' })
    expect(result.status, result.stderr).toBe(0)
    return result.stdout
  }
  run(['db-create', '-p', database], 'secret-of-it\nsecret-of-it\n')
  // Its prompt takes one line.
  const typed = employees.filter(({ password }) => !password.includes('\n'))
  for (const record of typed)
    run(
      ['add', '-q', '-p', '-u', record.email, database, nameOf(record)],
      `secret-of-it\n${record.password}\n`,
    )
  const file = join(folder, `staff.${format}`)
  writeFileSync(file, run(['export', '-q', '-f', format, database], 'secret-of-it\n'))
  expect(readFileSync(file, 'utf8')).toContain('12345678901234567890')
  const outcomes = await importInto(typed, file)
  expect(outcomes).toEqual(typed.map(() => 'unchanged'))
})

const readers: [name: string, packages: string[], script: string][] = [
  [
    'ExcelJS',
    ['exceljs@4.4.0'],
    `const { default: ExcelJS } = await import('exceljs')
     const book = new ExcelJS.Workbook()
     await book.xlsx.readFile(file)
     const rows = []
     book.worksheets[0].eachRow((row) => rows.push(row.values.slice(1)))
     console.log(JSON.stringify(rows))`,
  ],
  [
    'xlsx-populate',
    ['xlsx-populate@1.21.0'],
    `const { default: populate } = await import('xlsx-populate')
     const book = await populate.fromFileAsync(file)
     // Its XML parser makes numbers of texts such as "-2".
     console.log(JSON.stringify(book.sheet(0).usedRange().value().map((row) => row.map(String))))`,
  ],
  [
    'read-excel-file',
    ['read-excel-file@9.3.17'],
    `const { default: read } = await import('read-excel-file/node')
     const [sheet] = await read(file, { trim: false })
     console.log(JSON.stringify(sheet.data ?? sheet))`,
  ],
]

test.each(readers)('%s reads every cell of our workbook', (_, packages, script) => {
  const folder = createFolder({ 'package.json': '{"type":"module"}', 'read.js': '' })
  const installed = runProgram('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    ...packages,
  ])
  expect(installed.status, installed.output).toBe(0)
  writeFileSync(join(folder, 'read.js'), `const file = ${JSON.stringify(writeOurs(folder))}\n${script}`)
  const { status, output } = runProgram(process.execPath, [join(folder, 'read.js')])
  expect(status, output).toBe(0)
  const fields = (record: EmployeeFields) => Object.values(pickFields(record))
  // Some do not know the escape that Excel knows.
  const cells: unknown = JSON.parse(output.replaceAll('_x005F_', '_'))
  expect(cells).toEqual([['Employee Name', 'Email', 'Password'], ...employees.map(fields)])
})
