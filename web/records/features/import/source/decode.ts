/** Names of encodings for the user, by their label in the Encoding Standard. */
export const encodings = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16 LE)',
  'utf-16be': 'Unicode (UTF-16 BE)',
  'windows-1252': 'Western (Windows-1252)',
  macintosh: 'Western (Mac OS Roman)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  gb18030: 'Chinese (GB18030)',
  big5: 'Chinese (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
} as const

export type Encoding = keyof typeof encodings

/** Decodes a file in an encoding, by default the one that `detectEncoding` returns. */
export function decodeText(bytes: Uint8Array, encoding = detectEncoding(bytes)) {
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

/**
 * Uses the byte order mark; otherwise UTF-16 if many bytes at even or at odd offsets
 * are zero; otherwise UTF-8 if the bytes are valid; otherwise Windows-1252, which spreadsheets on Windows write and which
 * can decode any bytes.
 */
function detectEncoding(bytes: Uint8Array): Encoding {
  return detectByteOrderMark(bytes) ?? guessUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
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
