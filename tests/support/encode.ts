import { decodeBytes } from '../../web/records/features/import/source/encodings/decode-bytes.ts'
import type { Encoding } from '../../web/records/features/import/source/encodings/encodings.ts'

/** Returns a function that encodes text. It inverts the decoder, because nothing on the page encodes in these. */
export function makeEncoder(encoding: Encoding): (text: string) => Uint8Array<ArrayBuffer> {
  const codes = new Map<string, number[]>()
  for (let high = 0xff; high > 0x7f; high--) {
    for (let low = 0xff; low > 0x3f; low--)
      codes.set(decodeBytes(Uint8Array.of(high, low), encoding), [high, low])
    codes.set(decodeBytes(Uint8Array.of(high), encoding), [high])
  }
  const toCodes = (character: string) => codes.get(character) ?? [character.charCodeAt(0)]
  return (text) => Uint8Array.from([...text].flatMap(toCodes))
}
