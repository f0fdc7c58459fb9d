import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'
import { timeouts } from '../support/timeouts.ts'

/** Browser tests of the production build for Firebase, against the official emulators. */
export default defineConfig({
  ...base,
  testDir: '..',
  testMatch: ['e2e/specification.spec.ts', 'e2e/{emergency,languages}.spec.ts', 'firebase/*.spec.ts'],
  // Tests that interrupt our own server; hosted.spec.ts covers lost connections on Firebase.
  grepInvert: /@own-server/,
  globalSetup: '../support/firebase/browser-setup.ts',
  outputDir: '../../test-results/firebase',
  // The emulators start cold, and answer slowly beside other tests.
  timeout: 2 * timeouts.testMs,
  expect: { timeout: 2 * timeouts.conditionMs },
  // All tests share the emulators, which are reset before each test.
  workers: 1,
  fullyParallel: false,
})
