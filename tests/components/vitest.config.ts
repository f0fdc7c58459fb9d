import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import playwrightConfig from '../../playwright.config.ts'
import { catalogs } from '../../scripts/catalogs.ts'
import { emergencyViewer } from '../../scripts/page-plugins.ts'
import { seed } from '../support/sample.ts'
import { tags } from '../support/tags.ts'
import { timeouts } from '../support/timeouts.ts'
import { workersPerCore } from '../support/workers.ts'
import * as browserCommands from './browser-commands.ts'

/** The page with in-memory services, in a real browser. `npm test` runs the tests with the tag `main`. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  publicDir: false,
  plugins: [catalogs(), react(), emergencyViewer],
  define: { __VERSION__: JSON.stringify('1.2.3') },
  // Listed in advance: if Vite discovers a dependency during a run, it reloads the page, and the running tests fail.
  optimizeDeps: {
    include: [
      'icu-minify/format',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'vitest-browser-react',
      'axe-core',
    ],
    entries: [
      'web/main.tsx',
      'web/records/features/import/source/parse-worker.ts',
      'tests/components/*.test.tsx',
    ],
  },
  test: {
    include: ['tests/components/**/*.test.tsx'],
    setupFiles: ['tests/components/setup.ts'],
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 20 } },
    // Decide in the browser too how many cases a test has.
    env: { TEST_SEED: String(seed), NIGHTLY: process.env.NIGHTLY ?? '' },
    tags,
    maxWorkers: workersPerCore(2),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 720 },
      // Names match as in the Playwright tests: any part, ignoring case, unless `exact` is set.
      locators: { exact: false },
      provider: playwright({
        launchOptions: playwrightConfig.use?.launchOptions ?? {},
        contextOptions: {
          locale: 'en-GB',
          timezoneId: 'UTC',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
        actionTimeout: timeouts.conditionMs,
      }),
      instances: [{ browser: 'chromium' }],
      commands: browserCommands,
    },
  },
})
