/**
 * Text that a spreadsheet may evaluate as a formula, also after white space or in full-width characters. Includes text that
 * begins with an apostrophe, so that unescaping restores the exact text.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaPattern = /^(?:[\s\p{Cc}]*['=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u

/** Prefixes an apostrophe to text that a spreadsheet may evaluate. */
export function escapeFormula(text: string): string {
  return formulaPattern.test(text) ? `'${text}` : text
}

export function isEscapedFormula(text: string): boolean {
  return text.startsWith("'") && formulaPattern.test(text.slice(1))
}

/** Reverses `escapeFormula`. Returns other text unchanged. */
export function unescapeFormula(text: string): string {
  return isEscapedFormula(text) ? text.slice(1) : text
}
