import { expect, test } from 'vitest'
import { describeTime } from './times.ts'

const hour = 60 * 60_000
/** Noon in the time zone of the test. */
const noon = new Date(2026, 10, 28, 12).getTime()
const describe = (hours: number, now = noon) => describeTime(new Date(now + hours * hour).toISOString(), now)

test.each([
  [0, 'just now'],
  [0.01, 'in a moment'],
  [-0.5, '30 minutes ago'],
  [-23.9, '23 hours ago'],
  [-24, 'yesterday'],
  [-35, 'yesterday'],
  [-37, '2 days ago'],
  [-47, '2 days ago'],
  [1.5, 'in 1 hour'],
  [25, 'tomorrow'],
  [47, 'in 2 days'],
  [7 * 24, 'in 7 days'],
])('what is %d hours away is told as "%s"', (hours, text) => {
  expect(describe(hours)).toBe(text)
})
