import { expect, test } from 'vitest'
import { settings } from './nightly.ts'

test('the settings of a run are those of its environment', () => {
  process.env.STAFFBOOK_TEST = 'yes'
  expect(settings.STAFFBOOK_TEST).toBe('yes')
  delete process.env.STAFFBOOK_TEST
})
