import type { Encoding } from './encodings.ts'

/**
 * Decodes a file in an encoding, by default in that of its byte order mark; otherwise in UTF-16 if many bytes at even or at odd
 * offsets are zero; otherwise in UTF-8 if the bytes are valid; otherwise in what `guessEncoding` returns, which may be unsure.
 */
export async function decodeText(bytes: Uint8Array, encoding?: Encoding, languages = navigator.languages) {
  const known =
    encoding ?? detectByteOrderMark(bytes) ?? guessUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : undefined)
  if (known) return { text: new TextDecoder(known).decode(bytes), encoding: known, isSure: true }
  const { guessEncoding } = await import('./detect-encoding.ts')
  const guess = guessEncoding(bytes, languages)
  return { text: new TextDecoder(guess.encoding).decode(bytes), ...guess }
}

function detectByteOrderMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function guessUtf16(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, 2000)
  const countZeros = (parity: number) => sample.filter((byte, i) => byte === 0 && i % 2 === parity).length
  const minZeros = sample.length * 0.2
  if (countZeros(1) > minZeros && countZeros(0) < countZeros(1) / 4) return 'utf-16le'
  if (countZeros(0) > minZeros && countZeros(1) < countZeros(0) / 4) return 'utf-16be'
  return undefined
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
