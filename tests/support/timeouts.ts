import { isNightly } from './nightly.ts'

const nightMs = 4 * 3_600_000

/**
 * How long a test waits for what must come, in milliseconds. Long, since a machine may be busy: a test that holds never
 * waits that long, and one that does not is found all the same. The long form of a test may take hours.
 */
export const timeouts = {
  testMs: isNightly ? nightMs : 90_000,
  /** For a test that takes a minute by day, too. */
  longTestMs: isNightly ? nightMs : 600_000,
  conditionMs: 20_000,
}
