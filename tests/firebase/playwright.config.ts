import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** The browser tests that know the page alone, against the production build for Firebase and the official emulators. */
export default defineConfig({
  ...base,
  testDir: '..',
  testMatch: ['e2e/specification.spec.ts', 'e2e/live.spec.ts', 'firebase/*.spec.ts'],
  grepInvert: /@own-server/,
  globalSetup: '../support/firebase/browser-setup.ts',
  outputDir: '../../test-results/firebase',
  // The emulators are one register, emptied before each test.
  workers: 1,
  fullyParallel: false,
})
