import { expect, test } from 'vitest'
import { limitUploadTime } from './upload.ts'

test('a batch of some records waits for an answer as long as any other request, a large one as long as its server', () => {
  expect(limitUploadTime(2_000)).toBeLessThan(31_000)
  expect(limitUploadTime(1_000_000)).toBeGreaterThan(60_000)
  expect(limitUploadTime(64_000_000)).toBe(600_000)
})
