import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBody } from './body-queue.ts'

it('security: joins small pieces of a body, because each takes far more memory than its bytes', async () => {
  const bytes = Buffer.from('0123456789'.repeat(10_000))
  let counted = 0
  const oneByOne = Readable.from([...bytes].map((byte) => Buffer.of(byte)))
  const pieces = await readBody(oneByOne, (length) => {
    counted += length
  })
  expect(pieces.length).toBeLessThan(1000)
  expect(Buffer.concat(pieces)).toEqual(bytes)
  expect(counted).toBe(bytes.length)
})

it('does not copy large pieces', async () => {
  const large = Array.from({ length: 600 }, () => Buffer.alloc(16_384))
  expect(await readBody(Readable.from(large), () => {})).toHaveLength(600)
})
