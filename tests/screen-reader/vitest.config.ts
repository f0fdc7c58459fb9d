import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { timeouts } from '../support/timeouts.ts'

/** What a screen reader says of the page: `npm run test:screen-reader`, part of `npm run test:nightly`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/screen-reader/**/*.reader.ts'],
    environment: 'node',
    globalSetup: 'tests/screen-reader/global-setup.ts',
    fileParallelism: false,
    testTimeout: 4 * timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: 2 * timeouts.conditionMs } },
  },
})
