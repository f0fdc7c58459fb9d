import { type Message, msg } from '../../../../../language/translate.ts'

const picture = msg('This is a picture, not a list.')
export const letter = msg('This is a document, not a spreadsheet. Copy its table and paste it here.')
const compressed = msg('This is a compressed file. Unpack it and import the list that is in it.')
const oldWorkbook = msg('This Excel file is of a kind that can’t be read. Save it as .xlsx and import that.')
export const program = msg('This is a program, not a list.')
export const message = msg('This is a message, not a list. Copy its table and paste it here.')
const sound = msg('This is a recording, not a list.')
export const noList = msg('There is no list in this file.')

/** How files of other kinds begin: bytes, some of them anywhere else than at the beginning. */
const signatures: readonly [kind: Message, bytes: string, offset?: number][] = [
  [picture, '\x89PNG'],
  [picture, '\xff\xd8\xff'],
  [picture, 'GIF8'],
  [picture, 'WEBP', 8],
  [picture, 'II*\0'],
  [picture, 'MM\0*'],
  [picture, '8BPS\0'],
  [picture, '\0\0\x01\0'],
  [picture, 'ftypheic', 4],
  [picture, 'ftypheix', 4],
  [picture, 'ftypmif1', 4],
  [picture, 'ftypavif', 4],
  [sound, 'ftyp', 4],
  [sound, 'ID3'],
  [sound, 'OggS\0'],
  [sound, 'WAVE', 8],
  [sound, 'AVI ', 8],
  [sound, '\x1aE\xdf\xa3'],
  [msg('This is a PDF, not a list. Export the list as .xlsx or CSV and import that.'), '%PDF-'],
  [letter, '%!PS'],
  [letter, '{\\rtf'],
  [compressed, '\x1f\x8b'],
  [compressed, '7z\xbc\xaf'],
  [compressed, 'Rar!\x1a'],
  [compressed, 'BZh'],
  [compressed, '\xfd7zXZ'],
  [compressed, '\x28\xb5\x2f\xfd'],
  [compressed, 'PK\x05\x06'],
  [compressed, 'PK\x07\x08'],
  [compressed, 'ustar', 257],
  [program, '\x7fELF'],
  [program, '\xcf\xfa\xed\xfe'],
  [program, '\xca\xfe\xba\xbe'],
  [program, '\0asm'],
  [program, '#!'],
  [program, '<?php'],
]

/** Says what a file is that is neither text nor an archive that may hold a list; undefined if it may be a list. By its content. */
export function recognizeContent(file: Uint8Array): Message | undefined {
  const start = String.fromCharCode(...file.subarray(0, 1_024))
  if (/^[^<]{0,9}(<[?!][^>]*>\s*)*<svg[\s>]/i.test(start)) return picture
  const isBitmap = start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0'
  if (isBitmap) return picture
  if (start.startsWith('MZ') && start.includes('\0\0')) return program
  return signatures.find(([, bytes, offset = 0]) => start.startsWith(bytes, offset))?.[0]
}

/** Says what a ZIP file is by its parts, which are in lower case; it holds no workbook. */
export function recognizeZip(paths: ReadonlySet<string>, content: string | undefined): Message {
  if (content?.includes('<office:text') || content?.includes('<office:presentation')) return letter
  if (paths.has('word/document.xml') || paths.has('ppt/presentation.xml')) return letter
  if (content?.includes('<office:drawing')) return picture
  if ([...paths].some((path) => path.endsWith('.iwa') || path === 'index.zip'))
    return msg('This is a file of Numbers or Pages. Export it as .xlsx or CSV and import that.')
  return compressed
}

/** The names of streams in compound files, which Office used before 2007. */
const streams: readonly [name: string, kind: Message][] = [
  [
    'EncryptedPackage',
    msg('This workbook is locked with a password. Remove the password and import it again.'),
  ],
  ['WordDocument', letter],
  ['PowerPoint Document', letter],
  ['__properties_version1.0', message],
]

/** Says what a compound file is by the names in its directory, which are in UTF-16 LE; undefined for a workbook of Excel 97 to 2003. */
export function recognizeCompoundFile(file: Uint8Array): Message | undefined {
  const text = new TextDecoder('latin1').decode(file)
  const hasStream = (name: string) => text.includes([...name].join('\0'))
  const found = streams.find(([name]) => hasStream(name))
  if (found) return found[1]
  // Before Excel 97, texts were in an encoding that the file does not always tell.
  return hasStream('Workbook') ? undefined : oldWorkbook
}

/** Whether a text is mostly of characters that no list has, as bytes have that are no text. */
export function isNoise(text: string): boolean {
  const sample = text.slice(0, 10_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no list has
  const odd = sample.match(/[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff]|\p{Surrogate}/gu)?.length ?? 0
  return odd > sample.length * 0.02
}
