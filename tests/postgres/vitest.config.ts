import { defineConfig } from 'vitest/config'

/** Tests against a real PostgreSQL, which `npm test` does without. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/postgres/**/*.postgres.ts'],
    environment: 'node',
    globalSetup: 'tests/postgres/global-setup.ts',
    setupFiles: ['tests/setup.ts'],
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
