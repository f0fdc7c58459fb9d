import { strToU8, zipSync } from 'fflate'

const size = 2 ** 20
const fill = (text: string) => text.repeat(size / text.length)
export const file = (content: string) => ({ name: 'list', bytes: strToU8(content) })

const relationship = '<Relationship Id="r" Type="x/worksheet" Target="s.xml"/>'

/** A workbook with one part, which each of its sheets names. */
export const makeWorkbook = (sheet: string, sheets = '<sheet name="a" r:id="r"/>') => ({
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

/** A DIF file until its cells. */
const difStart = 'TABLE\n0,1\n"x"\nDATA\n0,0\n""\n-1,0\nBOT\n'

/** A file that was made to harm whoever imports it: a megabyte or more of what takes a reader long, unless it is written for that. */
type HostileFile = [what: string, file: ReturnType<typeof file>]

export const hostileFiles: HostileFile[] = [
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
  ['nothing but arrays in one another', file(fill('['))],
  ['nothing but objects in one another', file(fill('{"a":'))],
  ['arrays in one another', file(`${'['.repeat(2_000)}${fill('{"a":1},')}1`)],
  ['quotation marks of SQL', file(`insert into a values (${fill("'")}`)],
  ['values of SQL', file(`insert into a values (${fill("'\\a',")}`)],
  ['expressions of SQL in one another', file(`insert into a values (${fill('f(')}`)],
  [
    'tables of SQL',
    file(Array.from({ length: 30_000 }, (_, i) => `insert into a${i} values (1);`).join('\n')),
  ],
  ['comments of SQL', file(`insert into a ${fill('/**/ -- \n')}`)],
  ['lines of SQL', file(`copy a from stdin;\n${fill('\n')}`)],
  ['properties in one another', file(`<plist>${fill('<dict><key>a</key>')}`)],
  [
    'tables of a page with labels and values',
    file(
      `<html>${Array.from({ length: 1_900 }, (_, i) => `<table><tr><td>Name<td>a<tr><td>Email<td>a@b.org${`<tr><td>a${i}<td>b`.repeat(1)}</table>`).join('')}`,
    ),
  ],
  ['bullets', file(fill('• - '))],
  ['signs with spaces around them', file(fill(' - '))],
  ['a list of labels and emails', file(`Name,${fill('x,')}\nEmail,${fill('a@b.org,')}`)],
  ['tables of a web page', file(fill('<table><td>a</table>'))],
  ['scripts of a web page', file(`<table><td>a</table>${fill('<script></SCRIPT >')}`)],
  ['a quotation mark of DIF that is never closed', file(`${difStart}1,0\n"${fill('x\n')}`)],
  ['braces in one another', file(fill('{ a = '))],
  ['lines between braces', file(`${fill('a = "b"\n')}{`)],
  ['values in brackets', file(`(${fill("'a',")}`)],
  ['brackets without values', file(fill('('))],
  ['spaces in brackets', file(`('a'${fill(' ')}`)],
  ['items below an item', file(`- a${fill('\n  - b')}`)],
  ['items with spaces in them', file(`- a\n  - b${fill(' ')}`)],
  ['spaces behind the name of a column', file(`name${fill(' ')}a\nemail a@b.org`)],
  ['cells of a wiki', file(`||Name||Email||${fill('||')}\n${fill('|a')}`)],
  ['spaces before a time', file(`a${fill(' ')}10:32\na 10:32`)],
  ['spaces behind a value in braces', file(`{a: x${fill(' ')}`)],
  ['spaces behind a label in braces', file(`{a${fill(' ')}`)],
  ['objects with the last column only', file(`[${JSON.stringify(manyKeys)}${fill(',{"k255":1}')}]`)],
  [
    'groups of a KeePass file',
    file(
      `<KeePassFile><RecycleBinUUID>x</RecycleBinUUID>${'<Group>'.repeat(60_000)}${'<Entry></Entry>'.repeat(30_000)}${'</Group>'.repeat(60_000)}</KeePassFile>`,
    ),
  ],
]
