import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** The specification's tests in Firefox, over WebDriver BiDi: `npm run test:firefox`. Not part of `npm test`. */
export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  outputDir: '../../test-results/firefox',
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    locale: 'en-GB',
    launchOptions: { executablePath: join(import.meta.dirname, 'firefox.ts') },
  },
})
