import { documentsSuite } from '../documents-suite.ts'
import { identitySuite } from '../identity-suite.ts'
import { startSelfHosted } from './backend-under-test.ts'

identitySuite('self-hosted', startSelfHosted)
documentsSuite('self-hosted', startSelfHosted)
