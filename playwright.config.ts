import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from './scripts/chromium.ts'
import './tests/support/prepare-environment.ts'
import { timeouts } from './tests/support/timeouts.ts'
import { workersPerCore } from './tests/support/workers.ts'

const chromium = findChromium()

/** The product in Chromium. `npm test` runs the tests with the tag `@main`. */
export default defineConfig({
  testDir: 'tests/e2e',
  fullyParallel: true,
  workers: workersPerCore(1.5),
  timeout: timeouts.testMs,
  expect: { timeout: timeouts.conditionMs },
  forbidOnly: true,
  // A folder for each configuration: Playwright empties it, and they may run at once.
  outputDir: 'test-results/journeys',
  use: {
    locale: 'en-GB',
    // A service worker would bypass the network faults of the tests; tests/e2e/offline.spec.ts allows it.
    serviceWorkers: 'block',
    // To click something that moves, Playwright scrolls the page, which moves a menu away from the pointer.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: chromiumArgs,
    },
  },
})
