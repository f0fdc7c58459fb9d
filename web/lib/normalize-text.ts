import { toUnicode } from 'punycode/punycode.es6.js'
import { toAsciiEmail } from '../../contract/employees.ts'

/** Capital letters that Unicode normalization does not decompose into a base letter and a combining mark. */
const baseLetters: Record<string, string> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
}
const nonDecomposableLetters = /[ÆŒØŁĐÐÞĦŦ]/g
const combiningMarks = /\p{M}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes the control characters
const nonAscii = /[^\x00-\x7f]/

/**
 * Removes differences of case, accents and width, so that a query typed on any keyboard matches. Uses upper case, because
 * it maps all forms of a letter to one (σ and ς to Σ, ß to SS). Normalizing each letter separately gives the same result
 * as normalizing the whole text; `highlight.tsx` depends on this.
 */
export function normalizeText(text: string): string {
  if (!nonAscii.test(text)) return text.toUpperCase()
  const withoutMarks = text.normalize('NFKD').replace(combiningMarks, '').toUpperCase()
  return withoutMarks.replace(nonDecomposableLetters, (letter) => baseLetters[letter] ?? letter)
}

/** Writes an email as people do: a domain that is stored as `xn--…` with its letters. Its inverse is `toAsciiEmail`. */
export function toUnicodeEmail(email: string): string {
  if (!/xn--/i.test(email)) return email
  try {
    const readable = toUnicode(email)
    return toAsciiEmail(readable).toLowerCase() === email.toLowerCase() ? readable : email
  } catch {
    return email
  }
}
