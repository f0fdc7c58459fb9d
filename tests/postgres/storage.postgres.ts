import { storageSuite } from '../../server/storage/suite.ts'
import { makePlace } from './place.ts'

storageSuite('PostgreSQL', makePlace)
