import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { patience } from '../support/timeouts.ts'

/** The specification's tests in Firefox, over WebDriver BiDi: `npm run test:firefox`. Not part of `npm test`. */
export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: 1,
  timeout: patience.test,
  expect: { timeout: patience.condition },
  forbidOnly: true,
  outputDir: '../../test-results/firefox',
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    locale: 'en-GB',
    launchOptions: { executablePath: join(import.meta.dirname, 'firefox.ts') },
  },
})
