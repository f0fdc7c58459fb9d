import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,web,server,scripts,tests}/**/*.test.ts'],
    environment: 'node',
    // What a test leaves on the console is a failure nobody reads; see tests/setup.ts.
    restoreMocks: true,
    testTimeout: 20_000,
  },
})
