import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { parseSource } from './parse-source.ts'
import { SourceError } from './sheet.ts'

const size = 2 ** 20
const fill = (text: string) => text.repeat(size / text.length)
const file = (content: string) => ({ name: 'list', bytes: strToU8(content) })

const relationship = '<Relationship Id="r" Type="x/worksheet" Target="s.xml"/>'

/** A workbook with one part, which each of its sheets names. */
const makeWorkbook = (sheet: string, sheets = '<sheet name="a" r:id="r"/>') => ({
  name: 'list.xlsx',
  bytes: zipSync({
    'xl/workbook.xml': strToU8(`<workbook>${sheets}</workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${relationship}</Relationships>`),
    'xl/s.xml': strToU8(`<worksheet>${sheet}</worksheet>`),
  }) as Uint8Array<ArrayBuffer>,
})

const wideRow = (number: number) =>
  `<row r="${number}"><c r="A${number}"><v>1</v></c><c r="IV${number}"><v>2</v></c></row>`
const wideRows = Array.from({ length: 5_000 }, (_, i) => wideRow(i + 1)).join('')
const manyKeys = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`k${i}`, 'x']))

const toXmlWorkbook = (columns: string) =>
  `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>${columns}<Row><Cell><Data>a@b.org</Data></Cell></Row></Table></Worksheet></Workbook>`
const toFlatOds = (table: string) =>
  `<office:document><office:spreadsheet><table:table>${table}</table:table></office:spreadsheet></office:document>`

test.each([
  ['separators before a text', file(`${fill(';')}x\na`)],
  ['spaces in a formula', file(`a@b.org,${fill(`="a"${' '.repeat(19_990)}x,`)}`)],
  ['spaces in a formula of a workbook', makeWorkbook(`<row><c><f>"a"${fill(' ')}x</f></c></row>`)],
  ['spaces in a formula of a web page', file(`<table><td>="a"${fill(' ')}x`)],
  ['signs of emails after a bracket', file(`<${fill('@')}`)],
  ['letters and signs of emails after a bracket', file(`<${fill('a@')}`)],
  ['separators before a recipient', file(`${fill(',')}<a@b.org>`)],
  ['the name of an encoding in a vCard', file(`BEGIN:VCARD\n${fill('QUOTED-PRINTABLE')}\nEND:VCARD`)],
  ['values of an LDIF entry', file(`dn: a\n${fill('a:\n')}`)],
  ['a far column of an XML workbook', file(toXmlWorkbook('<Column ss:Index="1e20" ss:Hidden="1"/>'))],
  ['an endless column of an XML workbook', file(toXmlWorkbook('<Column ss:Index="Infinity"/>'))],
  ['hidden columns of an XML workbook', file(toXmlWorkbook(fill('<Column ss:Span="255" ss:Hidden="1"/>')))],
  [
    'hidden columns of a flat OpenDocument',
    file(
      toFlatOds(
        fill('<table:table-column table:number-columns-repeated="1e9" table:visibility="collapse"/>'),
      ),
    ),
  ],
  ['a hidden column before the first', makeWorkbook('<cols><col min="-1e20" max="3" hidden="1"/></cols>')],
  ['hidden columns before the first', makeWorkbook('<cols><col min="-1e9" max="3" hidden="1"/></cols>')],
  ['merged cells', makeWorkbook(wideRows + '<mergeCell ref="A1:IV99999"/>'.repeat(20_000))],
  ['sheets of the same part', makeWorkbook(fill('<row/>'), '<sheet name="a" r:id="r"/>'.repeat(20_000))],
  ['a rule of a drawn table', file(`a\n${fill('-')}\nb`)],
  ['crossings of a drawn table', file(`a|b\n${fill('-+')}\n${fill('|')}\n${fill('|\n')}`)],
  ['columns of a drawn table', file(`a b\n${fill('- ')}\n${fill(' a\n')}`)],
  ['names in a line of spaces', file(`Name  Email${fill('  a')}\n${fill('a\n')}`)],
  ['labels without values', file(fill('a:\n'))],
  ['labels that differ', file(Array.from({ length: 120_000 }, (_, i) => `a${i}: x`).join('\n\n'))],
  ['spaces behind a label', file(`Name${fill(' ')}`)],
  ['elements in one another', file(fill('<a>'))],
  [
    'elements with an attribute each',
    file(`<a>${Array.from({ length: 50_000 }, (_, i) => `<b a${i}="x"/>`).join('')}</a>`),
  ],
  ['arrays of arrays', file(`[["a@b.org"]${fill(',[1]')}]`)],
  ['arrays in one another', file(`${'['.repeat(2_000)}${fill('{"a":1},')}1`)],
  ['bullets', file(fill('• - '))],
  ['signs with spaces around them', file(fill(' - '))],
  ['a list of labels and emails', file(`Name,${fill('x,')}\nEmail,${fill('a@b.org,')}`)],
  ['tables of a web page', file(fill('<table><td>a</table>'))],
  ['scripts of a web page', file(`<table><td>a</table>${fill('<script></SCRIPT >')}`)],
  ['objects with the last column only', file(`[${JSON.stringify(manyKeys)}${fill(',{"k255":1}')}]`)],
  [
    'groups of a KeePass file',
    file(
      `<KeePassFile><RecycleBinUUID>x</RecycleBinUUID>${'<Group>'.repeat(60_000)}${'<Entry></Entry>'.repeat(30_000)}${'</Group>'.repeat(60_000)}</KeePassFile>`,
    ),
  ],
])('%s are read or refused within seconds', async (_, source) => {
  const start = process.cpuUsage()
  await parseSource(source).catch((error) => expect(error).toBeInstanceOf(SourceError))
  // Hardly one on a fast machine; without the limits, minutes to hours.
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000)
})

