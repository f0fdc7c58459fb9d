import { spawnSync } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { catalogs } from '../../scripts/catalogs.ts'
import { root } from '../../scripts/terminal.ts'
import { toRows } from '../../web/records/model/spreadsheet/to-csv.ts'
import { writeWorkbook } from '../../web/records/model/spreadsheet/write-workbook.ts'
import { createFolder } from '../support/cleanup.ts'
import { isNightly } from '../support/nightly.ts'
import { makeEmployees, nameOf } from '../support/people.ts'
import { seed } from '../support/sample.ts'
import { timeouts } from '../support/timeouts.ts'
import type { DamageReport } from './read-damaged.ts'

const people = makeEmployees(20)
const cards = people.map(
  (person) =>
    `BEGIN:VCARD\r\nVERSION:2.1\r\nFN;QUOTED-PRINTABLE:=${nameOf(person)}=\r\n=C3=A9\r\nitem1.EMAIL;PREF:${person.email}\r\nEND:VCARD\r\n`,
)
const entries = people.map(
  (person) => `dn: cn=x\ncn:: QWRh\nmail: ${person.email}\nuserPassword: {CLEAR}${person.password}\n`,
)
const xmlCells = ['Ada', 'a@b.org'].map((text) => `<Cell><Data Type="String">${text}</Data></Cell>`)

const sheet = utils.aoa_to_sheet(toRows(people, 'spreadsheet with passwords'))

/** Lists in formats of which tests/fixtures/lists/ has no file of a program. */
const lists: Record<string, string | Uint8Array> = {
  'our workbook': writeWorkbook(toRows(people, 'spreadsheet with passwords')),
  xlsb: new Uint8Array(
    write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'array', bookType: 'xlsb' }),
  ),
  'Windows-1252': Buffer.from(`Name,Email,Password\n${'Zoë,zoe@a.org,x"y\n'.repeat(20)}`, 'latin1'),
  'UTF-16': Buffer.from(`\ufeffName\tEmail\n${'Zoë\tzoe@a.org\n'.repeat(9)}`, 'utf16le'),
  JSON: JSON.stringify({ users: people }),
  vCard: cards.join(''),
  'records in braces': people
    .map((person) => `- {name: ${nameOf(person)}, email: ${person.email}, password: '${person.password}'}\n`)
    .join(''),
  LDIF: `version: 1\n\n${entries.join('\n')}`,
  recipients: 'Lovelace, Ada <ada@a.org>; "Hopper, G." <g@a.org>; =?utf-8?Q?Zo=C3=AB?= <z@a.org>; b@a.org',
  'table of psql': ` name | email | password \n------+-------+----------\n${people.map((person) => ` ${nameOf(person)} | ${person.email} | ${person.password}\n`).join('')}`,
  'lines with labels': people
    .map((person) => `Name: ${nameOf(person)}\nEmail: ${person.email}\nPassword: ${person.password}\n\n`)
    .join(''),
  dBASE: new Uint8Array(
    write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'array', bookType: 'dbf' }),
  ),
  'values of SQL': people
    .map((person) => `('${nameOf(person)}', '${person.email}', '${person.password}'),\n`)
    .join(''),
  'blocks of Terraform': people
    .map(
      (person) =>
        `resource "user" "u" {\n  name = "${nameOf(person)}"\n  email = "${person.email}"\n  password = "${person.password}"\n}\n`,
    )
    .join(''),
  'lists in a list': people
    .map((person) => `- ${nameOf(person)}\n  - Email: ${person.email}\n  - Password: ${person.password}\n`)
    .join(''),
  'records in two columns': people
    .map((person) => `name     ${nameOf(person)}\nemail    ${person.email}\npassword ${person.password}\n\n`)
    .join(''),
  'table of Jira': `||Name||Email||Password||\n${people.map((person) => `|${nameOf(person)}|${person.email}|${person.password}|\n`).join('')}`,
  'table of MediaWiki': `{|\n! Name !! Email !! Password\n${people.map((person) => `|-\n| ${nameOf(person)} || ${person.email} || ${person.password}\n`).join('')}|}\n`,
  'XML of Excel 2003': `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet Name="a"><Table>${`<Row>${xmlCells.join('')}</Row>`.repeat(9)}</Table></Worksheet></Workbook>`,
  'flat OpenDocument': `<office:document><office:spreadsheet><table:table table:name="a">${'<table:table-row><table:table-cell><text:p>Ada</text:p></table:table-cell><table:table-cell><text:p>a@b.org</text:p></table:table-cell></table:table-row>'.repeat(9)}</table:table></office:spreadsheet></office:document>`,
}

/** Builds the program that reads damaged copies in a process of its own, whose memory can be measured. */
async function buildReader(folder: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [catalogs()],
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'tests/spreadsheets/read-damaged.ts'),
      outDir: folder,
      target: 'esnext',
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  })
  return join(folder, 'read-damaged.mjs')
}

const count = isNightly ? 20_000 : 40

/** The page reads lists in Chromium, which has the heap that it wants; here it is limited, to measure what is needed. */
const heapMegabytes = 128
test('damaged copies of every kind of list end in a list or a sentence, soon and in little memory', {
  timeout: 3 * timeouts.longTestMs,
}, async () => {
  const folder = createFolder()
  const reader = await buildReader(folder)
  for (const [name, content] of Object.entries(lists)) writeFileSync(join(folder, name), content)
  const files = globSync('tests/fixtures/lists/*', { cwd: root }).map((file) => join(root, file))
  const reports: Record<string, Partial<DamageReport>> = {}
  for (const file of [...files, ...Object.keys(lists).map((name) => join(folder, name))]) {
    const args = [
      '--expose-gc',
      `--max-old-space-size=${heapMegabytes}`,
      reader,
      file,
      String(count),
      String(seed),
    ]
    // Ends a reader that does not end.
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: timeouts.longTestMs,
    })
    const last = stdout.trim().split('\n').at(-1) ?? ''
    expect(status, `${basename(file)}, behind copy ${last}, TEST_SEED=${seed}: ${stderr}`).toBe(0)
    const report = JSON.parse(last) as DamageReport
    reports[basename(file)] = report
    expect(report.listCount + report.sentenceCount).toBe(count)
  }
  if (isNightly) console.info(reports)
  const tooSlow = Object.entries(reports).filter(([, { worstMs = Infinity }]) => worstMs > 3_000)
  const tooBig = Object.entries(reports).filter(([, { peakMegabytes = Infinity }]) => peakMegabytes > 256)
  expect([tooSlow, tooBig]).toEqual([[], []])
})
