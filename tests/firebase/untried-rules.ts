import { sample } from '../support/sample.ts'

/** The tests of the rules beside those of the records. The contract suites and those of the team, which pass through them, run each day. */
export const rulesTests = ['handover-rules', 'history-rules', 'team-rules'].map(
  (name) => `tests/firebase/${name}.emulated.ts`,
)

/** Those that a run of all tests leaves out on this day. */
export function listUntriedRules(): string[] {
  const chosen = sample(rulesTests, 1)
  return rulesTests.filter((file) => !chosen.includes(file))
}
