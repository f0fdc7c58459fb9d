import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressPart, createStoredPart, joinGzip } from './joined-gzip.ts'

it('compressed parts do not retain the buffer that zlib wrote into', () => {
  const part = compressPart(Buffer.from('Mara Ito\n'.repeat(1000)))
  expect(gunzipSync(joinGzip([createStoredPart('head '), part])).toString()).toMatch(/^head Mara Ito\n/)
  expect(part.deflated.buffer.byteLength).toBe(part.deflated.byteLength)
})
