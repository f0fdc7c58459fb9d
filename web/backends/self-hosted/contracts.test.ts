import { expect, test } from 'vitest'
import { documentsSuite } from '../../../tests/contracts/documents-suite.ts'
import { identitySuite } from '../../../tests/contracts/identity-suite.ts'
import { signedIn } from '../../../tests/support/backend-client.ts'
import { startSelfHosted } from '../../../tests/support/self-hosted-backend.ts'
import { newKey } from '../idempotency-key.ts'

identitySuite('self-hosted', startSelfHosted)
documentsSuite('self-hosted', startSelfHosted)

// More than the port promises: a store that keeps no trace of what was removed can't know.
test('an add that is sent again brings nothing back that was deleted in between', async () => {
  const backend = await startSelfHosted()
  const mine = await signedIn(backend)
  const theirs = await signedIn(backend)
  const fields = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
  const key = newKey()
  const id = await mine.documents.add(fields, key)
  await theirs.documents.remove(id)
  expect(await mine.documents.add(fields, key)).toBe(id)
  expect(await mine.documents.list()).toEqual([])
  await backend.stop()
})
