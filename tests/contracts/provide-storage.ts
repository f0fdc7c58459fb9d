import { beforeEach } from 'vitest'
import type { Account, Storage } from '../../server/storage/storage.ts'
import { forward } from '../support/forward.ts'
import type { OpenOptions } from '../support/open-options.ts'
import { named } from '../support/people.ts'
import type { TestStorage } from '../support/storage.ts'

export type CreateTestStorage = () => Promise<TestStorage>

/** Without encryption, and with it. */
export const recordsKeys = [undefined, new Uint8Array(32).fill(7)]

/** Opens an empty storage before each test of a group. The parts that it returns are those of what was opened last. */
export function provideStorage(createTestStorage: CreateTestStorage, options: OpenOptions = {}) {
  let testStorage: TestStorage
  let storage: Storage
  beforeEach(async () => {
    testStorage = await createTestStorage()
    storage = await testStorage.open(options)
  })
  return {
    testStorage: forward(() => testStorage),
    storage: forward(() => storage),
    employees: forward(() => storage.employees),
    accounts: forward(() => storage.accounts),
    sessions: forward(() => storage.sessions),
    links: forward(() => storage.links),
    history: forward(() => storage.history),
    async reopen(others: OpenOptions = {}) {
      await storage.close()
      storage = await testStorage.open({ ...options, ...others })
    },
  }
}

export const person = (name: string) => named(name, { password: `secret of ${name}` })

export const personWithId = (id: string) => ({ id, ...person(id) })

export const makePeople = (count: number, name?: string) =>
  Array.from({ length: count }, (_, i) => ({ id: `r${i}`, ...person(name ?? `p${i}`) }))

export const batchOf = (add: ReturnType<typeof makePeople>) => ({ add, update: [], remove: [] })

/** Its password hash is `hash`. */
export function account(uid: string, emailKey = `${uid}@x.y`): Account {
  return { uid, email: emailKey, emailKey, passwordHash: 'hash', createdAt: '2026-01-01T00:00:00.000Z' }
}

export const session = (hash: string, uid: string, at = 1) => ({
  ...{ hash, uid, createdAt: at, lastSeenAt: at },
  browser: 'Firefox on Linux',
})

export async function collect<T>(pages: AsyncIterable<Iterable<T>>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}