test('more sheets than anyone can choose from are refused: the page would have an option for each', async () => {
  const makePage = (count: number) => file('<table><td>a@b.org</table><table></table>'.repeat(count))
  expect((await parseSource(makePage(2_000))).workbook?.sheets).toHaveLength(2_000)
  await expect(parseSource(makePage(2_001))).rejects.toThrow('too big')
})

test.each([
  ['a Slack list', 'email,billing-active,has-2fa,userid,status\na@b.org,1,1,1,constructor'],
  ['a list of JSON', '[{"email":["a@b.org"],"x":[[{"toString":1}]],"__proto__":{"a":1}}]'],
  ['one person of JSON', '{"x":{"toString":1},"email":"a@b.org"}'],
  ['Bitwarden', '{"encrypted":false,"items":[{"type":{"toString":1},"name":"a"}]}'],
  ['Psono', '{"items":[{"type":{"toString":1}},{"type":"a_password","a_password_title":"a"}]}'],
  ['1Password', '{"accounts":[{"vaults":[{"items":[{"categoryUuid":{"valueOf":1,"toString":1}}]}]}]}'],
])('names that every object has are plain texts in %s', async (_, content) => {
  const source = await parseSource(file(content))
  expect(structuredClone(source)).toEqual(source)
})

test('entities that XML declares itself, and other files that it names, are not resolved', async () => {
  const declared = '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">'
  const cells = ['&b;@b.org', '&c;'].map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  const source = makeWorkbook(`<!DOCTYPE a [${declared}]><row>${cells.join('')}</row>`)
  const { rows } = await parseSource(source)
  expect(rows[0]?.cells).toEqual(['&b;@b.org', '&c;'])
})

test('a locked file that asks for what is no number is told to be damaged', async () => {
  const locked = { encrypted: true, passwordProtected: true, kdfType: 0, kdfIterations: 'x', data: '' }
  for (const kdfIterations of ['1', -1, 0.5, {}]) {
    const content = file(JSON.stringify({ ...locked, kdfIterations }))
    await expect(parseSource(content, { password: 'a' })).rejects.toBeInstanceOf(SourceError)
  }
})
