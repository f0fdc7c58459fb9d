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
import { connectSignedIn } from '../../../tests/support/backend-client.ts'
import { ada } from '../../../tests/support/people.ts'
import { startSelfHostedBackend } from '../../../tests/support/self-hosted-backend.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'

const start = () => startSelfHostedBackend()
identitySuite('self-hosted', start)
optionalIdentitySuite('self-hosted', start)
invitationsSuite('self-hosted', () => startSelfHostedBackend({ signUp: 'invited' }))
documentsSuite('self-hosted', start)
documentsModelTest('self-hosted', start, { recognizedFor: 8 })
historySuite('self-hosted', start)
activitySuite('self-hosted', start)
handoversSuite('self-hosted', start)

// Not part of the port's contract: Firestore keeps no record of removed documents.
test('a repeated add does not restore a record that has been removed since', async () => {
  const backend = await startSelfHostedBackend()
  const mine = await connectSignedIn(backend)
  const theirs = await connectSignedIn(backend)
  const key = newIdempotencyKey()
  const id = await mine.documents.add(ada, key)
  await theirs.documents.remove(id)
  expect(await mine.documents.add(ada, key)).toBe(id)
  expect(await mine.documents.list()).toEqual([])
})
