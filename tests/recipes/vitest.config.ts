import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { catalogs } from '../../scripts/catalogs.ts'
import { timeouts } from '../support/timeouts.ts'

/** Starts the recipes of deploy/, and spreadsheets, with the real programs; part of `npm run test:nightly`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [catalogs()],
  test: {
    include: ['tests/{recipes,spreadsheets}/**/*.recipe.ts'],
    environment: 'node',
    globalSetup: 'tests/recipes/global-setup.ts',
    fileParallelism: false,
    setupFiles: ['tests/support/fail-on-console-error.ts', 'tests/support/name-requests.ts'],
    expect: { poll: { timeout: timeouts.conditionMs } },
    testTimeout: 2 * timeouts.testMs,
    hookTimeout: 2 * timeouts.testMs,
  },
})
