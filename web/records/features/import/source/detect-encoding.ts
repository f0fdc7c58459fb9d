import { analyse } from 'chardet'
import { encodings } from './encodings.ts'

/** Points, of which chardet gives up to 100. With these, 289 of 295 lists of names are read right, the 6 others are unsure. */
const languagePoints = 50
const oddnessPoints = 300
const minLead = 25

const sampleBytes = 20_000

/** Guesses an encoding, by chardet, by the reader's languages, and by how odd its words would be. `isSure`: none comes close. */
export function guessEncoding(bytes: Uint8Array, readerLanguages: readonly string[]) {
  const start = bytes.findIndex((byte) => byte > 0x7f)
  const sample = selectWords(bytes.subarray(start, start + sampleBytes))
  const ratings = rate(sample)
  const known = new Set(readerLanguages.map(toLanguageKey))
  const guesses = encodings.flatMap(([encoding, , languages, family]) => {
    if (languages === '') return []
    const text = new TextDecoder(encoding).decode(sample)
    // chardet does not know Mac OS Roman: it gets the text in the encoding that it knows.
    const rated = encoding === 'macintosh' ? rate(Uint8Array.from(text, toByte)) : ratings
    const points = Math.max(rated.get(encoding) ?? 0, rated.get(family) ?? 0)
    const forLanguage = languages.split(' ').some((language) => known.has(language)) ? languagePoints : 0
    return [{ encoding, text, score: points + forLanguage - oddnessPoints * measureOddness(text) }]
  })
  guesses.sort((a, b) => b.score - a.score)
  const { encoding = 'windows-1252', text, score = 0 } = guesses[0] ?? {}
  const rival = guesses.find((guess) => guess.text !== text)
  return { encoding, isSure: score - (rival?.score ?? -Infinity) >= minLead }
}

const toLanguageKey = (language: string) =>
  /^zh-(tw|hk|mo|hant)/i.test(language) ? 'zh-hant' : language.toLowerCase().replace(/-.*/, '')

const toByte = (character: string) => character.charCodeAt(0) & 0xff

const rate = (sample: Uint8Array) =>
  new Map(analyse(sample).map(({ name, confidence }) => [name.toLowerCase(), confidence]))

/** The words with a byte that is not ASCII. The others, such as emails and passwords, would outvote them. */
function selectWords(bytes: Uint8Array): Uint8Array {
  const words = String.fromCharCode(...bytes).split(/[ \t\r\n,;"]+/)
  return Uint8Array.from(words.filter((word) => /[\x80-\xff]/.test(word)).join(' '), toByte)
}

/** A capital letter within a word, and what is neither letter nor usual punctuation. */
const odd = /\p{Ll}(?=\p{Lu})|[^\p{L}\p{M}\0-\x7f’‘“”–—·、。，・ー々（）\u3000]/gu
const impossible = /[\ufffd\x80-\x9f\p{Co}\p{Cn}]/gu

/** Returns the share, from 0 to 1, of the characters beyond ASCII that do not occur in names. */
function measureOddness(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return Math.min(1, (count(odd) + 3 * count(impossible)) / Math.max(1, count(/[^\0-\x7f]/gu)))
}
