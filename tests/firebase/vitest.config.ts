import { defineConfig } from 'vitest/config'
import { timeouts } from '../support/timeouts.ts'

/** Tests against the official emulators, which `npm test` does without. One file after the other: one register. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/firebase/**/*.emulated.ts'],
    environment: 'node',
    globalSetup: 'tests/support/firebase/global-setup.ts',
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 10 } },
  },
})
