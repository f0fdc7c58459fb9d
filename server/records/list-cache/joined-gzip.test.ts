import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressPart, createStoredPart, joinGzip } from './joined-gzip.ts'

it('keeps of a compressed piece its own bytes and nothing that they were written into', () => {
  const piece = compressPart(Buffer.from('Mara Ito\n'.repeat(1000)))
  expect(gunzipSync(joinGzip([createStoredPart('head '), piece])).toString()).toMatch(/^head Mara Ito\n/)
  expect(piece.deflated.buffer.byteLength).toBe(piece.deflated.byteLength)
})
