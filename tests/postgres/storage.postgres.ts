import { describe } from 'vitest'
import { historyStorageSuite } from '../contracts/history-storage-suite.ts'
import { linkStorageSuite } from '../contracts/link-storage-suite.ts'
import { storageSuite } from '../contracts/storage-suite.ts'
import { createTestStorage } from '../support/storage.ts'

storageSuite('PostgreSQL', createTestStorage)
// Each in a group of its own, because it opens a database for each test.
describe('links', () => linkStorageSuite('PostgreSQL', createTestStorage))
describe('history', () => historyStorageSuite('PostgreSQL', createTestStorage))
