import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sample } from '../support/sample.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** Tests of the server that depend on the storage. They also run on PostgreSQL, unchanged. */
export const repeatedTests = globSync(
  [
    'server/records/{records,batch,large-batches,events}.test.ts',
    'server/auth/{auth,sessions}.test.ts',
    'server/auth/{links,passkeys}/*.test.ts',
    'server/auth/sso/sso.test.ts',
    'server/http/hostile-texts.test.ts',
    'web/backends/self-hosted/contracts.test.ts',
  ],
  { cwd },
).sort()

/** Records, accounts and what the page does with them. */
const isCorner = (file: string) => /(records|batch|auth|contracts)\.test/.test(file)

/** Those that a run of all tests does not repeat on this day. */
export function listUnrepeatedTests(): string[] {
  const chosen = sample(repeatedTests, 1, { isCorner })
  return repeatedTests.filter((file) => !chosen.includes(file))
}

export const teamJourneys = [
  'the operator invites the first colleague',
  'a reset link',
  'Bob leaves',
  'a new employee',
]

/** The same of the journeys of a team in tests/e2e/team.spec.ts. */
export function listUnrepeatedTeamJourneys(): string[] {
  const chosen = sample(teamJourneys, 1, { isCorner: (title) => title === 'Bob leaves' })
  return teamJourneys.filter((title) => !chosen.includes(title))
}
