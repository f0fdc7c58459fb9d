import { defineConfig, mergeConfig } from 'vitest/config'
import components from '../components/vitest.config.ts'

/** Component tests that make sense only in a copy with made-up fields; see fields.test.ts. */
export default mergeConfig(
  { ...components, test: { ...components.test, include: [] } },
  defineConfig({
    test: { include: ['tests/components/fields.test.tsx', 'tests/fields/*.made-up.tsx'] },
  }),
)
