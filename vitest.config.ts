import { defineConfig } from 'vitest/config'
import './tests/support/prepare-environment.ts'
import { catalogs } from './scripts/catalogs.ts'
import { timeouts } from './tests/support/timeouts.ts'

export default defineConfig({
  plugins: [catalogs()],
  test: {
    include: ['{contract,web,server,scripts,tests}/**/*.test.ts'],
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    // More than two cores can run: many tests wait for other processes.
    maxWorkers: 4,
    // Run several files in one process: starting one and loading its modules took an eighth of the processor time.
    isolate: false,
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 10 } },
  },
})
