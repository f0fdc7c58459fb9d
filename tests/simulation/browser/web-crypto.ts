import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../engine/random.ts'

/** A key, as IndexedDB can store it. */
interface Key {
  secret: Uint8Array
}

interface CipherParams {
  iv: Uint8Array
  additionalData: Uint8Array
}

const tagBytes = 16

/** `crypto`, without the threads of the real one: AES-GCM runs on the caller's thread, so its results come in the order of the calls. */
export function createWebCrypto(random: Random) {
  return {
    getRandomValues: (bytes: Uint8Array) => random.fill(bytes),
    subtle: {
      generateKey: async (): Promise<Key> => ({ secret: random.fill(new Uint8Array(32)) }),
      async encrypt(
        { iv, additionalData }: CipherParams,
        { secret }: Key,
        text: Uint8Array,
      ): Promise<ArrayBuffer> {
        const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(additionalData)
        return toArrayBuffer([cipher.update(text), cipher.final(), cipher.getAuthTag()])
      },
      async decrypt(params: CipherParams, key: Key, sealed: ArrayBuffer): Promise<ArrayBuffer> {
        return decrypt(params, key, sealed)
      },
    },
  }
}

function decrypt({ iv, additionalData }: CipherParams, { secret }: Key, sealed: ArrayBuffer): ArrayBuffer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', secret, iv).setAAD(additionalData)
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  return toArrayBuffer([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
}

const toArrayBuffer = (parts: Buffer[]): ArrayBuffer => Uint8Array.from(Buffer.concat(parts)).buffer
