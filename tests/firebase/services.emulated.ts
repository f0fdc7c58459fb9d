import { documentsSuite } from '../contracts/documents-suite.ts'
import { identitySuite } from '../contracts/identity-suite.ts'
import { startBackend } from '../support/firebase/backend.ts'

identitySuite('Firebase, hiding which emails have an account', () => startBackend({ emailPrivacy: true }))
identitySuite('Firebase, not hiding them', () => startBackend({ emailPrivacy: false }))
documentsSuite('Firebase', () => startBackend())
