/**
 * Text that a spreadsheet may evaluate as a formula, also after white space or in full-width characters. Includes text that
 * begins with an apostrophe, so that unescaping restores the exact text.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaPattern = /^(?:[\s\p{Cc}]*['=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u

/** Prefixes an apostrophe to text that a spreadsheet may evaluate. */
export const escapeFormula = (text: string) => (formulaPattern.test(text) ? `'${text}` : text)

export const isEscapedFormula = (text: string) => text.startsWith("'") && formulaPattern.test(text.slice(1))

/** Reverses `escapeFormula`. Returns other text unchanged. */
export const unescapeFormula = (text: string) => (isEscapedFormula(text) ? text.slice(1) : text)
