import { msg } from '../../../../../../language/translate.ts'
import { codesDoubt, createDamagedListError, type Sheet } from '../../sheet.ts'
import { Cells } from './cells.ts'

const literalDoubt = msg('Quotation marks are read as part of the text. Check the passwords.')

/** The marks that stand before a letter which has them. */
const marks: Record<string, string> = {
  A: '\u0300',
  B: '\u0301',
  C: '\u0302',
  D: '\u0303',
  H: '\u0308',
  J: '\u030a',
  K: '\u0327',
}
const letters: Record<string, string> = { a: 'Æ', q: 'æ', i: 'Ø', y: 'ø', '{': 'ß', j: 'Œ', z: 'œ' }

/** Reads SYLK, the symbolic links of old spreadsheets: a line for each cell. Null for other text. */
export function readSylk(text: string): Sheet | null {
  if (!/^\ufeff?ID;[^\r\n]*\r?\n(P;|C;|F;|B;|O;|NN;|E\b)/.test(text)) return null
  const cells = new Cells()
  let [row, column, hasQuotes, hasCodes, isEnded] = [1, 1, false, false, false]
  const decode = (value: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins what stands for a letter
    value.replace(/\x1b(?: :|N([A-Z])(.)|N(.))/g, (code, mark?: string, base?: string, letter?: string) => {
      if (code === '\x1b :') return '\n'
      const known = mark ? marks[mark] && (base + marks[mark]).normalize('NFC') : letters[letter ?? '']
      if (!known) hasCodes = true
      return known || code
    })
  for (const line of text.split(/\r\n?|\n/)) {
    const [type, ...fields] = line.replaceAll(';;', '\0').split(';')
    if (type === 'E') isEnded = true
    if (type !== 'C' && type !== 'F') continue
    const find = (name: string) =>
      fields
        .find((field) => field.startsWith(name))
        ?.slice(1)
        .replaceAll('\0', ';')
    row = Number(find('Y') ?? row)
    column = Number(find('X') ?? column)
    const value = find('K')
    if (type === 'F' || value === undefined) continue
    const isText = value.startsWith('"')
    const shown = isText ? decode(value.replace(/^"(.*?)"?$/s, '$1')) : value
    if (isText && shown.includes('"')) hasQuotes = true
    if (!(row > 0 && column > 0)) throw createDamagedListError()
    cells.set(row, column - 1, shown, /^[-+\d.]/.test(value))
  }
  if (!isEnded) throw createDamagedListError()
  return cells.toSheet([...(hasQuotes ? [literalDoubt] : []), ...(hasCodes ? [codesDoubt] : [])])
}
