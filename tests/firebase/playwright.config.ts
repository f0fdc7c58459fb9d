import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'
import { sample } from '../support/sample.ts'

/** Browser tests of the production build for Firebase, against the official emulators. */
export default defineConfig({
  ...base,
  testDir: '..',
  testMatch: [
    'e2e/specification.spec.ts',
    // What differs little between the backends.
    ...sample(['e2e/emergency.spec.ts', 'e2e/languages.spec.ts'], 1),
    'firebase/*.spec.ts',
  ],
  // Tests that interrupt our own server; hosted.spec.ts covers lost connections on Firebase.
  grepInvert: /@own-server/,
  globalSetup: '../support/firebase/browser-setup.ts',
  outputDir: '../../test-results/firebase',
  // All tests share the emulators, which are reset before each test.
  workers: 1,
  fullyParallel: false,
})
