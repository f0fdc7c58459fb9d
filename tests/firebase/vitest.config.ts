import { defineConfig } from 'vitest/config'
import { catalogs } from '../../scripts/catalogs.ts'
import '../support/prepare-environment.ts'
import { timeouts } from '../support/timeouts.ts'

/** Tests against the official emulators, which `npm test` does not run. Files run in sequence: they share the emulators. */
export default defineConfig({
  plugins: [catalogs()],
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/firebase/**/*.emulated.ts'],
    globalSetup: 'tests/support/firebase/global-setup.ts',
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: timeouts.testMs,
    hookTimeout: timeouts.testMs,
    expect: { poll: { timeout: timeouts.conditionMs, interval: 10 } },
  },
})
