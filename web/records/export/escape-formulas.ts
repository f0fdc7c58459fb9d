/**
 * What a spreadsheet may take for a formula when it opens a file, also behind spaces and in full-width letters; and an
 * apostrophe before it, so that taking the protection off is exact.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaPattern = /^(?:[\s\p{Cc}]*['=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u

/** Puts an apostrophe before text that a spreadsheet could carry out. */
export function escapeFormula(text: string): string {
  return formulaPattern.test(text) ? `'${text}` : text
}

export function isEscapedFormula(text: string): boolean {
  return text.startsWith("'") && formulaPattern.test(text.slice(1))
}

/** The text as it was before `protect`; what was not protected stays as it is. */
export function unescapeFormula(text: string): string {
  return isEscapedFormula(text) ? text.slice(1) : text
}
