import { isHeader } from '../detect-columns.ts'
import { loadPart } from '../sheet.ts'
import { decodeBytes, decodeUtf7, toAscii } from './decode-bytes.ts'
import type { Encoding } from './encodings.ts'
import { mixesScripts } from './scripts.ts'

/**
 * Decodes a file in an encoding, by default in that of its byte order mark; otherwise in UTF-16 if zeros are at even or at odd
 * offsets; otherwise in UTF-8 if the bytes are valid, or mostly valid; otherwise in what `guessEncoding` returns, which may be unsure.
 */
export async function decodeText(
  bytes: Uint8Array,
  encoding?: Encoding,
  languages: readonly string[] = navigator.languages,
) {
  const known = encoding ?? detectByteOrderMark(bytes) ?? guessWideUnicode(bytes) ?? guessSevenBit(bytes)
  if (known)
    return {
      text: decodeBytes(bytes, known),
      encoding: known,
      isSure: encoding !== undefined || known !== 'utf-7',
    }
  if (isUtf8(bytes)) {
    const text = decodeBytes(bytes, 'utf-8')
    return { text, encoding: 'utf-8' as const, isSure: !isByChance(text) }
  }
  if (isMostlyUtf8(bytes))
    return { text: decodeBytes(bytes, 'utf-8'), encoding: 'utf-8' as const, isSure: false }
  const { guessEncoding } = await loadPart(import('./detect-encoding.ts'))
  const guess = guessEncoding(bytes, languages, isHeader)
  return { text: decodeBytes(bytes, guess.encoding), ...guess }
}

function detectByteOrderMark([first, second, third, fourth]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** Text in other encodings has no zeros. In these they are the upper bytes of ASCII, which any list has. */
function guessWideUnicode(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, 2000)
  const zeros = [0, 0, 0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 4] = (zeros[i % 4] ?? 0) + 1
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros
  const [even, odd] = [first + third, second + fourth]
  const minZeros = sample.length * 0.05
  if (Math.min(third, fourth) > sample.length / 5) return 'utf-32le'
  if (Math.min(first, second) > sample.length / 5) return 'utf-32be'
  if (odd > minZeros && even < odd / 4) return 'utf-16le'
  return even > minZeros && odd < even / 4 ? 'utf-16be' : undefined
}

/** Recognises ASCII that stands for other characters: escape sequences in ISO 2022, Base64 in UTF-7. */
function guessSevenBit(bytes: Uint8Array): Encoding | undefined {
  if (bytes.some((byte) => byte > 0x7f) || !bytes.some((byte) => byte === 0x1b || byte === 0x2b))
    return undefined
  const text = toAscii(bytes)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins an escape sequence
  if (/\x1b\$[@B]/.test(text)) return 'iso-2022-jp'
  const parts = text.match(/\+[A-Za-z\d+/]*-?/g) ?? []
  const isPlus = (part: string) => part === '+-'
  return parts.every((part) => isPlus(part) || isUtf7(part)) && !parts.every(isPlus) ? 'utf-7' : undefined
}

/** Base64 of units of 16 bits, whose last bits, which stand for nothing, are zeros. */
const wholeUnits = /^\+(?:[A-Za-z\d+/]{8})*(?:[A-Za-z\d+/]{2}[AEIMQUYcgkosw048]|[A-Za-z\d+/]{5}[AQgw])?-?$/

/** Whether a part of a text stands for letters of one alphabet in UTF-7: passwords have plus signs too. */
function isUtf7(part: string): boolean {
  const text = wholeUnits.test(part) ? decodeUtf7(part) : ''
  return /^[\p{L}\p{M}]+$/u.test(text) && !mixesScripts(text)
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Whether few characters are beyond ASCII, and in no name: other encodings may have the same bytes. */
function isByChance(text: string): boolean {
  if (!/[^\0-\x7f]/.test(text)) return false
  // Not by one expression, which would look at each long word once per character.
  const words = text.split(/[\s,;|]+/).filter((word) => /[^\0-\x7f]/.test(word))
  return words.length < 5 && words.some((word) => mixesScripts(word) || /[\x80-\x9f\p{Cn}\p{Co}]/u.test(word))
}

/** Another program may have appended rows in another encoding. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = decodeBytes(bytes, 'utf-8')
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/[^\0-\x7f\ufffd]/gu) > 2 * count(/\ufffd/g)
}
