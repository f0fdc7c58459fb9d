/** The SHA-256 of a text, in hexadecimal digits. Rejects on plain HTTP, where browsers have no WebCrypto. */
export async function hashText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
