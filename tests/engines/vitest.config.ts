import { defineConfig } from 'vitest/config'
import { timeouts } from '../support/timeouts.ts'

/** The built page in three engines: `npx vitest run --config tests/engines/vitest.config.ts`. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/engines/*.test.ts'],
    testTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 50 } },
  },
})
