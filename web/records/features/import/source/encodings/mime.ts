/** Decodes the names of mails (RFC 2047), such as `=?utf-8?Q?Zo=C3=AB?=`. Returns other text unchanged. */
export const decodeMimeWords = (text: string) =>
  text
    .replace(/(=\?[^?\s]{1,40}\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]{1,40}\?[bq]\?)/gi, '$1')
    .replace(
      /=\?([^?*\s]{1,40})(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/gi,
      (word, charset: string, form: string, content: string) => {
        const bytes = /q/i.test(form)
          ? decodeQuotedPrintable(content.replaceAll('_', ' '))
          : decodeBase64(content)
        return bytes ? decodeCharset(bytes, charset) : word
      },
    )

/** The bytes of quoted-printable text (RFC 2045). */
export function decodeQuotedPrintable(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text)
  const decoded: number[] = []
  for (let i = 0; i < bytes.length; i++) {
    const [, code] =
      bytes[i] === 0x3d
        ? (/^=([\da-f]{2})/i.exec(String.fromCharCode(...bytes.subarray(i, i + 3))) ?? [])
        : []
    decoded.push(code ? Number.parseInt(code, 16) : (bytes[i] ?? 0))
    if (code) i += 2
  }
  return Uint8Array.from(decoded)
}

/** The bytes of Base64; undefined if it is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.trim()), (byte) => byte.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Decodes bytes in a character set, by default UTF-8; in Windows-1252 if they are not valid in it or it is not known. */
export function decodeCharset(bytes: Uint8Array, charset = ''): string {
  try {
    return new TextDecoder(charset || 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
