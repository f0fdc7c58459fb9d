import { codePages } from './code-pages.ts'
import type { Encoding } from './encodings.ts'

/** Decodes bytes in an encoding, with U+FFFD for what is invalid in it. Leaves out a byte order mark. */
export function decodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(bytes, encoding === 'utf-32le')
  if (encoding === 'utf-7') return decodeUtf7(toAscii(bytes))
  if (!(encoding in codePages)) return new TextDecoder(encoding).decode(bytes)
  const page = codePages[encoding as keyof typeof codePages]
  return toAscii(bytes).replace(/[\x80-\xff]/g, (byte) => page[byte.charCodeAt(0) - 0x80] ?? '\ufffd')
}

/** Functions take a limited number of arguments. */
const bytesPerPart = 10_000

/** Each byte becomes the character with its number. */
export function toAscii(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += bytesPerPart)
    text += String.fromCharCode(...bytes.subarray(start, start + bytesPerPart))
  return text
}

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const characters: string[] = []
  for (let i = 0; i + 4 <= bytes.length; i += 4) {
    const code = view.getUint32(i, isLittleEndian)
    characters.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return characters.join('').replace(/^\ufeff/, '')
}

/** UTF-16 in Base64 stands between a plus sign and a minus sign, or what is not Base64 (RFC 2152). */
const utf7Pattern = /\+([A-Za-z\d+/]*)-?/g

export function decodeUtf7(text: string): string {
  return text.replace(utf7Pattern, (all, base64: string) => {
    if (base64 === '') return all.replace(/-$/, '')
    const bytes = Uint8Array.from(
      atob(base64.slice(0, base64.length - (base64.length % 4 === 1 ? 1 : 0))),
      (byte) => byte.charCodeAt(0),
    )
    return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1))
  })
}
