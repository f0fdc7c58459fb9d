/** What looks or sounds the same, and Unicode normalization does not unite. Letters are capitals. */
const equals: [RegExp, string][] = [
  [/[`´ʹʻʼʽʾʿˈˊˋ΄᾽᾿`´῾‘’‚‛′‵‹›׳ߴꞋꞌ]/g, "'"],
  [/[“”„‟″‶«»〝〞〟״]/g, '"'],
  [/[\p{Dash}\u2043\u02d7]/gu, '-'],
  [/[·•‧∙⋅・]/g, '·'],
  [/[⁄∕]/g, '/'],
  [/Æ/g, 'AE'],
  [/Œ/g, 'OE'],
  [/Ø/g, 'O'],
  [/Ł/g, 'L'],
  [/[ĐÐ]/g, 'D'],
  [/Þ/g, 'TH'],
  [/Ħ/g, 'H'],
  [/Ŧ/g, 'T'],
  // The letters of Arabic, Persian and Urdu keyboards.
  [/ٱ/g, 'ا'],
  [/[ىیېے]/g, 'ي'],
  [/[کڪ]/g, 'ك'],
  [/[ةہھە]/g, 'ه'],
]
const hiragana = /[\u3041-\u3096\u309d\u309e]/g
const digits = /(?![0-9])\p{Nd}/gu
/** Characters without a width, and the Arabic letter that only makes a word longer. */
const ignorable = /\p{Default_Ignorable_Code_Point}|\u0640/gu
/** Accents, and the vowel points that people leave out. In the scripts of India and Thailand, marks are vowels that nobody does. */
const marks =
  /(?=\p{M})[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]/gu
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
  // Unicode decomposes some apostrophes into a space and an accent.
  const united = unite(character.replace(ignorable, ''))
  const normalized = unite(united.normalize('NFKD').replace(marks, '').toUpperCase())
    .replace(hiragana, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
    .replace(digits, toAsciiDigit)
  normalizedCharacters.set(character, normalized)
  return normalized
}

const unite = (text: string) => equals.reduce((united, [from, to]) => united.replace(from, to), text)

/** The ten digits of a script follow each other, from a code point that ends in 0 or in 6. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const first = code & ~0xf
  return String(code - (/\p{Nd}/u.test(String.fromCodePoint(first)) ? first : first + 6))
}

const umlaut = /[äöüåø]|[aou]\u0308|a\u030a/gi

/** Normalizes a text whose umlauts are spelled with two letters: Lösch as Loesch, Åse as Aase. Returns the same as `normalizeText` without any. */
export function normalizeSpelledOut(text: string): string {
  const spell = (letter: string) => normalizeText(letter) + (/å|\u030a/i.test(letter) ? 'A' : 'E')
  return normalizeText(text.replace(umlaut, spell))
}

/** What people leave out of a name: O'Brien, Anna-Maria, Jean Luc. */
export const separators = /[\s\p{P}\p{S}]+/u

export interface Searchable {
  /** The words of a name without what separates them, a line for each spelling, and then all that is found as it stands. */
  text: string
  /** Bit by bit, where in the text words begin, as far as a number has bits: a list for each record would make searches slow. */
  starts: number
}

/** What `includesTerm` searches. It also finds umlauts that a term spells with two letters. */
export function toSearchable(name: string, further = ''): Searchable {
  let text = ''
  let rest = ''
  let starts = 0
  for (const spell of (name + further).search(umlaut) < 0
    ? [normalizeText]
    : [normalizeText, normalizeSpelledOut]) {
    const spelled = spell(name)
    const words = spelled.split(separators)
    for (const word of words) {
      if (text.length < 31) starts |= 1 << text.length
      text += word
    }
    text += '\n'
    rest += `${words.join(' ') === spelled ? '' : spelled}\n${spell(further)}\n`
  }
  return { text: text + rest, starts }
}

/** Whether a normalized term is a part of a word, or begins with one of a name: `obrien` in O'Brien, but no `nda` in Ann Daly. */
export function includesTerm(text: string, starts: number, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const later = starts >> at
    if (at > 30 || later & 1 || !(later & ((1 << term.length) - 1))) return true
  }
  return false
}
