import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { catalogs } from '../../scripts/catalogs.ts'
import { isNightly } from '../support/nightly.ts'
import '../support/prepare-environment.ts'
import { tags } from '../support/tags.ts'
import { timeouts } from '../support/timeouts.ts'
import { workersPerCore } from '../support/workers.ts'
import { repeatedTests } from './repeated-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Tests against a real PostgreSQL; part of `npm run test:all`. Files share a cluster, in which each has a database. */
export default defineConfig({
  plugins: [catalogs()],
  root,
  test: {
    include: ['tests/postgres/**/*.postgres.ts', ...repeatedTests],
    exclude: isNightly ? [] : ['tests/postgres/patroni.postgres.ts'],
    // Makes tests/support/storage.ts create its databases in PostgreSQL.
    env: { TEST_STORAGE: 'postgres' },
    globalSetup: 'tests/support/postgres/global-setup.ts',
    setupFiles: [
      'tests/support/fail-on-console-error.ts',
      'tests/support/name-requests.ts',
      'tests/support/seed-random-tests.ts',
    ],
    tags,
    maxWorkers: workersPerCore(1.5),
    isolate: false,
    restoreMocks: true,
    expect: { poll: { timeout: timeouts.conditionMs } },
    // Some tests start and stop a PostgreSQL.
    testTimeout: 2 * timeouts.testMs,
    hookTimeout: 2 * timeouts.testMs,
  },
})
