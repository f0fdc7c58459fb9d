import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** The browser tests that know the page alone, against the production build for Firebase and the official emulators. */
export default defineConfig({
  ...base,
  testDir: '..',
  testMatch: ['browser/specification.spec.ts', 'browser/live.spec.ts', 'firebase/*.spec.ts'],
  // These two cut the line to our server; what Firebase does then stands in hosted.spec.ts.
  grepInvert: [/live: what happened while the line was lost/, /live: the server is killed/],
  globalSetup: './browser-setup.ts',
  outputDir: '../../test-results/firebase',
  // The emulators are one register, emptied before each test.
  workers: 1,
  fullyParallel: false,
})
