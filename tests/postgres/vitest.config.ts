import { defineConfig } from 'vitest/config'
import { timeouts } from '../support/timeouts.ts'

const root = new URL('../..', import.meta.url).pathname

/** Tests of the server that depend on the storage. They also run on PostgreSQL, unchanged. */
const serverTests = [
  'server/records/{records,batch,events}.test.ts',
  'server/auth/{auth,sessions}.test.ts',
  'web/backends/self-hosted/contracts.test.ts',
]

/** Tests against a real PostgreSQL, which `npm test` does without. One file after the other: one cluster. */
export default defineConfig({
  root,
  resolve: {
    alias: [{ find: /^.*\/support\/storage\.ts$/, replacement: `${root}tests/support/postgres/storage.ts` }],
  },
  test: {
    include: ['tests/postgres/**/*.postgres.ts', ...serverTests],
    environment: 'node',
    globalSetup: 'tests/support/postgres/global-setup.ts',
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    fileParallelism: false,
    restoreMocks: true,
    expect: { poll: { timeout: timeouts.conditionMs } },
    // Whole databases start and stop in them.
    testTimeout: 2 * timeouts.testMs,
    hookTimeout: 2 * timeouts.testMs,
  },
})
