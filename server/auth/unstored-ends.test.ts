import { expect, it } from 'vitest'
import { account } from '../../tests/contracts/storage-suite.ts'
import { createTestStorage } from '../../tests/support/storage.ts'
import { StorageError } from '../storage/storage.ts'
import { createStorageWithUnstoredEnds } from './unstored-ends.ts'

it('security: on a full disk only existing sessions are remembered as ended, not invented ones', async () => {
  const testStorage = await createTestStorage()
  const storage = await testStorage.open()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await storage.sessions.add({ hash: 'real', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash')
  let isFull = true
  const tried: string[][] = []
  const sessions = createStorageWithUnstoredEnds({
    ...storage.sessions,
    async end(hashes) {
      tried.push(hashes)
      if (isFull) throw new StorageError('full', 'The disk is full.')
      return storage.sessions.end(hashes)
    },
  })
  expect(await sessions.end(['real', 'invented'])).toEqual(['real'])
  expect(await sessions.end(['real', 'invented'])).toEqual([])
  expect([await sessions.find('real'), await sessions.listByAccount('1')]).toEqual([undefined, []])
  isFull = false
  await sessions.endExpired(0, 0)
  expect(tried.at(-1)).toEqual(['real'])
  expect(await storage.sessions.find('real')).toBeUndefined()
})
