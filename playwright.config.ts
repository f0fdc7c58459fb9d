import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.ts'
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
  outputDir: 'test-results',
  use: {
    locale: 'en-GB',
    // A service worker would bypass the network faults of the tests; tests/e2e/offline.spec.ts allows it.
    serviceWorkers: 'block',
    // To click something that moves, Playwright scrolls the page, which moves a menu away from the pointer.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
