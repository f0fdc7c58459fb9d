import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Builds releases and plays the newcomer; part of `npm run test:nightly`. Needs the registry of npm. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/release/**/*.release.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
