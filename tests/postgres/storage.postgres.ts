import { storageSuite } from '../contracts/storage-suite.ts'
import { createTestStorage } from '../support/postgres/storage.ts'

storageSuite('PostgreSQL', createTestStorage)
