/**
 * Text that a spreadsheet may evaluate as a formula, also after white space or in full-width characters. Includes text that
 * begins with an apostrophe, so that unescaping restores the exact text.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaPattern = /^(?:[\s\p{Cc}]*['=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u

const formulaAhead = /(?=[\s\p{Cc}"]*(?:''|[=+\-@\uff1d\uff0b\uff0d\uff20]))/u.source

/**
 * Matches after a separator in a text if a formula may follow: a spreadsheet that expects another separator than the comma splits
 * the text there, and may remove quotation marks. Includes two apostrophes, so that unescaping restores the exact text.
 */
const innerPattern = new RegExp(`(?<=[,;\\t\\r\\n])${formulaAhead}`, 'gu')
const escapedInnerPattern = new RegExp(`(?<=[,;\\t\\r\\n])''${formulaAhead}`, 'gu')

/** Prefixes an apostrophe to text that a spreadsheet may evaluate, and two to such a part of it: they are rarer in passwords. */
export function escapeFormula(text: string): string {
  const escaped = text.replace(innerPattern, "''")
  return formulaPattern.test(escaped) ? `'${escaped}` : escaped
}

export const isEscapedFormula = (text: string) => unescapeFormula(text) !== text

/** Reverses `escapeFormula`. Returns other text unchanged. */
export function unescapeFormula(text: string): string {
  const isPrefixed = text.startsWith("'") && formulaPattern.test(text.slice(1))
  return (isPrefixed ? text.slice(1) : text).replace(escapedInnerPattern, '')
}
