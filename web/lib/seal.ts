const algorithm = 'AES-GCM'
const ivLength = 12

/** Browsers encrypt only over HTTPS and on localhost. */
export const canSeal = () => globalThis.crypto?.subtle !== undefined

/** Encrypts a text with a new key of 256 bits. Both are returned as base64url. */
export async function seal(text: string): Promise<{ sealed: string; key: string }> {
  const key = await crypto.subtle.generateKey({ name: algorithm, length: 256 }, true, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const encrypted = await crypto.subtle.encrypt({ name: algorithm, iv }, key, new TextEncoder().encode(text))
  const { k = '' } = await crypto.subtle.exportKey('jwk', key)
  return { sealed: toBase64Url(new Uint8Array([...iv, ...new Uint8Array(encrypted)])), key: k }
}

/** Rejects if the key is not that of the sealed text. */
export async function unseal(sealed: string, key: string): Promise<string> {
  const bytes = fromBase64Url(sealed)
  const jwk = { kty: 'oct', k: key }
  const imported = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['decrypt'])
  const parameters = { name: algorithm, iv: bytes.subarray(0, ivLength) }
  return new TextDecoder().decode(await crypto.subtle.decrypt(parameters, imported, bytes.subarray(ivLength)))
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
