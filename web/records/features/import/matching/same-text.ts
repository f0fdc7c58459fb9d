import { unescapeFormula } from '../../../model/spreadsheet/escape-formulas.ts'

/**
 * Whether a cell has the text of a record, perhaps in other letters, as programs write them: with decomposed accents, with other
 * line breaks, or with the escapes of our own exports, which a spreadsheet has kept as text.
 */
export const isSameText = (cell: string, text: string): boolean =>
  cell === text || readings(cell).includes(normalizeText(text))

/** The texts that a cell may stand for, as `normalizeText` returns them. */
export function readings(cell: string): string[] {
  if (!mayBeEscaped.test(cell)) return [normalizeText(cell)]
  const unescaped = unescapeWorkbook(cell)
  const forms = [cell, unescapeFormula(cell), unescaped, unescapeFormula(unescaped)]
  return [...new Set(forms.map(normalizeText))]
}

const mayBeEscaped = /'|_x/i

/** The same for texts in which programs write the same letters and line breaks differently. */
export const normalizeText = (text: string) => text.normalize('NFC').replace(/\r\n?/g, '\n')

/** Reverses the escapes in our workbooks of what XML cannot hold. */
const unescapeWorkbook = (text: string) =>
  text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
