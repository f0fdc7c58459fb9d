import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,web,server,scripts,tests}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
})
