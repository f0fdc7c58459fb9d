import { parseArgs } from 'node:util'
import { seed } from '../tests/support/sample.ts'
import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { findImpossibleTests } from './system-packages.ts'
import { printStatus } from './terminal.ts'
import { printCounts, type TestCounts } from './tests/counts.ts'
import { runSuite, suiteOf, suites, withOwnOutput } from './tests/suites.ts'

/** `files`: those to run instead of all; `title`: that of one test. */
type Run = (files: string[], title?: string) => Promise<TestCounts[]>

/** `npm test`: what the README promises. With files, these only, from whatever suite. */
async function runPromises(files: string[], title?: string): Promise<TestCounts[]> {
  if (files.length > 0) return runFiles(files, title)
  const checks = await runChecks()
  // First, because a test of `npm start` would build it beside others.
  await buildPage()
  printStatus('units, and the contracts on the embedded database …')
  const units = await runSuite(suites.local, { args: ['--project', 'units'], tags: '!large' })
  printStatus('components: the main way of each feature, in Chromium …')
  const components = await runSuite(suites.components, { tags: 'main' })
  printStatus('journeys: those of the specification, and one of each feature, in Chromium …')
  const journeys = await runSuite(suites.journeys, { tags: '@main' })
  return [checks, units, components, journeys]
}

async function runFiles(files: string[], title: string | undefined): Promise<TestCounts[]> {
  await buildPage()
  const counts: TestCounts[] = []
  for (const [suite, ofSuite] of Map.groupBy(files, suiteOf))
    counts.push(await runSuite(suite, { files: ofSuite, title }))
  return counts
}

/** `npm run test:all`: every test that `npm test` leaves out and that takes no night. */
async function runOthers(): Promise<TestCounts[]> {
  printStatus(`where a test tries only some of its cases, TEST_SEED=${seed} chooses them`)
  await buildPage()
  const local = await runOtherLocalTests()
  // Two at once: they wait a lot, for emulators and for databases that do not respond. Three would disturb each other.
  const [services, others] = await Promise.all([
    withOwnOutput((output) => runFirebase(['services'], undefined, output)),
    runPostgres([]).then(async (postgres) => [...postgres, ...(await runFirebase(['page']))]),
  ])
  return [...local, ...services, ...others]
}

async function runOtherLocalTests(): Promise<TestCounts[]> {
  const excluded = findImpossibleTests()
  printStatus('large units …')
  const units = await runSuite(suites.local, { args: ['--project', 'units'], tags: 'large' })
  printStatus(
    'servers that are killed, disks that break, old registers, and a journey in Firefox and WebKit …',
  )
  const exclusions = excluded.flatMap((file) => ['--exclude', file])
  const system = await runSuite(suites.local, { args: ['--project', 'system', ...exclusions] })
  printStatus('the other component tests, in Chromium …')
  const components = await runSuite(suites.components, { tags: '!main' })
  printStatus('the other journeys, in Chromium …')
  const journeys = await runSuite(suites.journeys, { tags: '!@main' })
  if (excluded.length > 0)
    printStatus(`NOT RUN, because they need Linux and programs that are missing: ${excluded.join(', ')}`)
  return [units, system, components, journeys]
}

const runRecipes: Run = async (files, title) => {
  printStatus('recipes of deploy/: Caddy, nginx, HAProxy, systemd, compose files; spreadsheet programs …')
  return [await runSuite(suites.recipes, { files, title })]
}

const runRelease: Run = async (files, title) => {
  printStatus('release: two archives, newcomers, the image’s commands, an upgrade …')
  return [await runSuite(suites.release, { files, title })]
}

async function runPostgres(files: string[], title?: string): Promise<TestCounts[]> {
  const [ofPage, ofServices] = splitByPage(files)
  const counts: TestCounts[] = []
  if (ofServices) {
    printStatus('PostgreSQL: storage suite, protocol, several processes, crashes …')
    counts.push(await runSuite(suites.postgres, { files: ofServices, title }))
  }
  if (ofPage) {
    printStatus('PostgreSQL: a team in Chromium …')
    await buildPage()
    counts.push(await runSuite(suites.postgresJourneys, { files: ofPage, title }))
  }
  return counts
}

