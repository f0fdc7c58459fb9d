import { unescapeFormula } from '../../model/spreadsheet/escape-formulas.ts'

/**
 * Whether a cell has the text of a record, perhaps in other letters, as programs write them: with decomposed accents, with other
 * line breaks, or with the escapes of our own exports, which a spreadsheet has kept as text.
 */
export function isSameText(cell: string, text: string): boolean {
  if (cell === text) return true
  const own = normalize(text)
  const unescaped = unescapeWorkbook(cell)
  return [cell, unescapeFormula(cell), unescaped, unescapeFormula(unescaped)].some(
    (form) => normalize(form) === own,
  )
}

const normalize = (text: string) => text.normalize('NFC').replace(/\r\n?/g, '\n')

/** Reverses the escapes in our workbooks of what XML cannot hold. */
const unescapeWorkbook = (text: string) =>
  text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
