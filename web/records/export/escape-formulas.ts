/**
 * Text that a spreadsheet may evaluate as a formula, also after white space or in full-width characters. Includes text that
 * begins with an apostrophe, so that unescaping restores the exact text.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaPattern = /^(?:[\s\p{Cc}]*['=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u

/** The place after what some spreadsheets take for the end of a cell (`;`), where a formula follows, also behind quotes. */
const innerFormulaPattern = /(?<=[;\t\r\n])(?=[\s\p{Cc}"]*['=+\-@\uff1d\uff0b\uff0d\uff20])/gu
const innerEscapePattern = new RegExp(innerFormulaPattern.source.replace('(?=', "'(?="), 'gu')

/** Puts an apostrophe before what a spreadsheet may evaluate. */
export function escapeFormula(text: string): string {
  const escaped = text.replaceAll(innerFormulaPattern, "'")
  return formulaPattern.test(escaped) ? `'${escaped}` : escaped
}

export function isEscapedFormula(text: string): boolean {
  return unescapeFormula(text) !== text
}

/** Reverses `escapeFormula`. Returns other text unchanged. */
export function unescapeFormula(text: string): string {
  const escaped = text.startsWith("'") && formulaPattern.test(text.slice(1)) ? text.slice(1) : text
  return escaped.replaceAll(innerEscapePattern, '')
}
