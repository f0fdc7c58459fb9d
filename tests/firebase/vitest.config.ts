import { defineConfig } from 'vitest/config'

/** Tests against the official emulators, which `npm test` does without. One file after the other: one register. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/firebase/**/*.emulated.ts'],
    environment: 'node',
    globalSetup: 'tests/firebase/global-setup.ts',
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: 20_000,
  },
})
