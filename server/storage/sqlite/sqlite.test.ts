import { makePlace } from '../place.ts'
import { storageSuite } from '../suite.ts'

storageSuite('SQLite', makePlace)
