import { format, getFormatDateInfo, getLocale } from 'numfmt'
import { formatLocalDate } from '../local-date.ts'
import type { Cell } from './sheets.ts'

/** The formats that a file names by number only (ECMA-376, 18.8.30). What no code stands for depends on the computer. */
const builtInCodes: Record<string, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0_);($#,##0)',
  6: '$#,##0_);[Red]($#,##0)',
  7: '$#,##0.00_);($#,##0.00)',
  8: '$#,##0.00_);[Red]($#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
}

/** Stand for the codes of dates that each computer writes in its own way. */
export const localDate = 'local date'
export const localDateTime = 'local date and time'

/** The code of a format that is built into spreadsheet programs; empty for the general one. */
export function findBuiltInCode(id: number): string {
  if (id === 22) return localDateTime
  // Those of East Asia are other dates in each country.
  if (id === 14 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return localDate
  return builtInCodes[id] ?? ''
}

/** Longer codes are ignored, as by Excel. */
const maxCodeLength = 255

/** The days by which dates are counted later in workbooks of old Macs. */
const daysOf1904 = 1_462

/** The digits of a number that spreadsheets keep. */
const maxDigits = 15

export type FormatCell = (value: string, code: string) => Cell

/** Formats the values of cells as their sheet shows them on this computer, in this language. */
export function createFormatter(language: string, is1904: boolean): { number: FormatCell; text: FormatCell } {
  const traits = new Map<string, CodeTraits>()
  const findTraits = (code: string) => {
    const known = traits.get(code) ?? describeCode(code)
    traits.set(code, known)
    return known
  }

  function formatNumber(value: string, code: string): Cell {
    const number = Number(value)
    if (value.trim() === '' || !Number.isFinite(number)) return { text: value }
    const { isGeneral, isDate, hasSlash, isLocal } = findTraits(code)
    const days = isDate && is1904 ? number + daysOf1904 : number
    if (code === localDate || code === localDateTime) return formatDate(days, code, language)
    if (isGeneral) return formatGeneral(value, number, language)
    const zeros = /^0+$/.test(code) && /^\d+$/.test(value)
    // To the last digit, however many there are.
    if (zeros) return { text: value.replace(/^0+(?=\d)/, '').padStart(code.length, '0') }
    const text = tryFormat(code, days, language)?.trim()
    // A format that shows nothing hides the value, which the sheet still has.
    if (!text) return { ...formatGeneral(value, number, language), isLocal: true }
    const hasMoreDigits = !isDate && Math.abs(number) >= 10 ** maxDigits
    const differs = (other: string) => tryFormat(code, days, other)?.trim() !== text
    return hasMoreDigits || hasSlash || (isLocal && languages.some(differs))
      ? { text, isLocal: true }
      : { text }
  }

  function formatText(text: string, code: string): Cell {
    if (code === '' || code === '@' || code.length > maxCodeLength || !/@|;.*;.*;/.test(code)) return { text }
    // A space as wide as a character aligns the text, and is no part of it.
    const shown = tryFormat(code.replace(/(\\.|"[^"]*")|[_*]./g, '$1'), text, language)
    if (shown === '') return { text, isLocal: true }
    return { text: shown?.includes(text) ? shown : text }
  }

  return { number: formatNumber, text: formatText }
}

interface CodeTraits {
  isGeneral: boolean
  isDate: boolean
  /** Excel shows the separator of the computer's dates for a slash in one. */
  hasSlash: boolean
  /** What it makes of some values depends on the computer. */
  isLocal: boolean
}

/** Languages that write numbers, months and days in other ways. */
const languages = ['en', 'de', 'fr']
const samples = [45_678.912_3, 1_234_567.891, -1_234.5, 0.5]

function describeCode(code: string): CodeTraits {
  if (code === localDate || code === localDateTime)
    return { isGeneral: false, isDate: true, hasSlash: true, isLocal: true }
  if (code.length > maxCodeLength || /^(general|@)?$/i.test(code))
    return { isGeneral: true, isDate: false, hasSlash: false, isLocal: false }
  const isDate = hasDate(code)
  const hasSlash = isDate && code.replace(/\\.|"[^"]*"|AM\/PM|A\/P/gi, '').includes('/')
  const isLocal = samples.some(
    (sample) => new Set(languages.map((language) => tryFormat(code, sample, language))).size > 1,
  )
  return { isGeneral: false, isDate, hasSlash, isLocal }
}

const millisecondsPerDay = 86_400_000

function formatDate(days: number, code: string, language: string): Cell {
  // Spreadsheets have a 29th of February 1900.
  const day = Date.UTC(1899, 11, 30) + (Math.floor(days) + (days < 61 ? 1 : 0)) * millisecondsPerDay
  const date = Number.isNaN(new Date(day).getTime()) ? String(days) : formatLocalDate(day, language)
  const time = code === localDateTime ? ` ${tryFormat('h:mm', days, language)}` : ''
  return { text: date + time, isLocal: true }
}

function hasDate(code: string): boolean {
  try {
    const { year, month, day } = getFormatDateInfo(code)
    return year || month || day
  } catch {
    return false
  }
}

/** Returns undefined for a code that is invalid, or in the words of a language. */
function tryFormat(code: string, value: number | string, language: string): string | undefined {
  try {
    return format(code, value, { locale: language })
  } catch {
    return undefined
  }
}

/** Digits are written out, where a narrow column would have an exponent. */
function formatGeneral(value: string, number: number, language: string): Cell {
  // To the last digit, even where the program that has written it would show fewer.
  if (/^-?\d+$/.test(value)) {
    const text = BigInt(value).toString()
    return text.length > maxDigits + 1 ? { text, isLocal: true } : { text }
  }
  const rounded = Number(number.toPrecision(maxDigits))
  if (Number.isInteger(rounded) && Math.abs(rounded) < 1e21) {
    const hasLostDigits = Math.abs(rounded) >= 10 ** maxDigits
    return hasLostDigits ? { text: String(rounded), isLocal: true } : { text: String(rounded) }
  }
  if (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e21)
    return { text: String(rounded).replace('.', getLocale(language)?.decimal ?? '.'), isLocal: true }
  return { text: tryFormat('General', number, language) ?? value, isLocal: true }
}

/** An ISO 8601 date as the number of days that other cells have; other text is unchanged. */
export function toSerialDate(text: string): string {
  const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(text) || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time) ? text : String((time - Date.UTC(1899, 11, 30)) / millisecondsPerDay)
}
