import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** The browser tests that know the page alone, against the production build for Firebase and the official emulators. */
export default defineConfig({
  ...base,
  testDir: '..',
  testMatch: ['browser/specification.spec.ts', 'firebase/*.spec.ts'],
  globalSetup: './browser-setup.ts',
  outputDir: '../../test-results/firebase',
  // The emulators are one register, emptied before each test.
  workers: 1,
  fullyParallel: false,
})
