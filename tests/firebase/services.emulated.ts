import { documentsSuite } from '../contracts/documents-suite.ts'
import { identitySuite } from '../contracts/identity-suite.ts'
import { startBackend } from '../support/firebase/backend.ts'
import { startChromiumBackend } from '../support/firebase/chromium/backend.ts'

identitySuite('Firebase, which hides which emails have an account', () =>
  startBackend({ emailPrivacy: true }),
)
identitySuite('Firebase, which does not', () => startBackend({ emailPrivacy: false }))
documentsSuite('Firebase', () => startBackend())

identitySuite('Firebase in Chromium', () => startChromiumBackend())
identitySuite('Firebase in Chromium, not hiding emails', () => startChromiumBackend({ emailPrivacy: false }))
documentsSuite('Firebase in Chromium', () => startChromiumBackend())
