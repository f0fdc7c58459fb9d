import type { TestTagDefinition } from 'vitest/config'
import { timeouts } from './timeouts.ts'

/** The tags of Vitest's tests. A tag that is not listed here is an error. */
export const tags: TestTagDefinition[] = [
  { name: 'main', description: 'The main way of a feature in a component test: part of `npm test`.' },
  {
    name: 'large',
    description: 'A test beside the code that takes seconds: not part of `npm test`.',
    timeout: 4 * timeouts.testMs,
  },
]
