import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { findImpossibleTests } from './system-packages.ts'
import { printStatus } from './terminal.ts'
import { printCounts, runComponentTests, runPlaywright, runVitest, type TestCounts } from './test-runs.ts'

type Run = (files: string[]) => Promise<TestCounts[]>

async function runLocal(): Promise<TestCounts[]> {
  const checks = await runChecks()
  const excluded = findImpossibleTests()
  // First, because a test of `npm start` would build it beside others.
  await buildPage()
  printStatus('unit, contract, storage and fault tests, and a journey in Firefox and WebKit …')
  const unitTests = await runVitest(excluded.flatMap((file) => ['--exclude', file]))
  printStatus('component tests, in Chromium …')
  const componentTests = await runComponentTests()
  printStatus('end-to-end tests, in Chromium …')
  const endToEndTests = await runPlaywright()
  if (excluded.length > 0)
    printStatus(`NOT RUN, because they need Linux and programs that are missing: ${excluded.join(', ')}`)
  return [checks, unitTests, componentTests, endToEndTests]
}

const configOf = (folder: string, runner = 'vitest') => ['--config', `tests/${folder}/${runner}.config.ts`]

const runFolder =
  (folder: string, description: string): Run =>
  async (files) => {
    printStatus(description)
    return [await runVitest([...configOf(folder), ...files])]
  }

/** The tests that need the Auth emulator only. */
const accountTestsPattern = '^identity service: Firebase, (?!.*(signing out|keeps the session))|sign-up error'

/** `part`: `services` or `page`; otherwise both. Each has emulators of its own, so .ci/run runs them beside each other. */
async function runFirebase([part]: string[]): Promise<TestCounts[]> {
  const counts: TestCounts[] = []
  const withoutFirestore = process.env.WITHOUT_FIRESTORE_EMULATOR === '1'
  if (withoutFirestore)
    printStatus('WITHOUT_FIRESTORE_EMULATOR=1: only the accounts are tested, against the Auth emulator …')
  if (part !== 'page') {
    printStatus('Firebase: the contract suites, the adapter and the rules …')
    counts.push(await runVitest(configOf('firebase'), withoutFirestore ? accountTestsPattern : undefined))
  }
  if (part !== 'services' && !withoutFirestore) {
    printStatus('Firebase: the page, in Chromium …')
    counts.push(await runPlaywright(configOf('firebase', 'playwright')))
  }
  return counts
}

/** Runs the long form of the tests that read tests/support/nightly.ts, on every backend, the recipes and the release. */
async function runNightly(files: string[]): Promise<TestCounts[]> {
  process.env.NIGHTLY = 'yes'
  findImpossibleTests()
  await buildPage()
  if (files.length > 0) return [await runVitest(files)]
  const storageTests = ['server/storage/sqlite/sqlite.test.ts', 'web/backends/self-hosted/contracts.test.ts']
  const postgresTests = ['storage.postgres', 'balancer.postgres', 'patroni.postgres', 'self-hosted/contracts']
  return [
    await runVitest(['tests/faults', ...storageTests]),
    await runPlaywright(['import']),
    await runVitest(configOf('recipes')),
    await runVitest(configOf('release')),
    await runVitest([...configOf('postgres'), ...postgresTests]),
    await runVitest([...configOf('firebase'), 'services'], 'any sequence of calls'),
  ]
}

async function runPostgres(files: string[]): Promise<TestCounts[]> {
  printStatus('PostgreSQL: storage suite, protocol, several processes, crashes, then a team in Chromium …')
  const tests = await runVitest([...configOf('postgres'), ...files])
  if (files.length > 0) return [tests]
  await buildPage()
  return [tests, await runPlaywright(configOf('postgres', 'playwright'))]
}

const runs: Record<string, Run> = {
  local: runLocal,
  firebase: runFirebase,
  postgres: runPostgres,
  recipes: runFolder('recipes', 'recipes of deploy/: Caddy, nginx, HAProxy, systemd, compose files …'),
  release: runFolder('release', 'release: two archives, newcomers, the image’s commands, an upgrade …'),
  nightly: runNightly,
}

// Arguments: which tests, as in `npm run test:postgres`, and files that select some of them.
const [name = 'local', ...files] = process.argv.slice(2)
printCounts((await runs[name]?.(files)) ?? [])
