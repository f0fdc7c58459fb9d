import { storageSuite } from '../contracts/storage-suite.ts'
import { makePlace } from '../support/postgres/storage.ts'

storageSuite('PostgreSQL', makePlace)
