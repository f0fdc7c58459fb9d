import { defineConfig } from 'vitest/config'
import './tests/support/prepare-environment.ts'
import { catalogs } from './scripts/catalogs.ts'
import { tags } from './tests/support/tags.ts'
import { reuseThreads } from './tests/support/threads/reuse-threads.ts'
import { timeouts } from './tests/support/timeouts.ts'
import { workersPerCore } from './tests/support/workers.ts'

const project = (name: string, include: string[]) => ({ extends: true as const, test: { name, include } })
const units = project('units', ['{contract,web,server,scripts}/**/*.test.ts', 'tests/simulation/*.test.ts'])

export default defineConfig({
  plugins: [catalogs()],
  test: {
    projects: [
      // Beside the code: `npm test`, but for those with the tag `large`.
      { ...units, plugins: [reuseThreads] },
      // Tests that kill servers, break disks, drive other browsers or open old registers: `npm run test:all`.
      project('system', ['tests/!(simulation)/**/*.test.ts']),
    ],
    tags,
    setupFiles: [
      'tests/support/fail-on-console-error.ts',
      'tests/support/name-requests.ts',
      'tests/support/seed-random-tests.ts',
    ],
    maxWorkers: workersPerCore(2),
    // Run several files in one process: starting one and loading its modules took an eighth of the processor time.
    isolate: false,
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 10 } },
  },
})
