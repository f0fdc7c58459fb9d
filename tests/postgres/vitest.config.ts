import { defineConfig } from 'vitest/config'
import { patience } from '../patience.ts'

const root = new URL('../..', import.meta.url).pathname

/** Of the server's own tests, those that talk to a whole one: they run on PostgreSQL as they are. */
const protocol = [
  'server/books/{books,batch,changes}.test.ts',
  'server/identity/{identity,passwords,sessions,throttle}.test.ts',
  'server/http/{http,logs,event-streams}.test.ts',
  'web/services/self-hosted/self-hosted.test.ts',
]

/** Tests against a real PostgreSQL, which `npm test` does without. One file after the other: one cluster. */
export default defineConfig({
  root,
  resolve: {
    alias: [{ find: /^.*\/storage\/place\.ts$/, replacement: `${root}tests/postgres/place.ts` }],
  },
  test: {
    include: ['tests/postgres/**/*.postgres.ts', ...protocol],
    environment: 'node',
    globalSetup: 'tests/postgres/global-setup.ts',
    setupFiles: ['tests/setup.ts'],
    fileParallelism: false,
    restoreMocks: true,
    expect: { poll: { timeout: patience.condition } },
    // Whole databases start and stop in them.
    testTimeout: 2 * patience.test,
    hookTimeout: 2 * patience.test,
  },
})
