let lastTime = 0

/**
 * Returns a UUID of version 7. Its time is later than that of every key before, also within one millisecond, because the
 * outbox and Firestore sort by keys. Uses `getRandomValues`, because `crypto.randomUUID` does not exist on plain HTTP.
 * @see https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-7
 */
export function newIdempotencyKey(): string {
  lastTime = Math.max(Date.now(), lastTime + 1)
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(lastTime / 2 ** 32))
  view.setUint32(2, lastTime % 2 ** 32)
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
