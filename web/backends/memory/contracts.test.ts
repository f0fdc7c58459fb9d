import { expect, test } from 'vitest'
import { activitySuite } from '../../../tests/contracts/activity-suite.ts'
import { documentsModelTest } from '../../../tests/contracts/documents-model.ts'
import { documentsSuite } from '../../../tests/contracts/documents-suite.ts'
import { handoversSuite } from '../../../tests/contracts/handovers-suite.ts'
import { historySuite } from '../../../tests/contracts/history-suite.ts'
import {
  identitySuite,
  invitationsSuite,
  optionalIdentitySuite,
} from '../../../tests/contracts/identity-suite.ts'
import { createMemoryBackend } from '../../../tests/support/memory-services.ts'
import { createMemoryBackend as createBackend } from './backend.ts'
import { createFurtherServices } from './further-services.ts'

// With the network that the component tests cut.
const start = async () => createMemoryBackend()
identitySuite('in memory', start)
optionalIdentitySuite('in memory', start)
invitationsSuite('in memory', async () => {
  const backend = createMemoryBackend()
  backend.settings.signUp = 'invited'
  return backend
})
documentsSuite('in memory', start)
documentsModelTest('in memory', start, { recognizedFor: 0 })
activitySuite('in memory', start)
historySuite('in memory', start)
handoversSuite('in memory', start)

test('it says what it does not have: passkeys, emails, and a limit of its room', () => {
  const { identity, documents } = createBackend({ connectFurther: createFurtherServices }).connect()
  expect([identity.passkeys, identity.sendPasswordReset, documents.usedPercent]).toEqual(
    Array(3).fill(undefined),
  )
})
