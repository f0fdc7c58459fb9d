import { defineConfig } from 'vitest/config'
import { patience } from './tests/support/timeouts.ts'

export default defineConfig({
  test: {
    include: ['{contract,web,server,scripts,tests}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    restoreMocks: true,
    testTimeout: patience.test,
    hookTimeout: patience.test,
    expect: { poll: { timeout: patience.condition, interval: 10 } },
  },
})
