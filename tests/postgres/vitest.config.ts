import { defineConfig } from 'vitest/config'
import { timeouts } from '../support/timeouts.ts'

const root = new URL('../..', import.meta.url).pathname

/** Of the server's own tests, those that talk to a whole one: they run on PostgreSQL as they are. */
const serverTests = [
  'server/records/{records,batch,events}.test.ts',
  'server/auth/{auth,passwords,sessions,throttle}.test.ts',
  'server/http/{http,logs,event-streams}.test.ts',
  'web/backends/self-hosted/contracts.test.ts',
]

/** Tests against a real PostgreSQL, which `npm test` does without. One file after the other: one cluster. */
export default defineConfig({
  root,
  test: {
    include: ['tests/postgres/**/*.postgres.ts', ...serverTests],
    environment: 'node',
    // Makes tests/support/storage.ts create its databases in PostgreSQL.
    env: { TEST_STORAGE: 'postgres' },
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
