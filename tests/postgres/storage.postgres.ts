import { historyStorageSuite } from '../contracts/history-storage-suite.ts'
import { linkStorageSuite } from '../contracts/link-storage-suite.ts'
import { storageSuite } from '../contracts/storage-suite.ts'
import { createTestStorage } from '../support/storage.ts'

storageSuite('PostgreSQL', createTestStorage)
linkStorageSuite('PostgreSQL', createTestStorage)
historyStorageSuite('PostgreSQL', createTestStorage)
