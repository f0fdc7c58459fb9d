import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressed, gzipOf, stored } from './joined-gzip.ts'

it('keeps of a compressed piece its own bytes and nothing that they were written into', () => {
  const piece = compressed(Buffer.from('Mara Ito\n'.repeat(1000)))
  expect(gunzipSync(gzipOf([stored('head '), piece])).toString()).toMatch(/^head Mara Ito\n/)
  expect(piece.deflated.buffer.byteLength).toBe(piece.deflated.byteLength)
})
