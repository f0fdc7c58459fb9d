import { expect, test } from 'vitest'
import { documentsModelTest } from '../contracts/documents-model.ts'
import { documentsSuite } from '../contracts/documents-suite.ts'
import { identitySuite } from '../contracts/identity-suite.ts'
import { newCredentials } from '../support/backend-client.ts'
import { startBackend } from '../support/firebase/backend.ts'

identitySuite('Firebase, hiding which emails have an account', () => startBackend({ emailPrivacy: true }))
identitySuite('Firebase, not hiding them', () => startBackend({ emailPrivacy: false }))
documentsSuite('Firebase', () => startBackend())
documentsModelTest('Firebase', () => startBackend(), { recreatesRemoved: true })

test.each([true, false])('a password reset tells of no account (email privacy: %s)', async (emailPrivacy) => {
  const backend = await startBackend({ emailPrivacy })
  const { identity } = await backend.connect()
  const { email, password } = newCredentials()
  await identity.createAccount(email, password)
  await identity.sendPasswordReset?.(email)
  await identity.sendPasswordReset?.(`no-${email}`)
  await expect(identity.sendPasswordReset?.('not an address')).rejects.toMatchObject({
    code: 'invalid-email',
  })
  await backend.stop()
})
