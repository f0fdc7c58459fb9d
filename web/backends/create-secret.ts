/** 32 random bytes in base64url. */
export function createSecret(): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
