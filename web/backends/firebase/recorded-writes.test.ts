import { expect, test, vi } from 'vitest'
import { toEntryId } from './recorded-writes.ts'

test('the entry of a change has an id by account, key and content; on plain HTTP it has none', async () => {
  const ids = await Promise.all([
    toEntryId('ada', 'key', 'remove'),
    toEntryId('ada', 'key', 'remove'),
    toEntryId('bob', 'key', 'remove'),
    toEntryId('ada', 'other key', 'remove'),
    toEntryId('ada', 'key', 'restore'),
  ])
  expect(ids[0]).toMatch(/^change-[\da-f]{20}$/)
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 3, 4])
  expect(await toEntryId('ada', undefined, 'remove')).toBeUndefined()
  vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto)
  expect(await toEntryId('ada', 'key', 'remove')).toBeUndefined()
})
