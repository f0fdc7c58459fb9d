export interface DecodedText {
  text: string
  /** A label of the Encoding Standard, such as `utf-8`. */
  encoding: string
}

/**
 * Decodes a file of unknown encoding. Uses the byte order mark; otherwise UTF-16 if many bytes at even or at odd offsets
 * are zero; otherwise UTF-8 if the bytes are valid; otherwise Windows-1252, which spreadsheets on Windows write and which
 * can decode any bytes.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding =
    detectByteOrderMark(bytes) ?? guessUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function detectByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function guessUtf16(bytes: Uint8Array): string | undefined {
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
