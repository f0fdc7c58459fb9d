import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { finish } from '../../../../../../../tests/support/steps.ts'
import { previewInSteps, proposeOptions } from '../../../preview.ts'
import { parseSource } from '../../parse-source.ts'

async function read(content: string | Uint8Array) {
  const source = await parseSource(new File([Buffer.from(content as string)], 'list'))
  const { rows, doubts, localCount } = finish(previewInSteps(source, proposeOptions(source), []))
  return {
    added: rows.map(({ fields }) => Object.values(fields)),
    doubts: [...(source.doubts ?? []), ...doubts].map((doubt) => String(doubt[1])),
    localCount,
    encoding: source.encoding,
    isEncodingUnsure: source.isEncodingUnsure,
  }
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../../../../tests/fixtures/lists/${name}`, import.meta.url))

test.each(['libreoffice.dif', 'libreoffice.slk'])('reads %s', async (name) => {
  const { added } = await read(fixture(name))
  expect(added).toEqual([
    ['Zoë Müller', 'zoe@example.com', 'a;b"c,d'],
    ['Ada Lovelace', 'ada@example.com', 'two\nlines'],
    ['Bob', 'bob@example.com', '4711'],
  ])
})

const dif = (...cells: string[]) =>
  `TABLE\r\n0,1\r\n"EXCEL"\r\nVECTORS\r\n0,3\r\n""\r\nTUPLES\r\n0,2\r\n""\r\nDATA\r\n0,0\r\n""\r\n-1,0\r\nBOT\r\n1,0\r\n"Name"\r\n1,0\r\n"Email"\r\n1,0\r\n"Password"\r\n-1,0\r\nBOT\r\n1,0\r\n"Ada"\r\n1,0\r\n"ada@example.com"\r\n${cells.join('\r\n')}\r\n`

test('asks about the numbers of DIF: their formats and zeros are lost', async () => {
  expect(await read(dif('0,123', 'V', '-1,0', 'EOD'))).toMatchObject({
    added: [['Ada', 'ada@example.com', '123']],
    localCount: 1,
  })
})

test.each([dif('1,0'), dif('1,0', '"secret'), dif('1,0', '"secret"')])(
  'DIF that is cut is damaged: %j',
  async (text) => {
    await expect(read(text)).rejects.toThrow('damaged')
  },
)

const sylk = (password: string, end = 'E') =>
  `ID;PWXL;N;E\r\nP;PGeneral\r\nF;C1;P0\r\nC;Y1;X1;K"Name"\r\nC;X2;K"Email"\r\nC;X3;K"Password"\r\nC;Y2;X1;K"Zo\x1bNHe"\r\nC;X2;K"zoe@example.com"\r\nC;X3;K${password}\r\n${end}\r\n`

test('reads the letters and separators of SYLK as Excel writes them', async () => {
  expect(await read(sylk('"a;;b1"'))).toMatchObject({
    added: [['Zoë', 'zoe@example.com', 'a;b1']],
    doubts: [],
    localCount: 0,
  })
})

test('asks about the numbers, quotation marks and unknown letters of SYLK', async () => {
  expect((await read(sylk('123'))).localCount).toBe(1)
  expect((await read(sylk('"a""b"'))).doubts).toEqual([expect.stringMatching('Quotation marks are read')])
  expect((await read(sylk('"a\x1bN5b"'))).doubts).toContainEqual(expect.stringMatching('such as _x0041_'))
})

test('SYLK that is cut is damaged', async () => {
  await expect(read(sylk('"a1"', ''))).rejects.toThrow('damaged')
})

/** A table of dBASE with texts of 20 bytes. */
function makeDbf(rows: string[][], { driver = 0, letters = 'latin1' as BufferEncoding, deleted = -1 } = {}) {
  const names = ['NAME', 'EMAIL', 'PASSWORD']
  const header = Buffer.alloc(32 + 32 * names.length + 1)
  header.set([0x03, 126, 11, 30])
  header.writeUInt32LE(rows.length, 4)
  header.writeUInt16LE(header.length, 8)
  header.writeUInt16LE(1 + 20 * names.length, 10)
  header[29] = driver
  for (const [i, name] of names.entries()) {
    header.write(name, 32 + 32 * i, 'latin1')
    header.write('C', 32 + 32 * i + 11, 'latin1')
    header[32 + 32 * i + 16] = 20
  }
  header[header.length - 1] = 0x0d
  const records = rows.map((row, i) =>
    Buffer.concat([
      Buffer.from(i === deleted ? '*' : ' '),
      ...row.map((cell) => {
        const bytes = Buffer.from(cell, letters)
        return Buffer.concat([bytes, Buffer.alloc(20 - bytes.length, ' ')])
      }),
    ]),
  )
  return Buffer.concat([header, ...records, Buffer.from('\x1a')])
}

const people = [
  ['Zoë', 'zoe@example.com', 'a"b,c'],
  ['Ada', 'ada@example.com', ' x1\t\n"'],
]

test('reads a table of dBASE, without deleted records', async () => {
  expect(await read(makeDbf(people, { deleted: 1, letters: 'utf8' }))).toMatchObject({
    added: people.slice(0, 1),
    isEncodingUnsure: false,
  })
})

test('reads a table of dBASE in the encoding that it names, and asks about it', async () => {
  expect(await read(makeDbf(people, { driver: 0x57 }))).toMatchObject({
    added: people,
    encoding: 'windows-1252',
    isEncodingUnsure: true,
  })
})

test('a table of dBASE that is cut is damaged', async () => {
  await expect(read(makeDbf(people).subarray(0, -30))).rejects.toThrow('damaged')
})
