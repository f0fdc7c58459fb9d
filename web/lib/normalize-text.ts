/** What looks or sounds the same, and Unicode normalization does not unite. Letters are capitals. */
const equals: Record<string, string> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
  // The letters of Arabic, Persian and Urdu keyboards.
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ے: 'ي',
  ک: 'ك',
  ڪ: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  '⁄': '/',
  '∕': '/',
}
const apostrophes = /[`´ʹʻʼʽʾʿˈˊˋ΄᾽᾿`´῾‘’‚‛′‵‹›׳ߴꞋꞌ]/g
const doubleQuotes = /[“”„‟″‶«»〝〞〟״]/g
const dashes = /[\p{Dash}\u2043\u02d7]/gu
const dots = /[·•‧∙⋅・]/g
const hiragana = /[\u3041-\u3096\u309d\u309e]/g
const digits = /(?![0-9])\p{Nd}/gu
const unequal = new RegExp(`[${Object.keys(equals).join('')}]`, 'g')
/** Characters without a width, and the Arabic letter that only makes a word longer. */
const ignorable = /\p{Default_Ignorable_Code_Point}|\u0640/gu
/** Accents, and the vowel points that people leave out. In the scripts of India and Thailand, marks are vowels that nobody does. */
const marks =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu
/** Characters that more than `toUpperCase` normalizes: those beyond ASCII, and the backtick, which stands for an apostrophe. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes the control characters
const special = /[^\x00-\x5f\x61-\x7f]/gu

/** Each special character is normalized once: a search of 100,000 records would take six times as long. */
const normalizedCharacters = new Map<string, string>()

/**
 * Removes differences of case, accents, width, punctuation that looks the same, and letters that keyboards confuse, so that a query
 * typed on any keyboard matches. Uses upper case, because it maps all forms of a letter to one (σ and ς to Σ, ß to SS).
 * Normalizing each letter separately gives the same result as normalizing the whole text; `highlight.tsx` depends on this.
 */
export function normalizeText(text: string): string {
  return text.replace(special, normalizeCharacter).toUpperCase()
}

function normalizeCharacter(character: string): string {
  const known = normalizedCharacters.get(character)
  if (known !== undefined) return known
  const normalized = character
    .replace(ignorable, '')
    // Unicode decomposes some of them into a space and an accent.
    .replace(apostrophes, "'")
    .normalize('NFKD')
    .replace(marks, '')
    .toUpperCase()
    .replace(apostrophes, "'")
    .replace(doubleQuotes, '"')
    .replace(dashes, '-')
    .replace(dots, '·')
    .replace(hiragana, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
    .replace(digits, toAsciiDigit)
    .replace(unequal, (letter) => equals[letter] ?? letter)
  normalizedCharacters.set(character, normalized)
  return normalized
}

/** The ten digits of a script follow each other, from a code point that ends in 0 or in 6. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const first = code & ~0xf
  return String(code - (/\p{Nd}/u.test(String.fromCodePoint(first)) ? first : first + 6))
}

const umlauts: Record<string, string> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA', Ø: 'OE' }
const umlaut = /[äöüåø]|[aou]\u0308|a\u030a/gi

/** Normalizes a text whose umlauts are spelled with two letters: Lösch as Loesch. Returns the same as `normalizeText` without any. */
export function normalizeSpelledOut(text: string): string {
  return normalizeText(
    text.replace(umlaut, (letter) => umlauts[letter.normalize('NFC').toUpperCase()] ?? letter),
  )
}

/** A text in which a normalized term without line breaks is found, also where it spells umlauts with two letters. */
export function toSearchable(text: string): string {
  const normalized = normalizeText(text)
  return text.search(umlaut) < 0 ? normalized : `${normalized}\n${normalizeSpelledOut(text)}`
}
