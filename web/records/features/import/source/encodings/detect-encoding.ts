import { normalizeText } from '../../../../../lib/texts/normalize-text.ts'
import { decodeBytes } from './decode-bytes.ts'
import { type Encoding, encodings } from './encodings.ts'
import { letters } from './letters.ts'
import { mixesScripts } from './scripts.ts'

/** A lead of this many nats over every other reading makes a guess sure: it is 400 times as likely. */
const minLead = 6
const forReader = 3
const forHeader = 8
const forEmail = 5

const sampleBytes = 20_000

/**
 * Guesses an encoding by how likely its reading is as names in one of its languages, of which the reader's are more likely.
 * `isHeader` recognises headers. `isSure`: no other reading comes close.
 */
export function guessEncoding(
  bytes: Uint8Array,
  readerLanguages: readonly string[],
  isHeader: (text: string) => boolean = () => false,
) {
  const sample = takeSample(bytes)
  const known = new Set(readerLanguages.map(toLanguageKey))
  const guesses = encodings.flatMap(({ encoding, languages, rarity }) => {
    if (languages.length === 0) return []
    const text = decodeBytes(sample, encoding)
    const headers = findHeaders(text, isHeader)
    // A header may be in another language than the names.
    const inHeaders = new Set(headers.flatMap(selectWords))
    const words = selectWords(text).filter((word) => !inHeaders.has(word))
    const evidence = headers.length * forHeader + countInEmails(text, words) * forEmail - rarity
    const isCommon = findCommon(encoding)
    return languages.map((language) => {
      const prior = known.has(language) ? forReader : 0
      return { encoding, language, text, words, score: rate(words, language, isCommon) + prior + evidence }
    })
  })
  guesses.sort((a, b) => b.score - a.score)
  const [best] = guesses
  const rival = guesses.find(({ text }) => text !== best?.text)
  if (!best || !rival) return { encoding: 'windows-1252' as Encoding, isSure: false }
  const isSure = guesses.some(
    ({ text, words, language, score }) =>
      text === best.text &&
      score - rival.score >= minLead &&
      areCommon(words, language) &&
      !words.some((word) => isOdd(word, language)),
  )
  return { encoding: best.encoding, isSure: isSure && !mixesCases(best.words) }
}

/** Whether some words begin with a small letter beyond ASCII, and others with a capital one: the small one may be another letter. */
const mixesCases = (words: readonly string[]) =>
  words.some((word) => /^[^\P{Ll}a-z]/u.test(word)) && words.some((word) => /^\p{Lu}/u.test(word))

const toLanguageKey = (language: string) => {
  if (/^zh-(tw|hk|mo|hant)/i.test(language)) return 'zh-hant'
  const key = language.toLowerCase().replace(/-.*/, '')
  return { nb: 'da', nn: 'da', no: 'da', bs: 'hr', gl: 'es', eu: 'es', az: 'tr' }[key] ?? key
}

/** Whole lines, from the one with the first byte that is not ASCII, and the header. */
function takeSample(bytes: Uint8Array): Uint8Array {
  const isLineEnd = (byte: number) => byte === 0x0a || byte === 0x0d
  const first = bytes.findIndex((byte) => byte > 0x7f)
  const start = bytes.subarray(0, first).findLastIndex(isLineEnd) + 1
  if (start + sampleBytes >= bytes.length) return bytes.subarray(start)
  const end = bytes.subarray(0, start + sampleBytes).findLastIndex(isLineEnd)
  return bytes.subarray(start, end > first ? end : start + sampleBytes)
}

/** What names do not have. None of these characters is a part of another one in any encoding, so all readings lack the same words. */
const notInNames = /[!-&*+/-:=?]/

/**
 * The different words with a character that is not ASCII, without what may be a password. Those that are damaged count each time:
 * they may have been different.
 */