/** The tests that need the Auth emulator only. */
const accountTests = /^identity service: Firebase, (?!.*(signing out|keeps the session))|sign-up error/

/** `files` may be `services` or `page`. Each has emulators of its own, so the two can run beside each other. */
async function runFirebase(files: string[], title?: string, output?: number): Promise<TestCounts[]> {
  const [ofPage, ofServices] = splitByPage(files)
  const withoutFirestore = process.env.WITHOUT_FIRESTORE_EMULATOR === '1'
  if (withoutFirestore)
    printStatus('WITHOUT_FIRESTORE_EMULATOR=1: only the accounts are tested, against the Auth emulator …')
  const counts: TestCounts[] = []
  if (ofServices) {
    printStatus('Firebase: the contract suites, the adapter and the rules …')
    const pattern = withoutFirestore ? accountTests : undefined
    counts.push(await runSuite(suites.firebase, { files: ofServices, title, pattern, output }))
  }
  if (ofPage && !withoutFirestore) {
    printStatus('Firebase: the page, in Chromium …')
    counts.push(await runSuite(suites.firebaseJourneys, { files: ofPage, title, output }))
  }
  return counts
}

/** Which files of the page and which of the services to run: all if the list is empty, none where it is undefined. */
function splitByPage(files: string[]): [string[] | undefined, string[] | undefined] {
  if (files.length === 0) return [[], []]
  const isOfPage = (file: string) => file === 'page' || file.endsWith('.spec.ts')
  const choose = (isWanted: (file: string) => boolean) => {
    const chosen = files.filter(isWanted)
    return chosen.length > 0 ? chosen.filter((file) => file !== 'page' && file !== 'services') : undefined
  }
  return [choose(isOfPage), choose((file) => !isOfPage(file))]
}

/**
 * The long form of the tests that read tests/support/nightly.ts, with all cases where `sample` chooses some, on every backend; the
 * recipes and the release.
 */
async function runNightly(files: string[], title?: string): Promise<TestCounts[]> {
  process.env.NIGHTLY = 'yes'
  findImpossibleTests()
  if (files.length > 0) return runFiles(files, title)
  await buildPage()
  const storageTests = ['server/storage/sqlite/sqlite.test.ts', 'web/backends/self-hosted/contracts.test.ts']
  const postgresTests = ['storage', 'upgrade', 'balancer', 'patroni'].map((name) => `${name}.postgres`)
  postgresTests.push('self-hosted/contracts')
  return [
    await runSuite(suites.local, { files: ['tests/faults', 'tests/fixtures', ...storageTests] }),
    await runSuite(suites.components),
    await runSuite(suites.journeys),
    await runSuite(suites.recipes),
    await runSuite(suites.release),
    await runSuite(suites.postgres, { files: postgresTests }),
    await runSuite(suites.firebase, { files: ['services'], pattern: /any sequence of calls/ }),
    await runSuite(suites.firebase, { files: ['history-model'] }),
    await runSuite(suites.firebaseJourneys, { files: ['emergency', 'languages'] }),
  ]
}

const runs: Record<string, Run> = {
  test: runPromises,
  all: runOthers,
  firebase: runFirebase,
  postgres: runPostgres,
  recipes: runRecipes,
  release: runRelease,
  nightly: runNightly,
}

// Also for the processes of the tests, and for the commands that repeat one.
process.env.TEST_SEED = String(seed)

// Which tests; behind it files, or parts of their paths, and with `-t` a title or a part of it.
const { values, positionals } = parseArgs({
  options: { title: { type: 'string', short: 't' } },
  allowPositionals: true,
})
const [name = 'test', ...files] = positionals
printCounts((await runs[name]?.(files, values.title)) ?? [])
