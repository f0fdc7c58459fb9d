import { expect, test } from 'vitest'
import { activitySuite } from '../contracts/activity-suite.ts'
import { documentsModelTest } from '../contracts/documents-model.ts'
import { documentsSuite } from '../contracts/documents-suite.ts'
import { handoversSuite } from '../contracts/handovers-suite.ts'
import { historySuite } from '../contracts/history-suite.ts'
import { identitySuite, invitationsSuite } from '../contracts/identity-suite.ts'
import { newCredentials, type TestClient } from '../support/backend-client.ts'
import { startBackend } from '../support/firebase/backend.ts'

identitySuite('Firebase, hiding which emails have an account', () => startBackend({ emailPrivacy: true }))
identitySuite('Firebase, not hiding them', () => startBackend({ emailPrivacy: false }))
invitationsSuite('Firebase', async () => {
  const backend = await startBackend({ signUp: 'invited' })
  let first: TestClient | undefined
  return {
    ...backend,
    /** The first member is made in Firebase's console. */
    async invite() {
      if (!first) {
        const { email, password } = newCredentials()
        first = await backend.connect()
        await backend.admin.createAccount(email, password)
        await first.identity.signIn(email, password)
        await backend.admin.makeMember(email)
      }
      const invitation = await first.identity.team?.createInvitation()
      return invitation?.token ?? ''
    },
  }
})
documentsSuite('Firebase', () => startBackend())
// A sequence takes up to 3 s here.
documentsModelTest('Firebase', () => startBackend(), { nightlyCount: 1_000 })
historySuite('Firebase', () => startBackend())
activitySuite('Firebase', () => startBackend())
handoversSuite('Firebase', () => startBackend())

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