function selectWords(text: string): string[] {
  const words = text
    .split(/(?:[^\S\u00a0]|[,;|"<>()/\\]|(?<!\p{L})'|'(?!\p{L}))+/u)
    .filter((word) => /[^\0-\x7f]/.test(word) && !notInNames.test(word))
  const isDamaged = (word: string) => word.includes('\ufffd')
  return [...new Set(words.filter((word) => !isDamaged(word))), ...words.filter(isDamaged)]
}

/** Lowers a letter, but not the Turkish İ, of which JavaScript would make two characters. */
const toLower = (letter: string) => (letter === 'İ' ? letter : letter.toLowerCase())

const likelihoods = new Map<string, Map<string, number>>()

function likelihoodsOf(language: string): Map<string, number> {
  const known = likelihoods.get(language)
  if (known) return known
  const all = [...(letters[language] ?? '')]
  const isWide = /[\u3000-\uffff]/.test(all[0] ?? '')
  const share = isWide ? 0.6 : 0.95
  const weights = all.map((_, rank) => 1 / (rank + (isWide ? 100 : 4)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const created = new Map(all.map((letter, i) => [letter, Math.log((share * (weights[i] ?? 0)) / total)]))
  likelihoods.set(language, created)
  return created
}

const isImpossible = (character: string) => /[\ufffd\x80-\x9f\p{Co}\p{Cn}]/u.test(character)

/** The script in which a language has more letters than those listed. */
const scripts: Record<string, RegExp> = {
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  zh: /\p{Script=Han}/u,
  'zh-hant': /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
}
const commonInScript = Math.log(0.35 / 3_700)
const rareInScript = Math.log(0.02 / 6_000)

/** The first bytes of the common characters in encodings that order them by use. */
const commonRows: Partial<Record<Encoding, readonly [first: number, last: number]>> = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  'euc-jp': [0xb0, 0xcf],
  shift_jis: [0x88, 0x98],
  'euc-kr': [0xb0, 0xc8],
}

const commonCharacters = new Map<Encoding, ReadonlySet<string>>()

/** Returns whether a character is a common one in an encoding. */
function findCommon(encoding: Encoding): (character: string) => boolean {
  const known = commonCharacters.get(encoding)
  if (known) return (character) => known.has(character)
  const [first = 1, last = 0] = commonRows[encoding] ?? []
  const common = new Set<string>()
  commonCharacters.set(encoding, common)
  for (let high = first; high <= last; high++) {
    const pairs = Array.from({ length: 0xfe - 0x40 + 1 }, (_, i) => [high, 0x40 + i]).flat()
    for (const character of decodeBytes(Uint8Array.from(pairs), encoding)) common.add(character)
  }
  return (character) => common.has(character)
}

const foreignLetter = Math.log(1e-5)
const sign = Math.log(1e-6)
const impossible = Math.log(1e-9)
const punctuation = Math.log(1e-3)

/** Capital letters begin words or are in words of capitals. */
const oddCase = Math.log(0.01)
const allCapitals = Math.log(0.1)
const lowStart = Math.log(0.1)

/** Whether some of the letters are among the common ones of a language with thousands. */
function areCommon(words: readonly string[], language: string): boolean {
  const known = likelihoodsOf(language)
  const all = words.flatMap((word) => word.match(/[^\0-\x7f]/gu) ?? [])
  return all.filter((letter) => known.has(toLower(letter))).length > all.length / 4
}

/** Whether a word is no name in a language: a letter, or with one of another language, a sign, or a capital letter where none is. */
function isOdd(word: string, language: string): boolean {
  const known = likelihoodsOf(language)
  const isForeign = (letter: string) => !known.has(toLower(letter)) && !scripts[language]?.test(letter)
  const parts = word.replace(/(Mc|Mac|De|Di|La|Le)(?=\p{Lu})/gu, '')
  return (
    mixesScripts(word) ||
    /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u.test(word) ||
    /[^\p{L}\p{M}\0-\x7f’‘–・׳״\u00b7\u00a0\u200c]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\u00a0\p{Ll}/u.test(parts) ||
    (word.match(/[^\0-\x7f]/gu) ?? []).some((letter) => /\p{L}/u.test(letter) && isForeign(letter))
  )
}

/** The logarithm of how likely the words are as names in a language. */
function rate(words: readonly string[], language: string, isCommon: (character: string) => boolean): number {
  const known = likelihoodsOf(language)
  const script = scripts[language]
  let score = 0
  for (const word of words) {
    if (mixesScripts(word)) score += oddCase
    if (/^\p{Lu}{2,}$/u.test(word)) score += allCapitals
    if (/\p{Lu}{2}\p{Ll}/u.test(word)) score += oddCase
    let previous = ''
    for (const character of word) {
      const lower = toLower(character)
      const isAscii = character <= '\x7f'
      if (!isAscii) score += known.get(lower) ?? rateOther(character, script, isCommon)
      const isCased = lower !== character.toUpperCase()
      if (isCased && (!isAscii || previous > '\x7f')) {
        const isUpper = lower !== character
        if (isUpper && /\p{Ll}/u.test(previous)) score += oddCase
        if (!isUpper && !isAscii && !/[\p{L}\p{M}’.-]/u.test(previous)) score += lowStart
      }
      previous = character
    }
  }
  return score
}

function rateOther(
  character: string,
  script: RegExp | undefined,
  isCommon: (character: string) => boolean,
): number {
  if (isImpossible(character)) return impossible
  if (script?.test(character)) return isCommon(character) ? commonInScript : rareInScript
  if (/[\p{L}\p{M}]/u.test(character)) return foreignLetter
  return /[’‘“”„–׳״\u00a0\u200c・\u3000（），、。]/.test(character) ? punctuation : sign
}

/** The cells with a character that is not ASCII in the first line that are headers. */
function findHeaders(text: string, isHeader: (text: string) => boolean): string[] {
  const [line = ''] = text.split(/[\r\n]/, 1)
  return line.split(/[,;\t|]/).filter((cell) => /[^\0-\x7f]/.test(cell) && isHeader(cell))
}

/** The number of words that an email spells. */
function countInEmails(text: string, words: readonly string[]): number {
  const emails = (text.match(/[a-z\d._-]+(?=@)/gi) ?? []).join(' ').toUpperCase()
  const isInEmail = (word: string) =>
    spellings(word).some((spelling) => /^[A-Z]{3,}$/.test(spelling) && emails.includes(spelling))
  return words.filter(isInEmail).length
}

const digraphs: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** How an email spells a word, in capitals. */
const spellings = (word: string) => [
  normalizeText(word),
  normalizeText(word.toLowerCase().replace(/[äöüåø]/g, (letter) => digraphs[letter] ?? letter)),
]
