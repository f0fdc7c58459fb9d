import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { catalogs } from '../../scripts/catalogs.ts'
import '../support/prepare-environment.ts'
import { tags } from '../support/tags.ts'
import { timeouts } from '../support/timeouts.ts'

/** Tests against the official emulators, part of `npm run test:all`. Files run in sequence: they share the emulators. */
export default defineConfig({
  plugins: [catalogs()],
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/firebase/**/*.emulated.ts'],
    globalSetup: 'tests/support/firebase/global-setup.ts',
    setupFiles: ['tests/support/seed-random-tests.ts'],
    tags,
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 10 } },
  },
})
