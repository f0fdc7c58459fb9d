import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listUntriedEngines, listUntriedJourneys } from '../tests/e2e/untried-journeys.ts'
import { listUnrepeatedJourneys } from '../tests/firebase/repeated-journeys.ts'
import { listUnrepeatedTeamJourneys, listUnrepeatedTests } from '../tests/postgres/repeated-tests.ts'
import { seed } from '../tests/support/sample.ts'
import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { findImpossibleTests } from './system-packages.ts'
import { printStatus, root } from './terminal.ts'
import { printCounts, type TestCounts } from './tests/counts.ts'
import { runSuite, suiteOf, suites, withOwnOutput } from './tests/suites.ts'

/** `files`: those to run instead of all; `title`: that of one test. */
type Run = (files: string[], title?: string) => Promise<TestCounts[]>

/** `npm test`: what the README promises. With files, these only, from whatever suite. */
async function runPromises(files: string[], title?: string): Promise<TestCounts[]> {
  if (files.length > 0) return runFiles(files, title)
  // The page is built first, because a test of `npm start` would build it beside others.
  const [checks] = await Promise.all([runChecks(), buildPage()])
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
  printStatus(
    `where a test tries only some of its cases, TEST_SEED=${seed} chooses them; npm run test:nightly tries all`,
  )
  await buildPage()
  // Beside all others, because Firebase's tests run one after the other and wait a lot. Three suites at once would disturb each other.
  const [firebase, others] = await Promise.all([
    withOwnOutput((output) => runFirebase([], undefined, output)),
    runOtherLocalTests().then(async (local) => [...local, ...(await runPostgres([]))]),
  ])
  return [...others, ...firebase]
}

async function runOtherLocalTests(): Promise<TestCounts[]> {
  const excluded = findImpossibleTests()
  printStatus('large units …')
  const units = await runSuite(suites.local, {
    args: ['--project', 'units'],
    tags: 'large',
    files: listTagged('large'),
  })
  printStatus(
    'servers that are killed, disks that break, old registers, and a journey in Firefox or WebKit …',
  )
  const leftOut = [...excluded, ...listUntriedEngines()]
  const system = await runSuite(suites.local, { args: ['--project', 'system'], leftOut })
  printStatus('the other component tests, in Chromium …')
  const components = await runSuite(suites.components, { tags: '!main' })
  printStatus('the other journeys, in Chromium …')
  const journeys = await runSuite(suites.journeys, { tags: '!@main', leftOut: listUntriedJourneys() })
  if (excluded.length > 0)
    printStatus(`NOT RUN, because they need Linux and programs that are missing: ${excluded.join(', ')}`)
  return [units, system, components, journeys]
}

/** The files beside the code with a test of this tag: Vitest would load all others too, to find none in them. */
function listTagged(tag: string): string[] {
  const files = globSync('{contract,web,server,scripts}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules'],
  })
  const mention = new RegExp(`tags:.*'${tag}'`)
  return files.filter((file) => mention.test(readFileSync(join(root, file), 'utf8')))
}

const runRecipes: Run = async (files, title) => {
  printStatus('recipes of deploy/: Caddy, nginx, HAProxy, systemd, compose files; spreadsheet programs …')
  return [await runSuite(suites.recipes, { files, title })]
}

const runRelease: Run = async (files, title) => {
  printStatus('release: two archives, newcomers, the image’s commands, an upgrade …')
  return [await runSuite(suites.release, { files, title })]
}

const runScreenReader: Run = async (files, title) => {
  printStatus('screen reader: what Orca says on journeys with the keyboard, in Chromium …')
  return [await runSuite(suites.screenReader, { files, title })]
}

async function runPostgres(files: string[], title?: string): Promise<TestCounts[]> {
  const [ofPage, ofServices] = splitByPage(files)
  const counts: TestCounts[] = []
  if (ofServices) {
    printStatus('PostgreSQL: storage suite, protocol, several processes, crashes …')
    const leftOut = files.length > 0 ? [] : listUnrepeatedTests()
    counts.push(await runSuite(suites.postgres, { files: ofServices, title, leftOut }))
  }
  if (ofPage) {
    printStatus('PostgreSQL: a team in Chromium …')
    await buildPage()
    const leftOut = files.length > 0 ? [] : listUnrepeatedTeamJourneys()
    counts.push(await runSuite(suites.postgresJourneys, { files: ofPage, title, leftOut }))
  }
  return counts
}

/** The tests that need the Auth emulator only. */
const accountTests = /^identity service: Firebase, (?!.*(signing out|keeps the session))|sign-up error/

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
    const leftOut = files.length > 0 ? [] : listUnrepeatedJourneys()
    counts.push(await runSuite(suites.firebaseJourneys, { files: ofPage, title, leftOut, output }))
  }
  return counts
}

/** Which files of the page and which of the services to run: all if the list is empty, none where it is undefined. */
function splitByPage(files: string[]): [string[] | undefined, string[] | undefined] {
  if (files.length === 0) return [[], []]
  const isOfPage = (file: string) => file.endsWith('.spec.ts')
  const chosen = [files.filter(isOfPage), files.filter((file) => !isOfPage(file))]
  const [ofPage, ofServices] = chosen.map((files) => (files.length > 0 ? files : undefined))
  return [ofPage, ofServices]
}

/** Every test in its long form (tests/support/nightly.ts), with all cases where `sample` chooses some; the recipes and the release. */
async function runNightly(files: string[], title?: string): Promise<TestCounts[]> {
  process.env.NIGHTLY = 'yes'
  printStatus(`TEST_SEED=${seed} chooses the cases of random tests`)
  findImpossibleTests()
  if (files.length > 0) return runFiles(files, title)
  await buildPage()
  const counts: TestCounts[] = []
  for (const [name, suite] of Object.entries(suites)) {
    printStatus(`${name} …`)
    counts.push(await runSuite(suite))
  }
  return counts
}

const runs: Record<string, Run> = {
  test: runPromises,
  all: runOthers,
  firebase: runFirebase,
  postgres: runPostgres,
  recipes: runRecipes,
  release: runRelease,
  'screen-reader': runScreenReader,
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
