/**
 * How long a test waits for what must come, in milliseconds. Long, since a machine may be busy: a test that holds never
 * waits that long, and one that does not is found all the same.
 */
export const timeouts = { testMs: 90_000, conditionMs: 20_000 }
