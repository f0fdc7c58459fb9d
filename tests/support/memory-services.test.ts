import { documentsModelTest } from '../contracts/documents-model.ts'
import { documentsSuite } from '../contracts/documents-suite.ts'
import { historySuite } from '../contracts/history-suite.ts'
import { identitySuite, optionalIdentitySuite } from '../contracts/identity-suite.ts'
import { createMemoryBackend } from './memory-services.ts'

// The component tests may trust these services as far as the contract suites cover them.
identitySuite('in memory', async () => createMemoryBackend())
optionalIdentitySuite('in memory', async () => createMemoryBackend())
documentsSuite('in memory', async () => createMemoryBackend())
documentsModelTest('in memory', async () => createMemoryBackend())
historySuite('in memory', async () => createMemoryBackend())
