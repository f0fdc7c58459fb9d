import { expect, test } from 'vitest'
import { describeTime, formatEnds } from './times.ts'

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

test('several ends are told apart: by the day, if it is another one, by the date and by the second, if need be', () => {
  const at = (hours: number, seconds = 0) => new Date(noon + hours * hour + seconds * 1_000).toISOString()
  const ends = (...times: string[]) => formatEnds(times, noon).map((text) => text.replace(/\u202f/g, ' '))
  expect(ends(at(-1), at(-2), at(-13))).toEqual(['11:00 AM', '10:00 AM', 'November 27'])
  expect(ends(at(-13), at(-14))).toEqual(['Nov 27, 2026, 11:00 PM', 'Nov 27, 2026, 10:00 PM'])
  expect(ends(at(-1), at(-1, 7), at(-2))).toEqual([
    'Nov 28, 2026, 11:00:00 AM',
    'Nov 28, 2026, 11:00:07 AM',
    '10:00 AM',
  ])
})
