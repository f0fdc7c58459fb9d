import { buildPage } from './build.ts'
import { ensureCompiler } from './system-packages.ts'
import { printCounts, runPlaywright, runVitest } from './test-runs.ts'

// The long form of the tests that read tests/support/nightly.ts, on every backend, and the recipes and the release. Arguments
// select files of tests/faults.
process.env.NIGHTLY = 'yes'
ensureCompiler()
// First, because a test of `npm start` would build it beside others.
await buildPage()
const files = process.argv.slice(2)
const faults = await runVitest(
  files.length > 0
    ? files
    : ['tests/faults', 'server/storage/sqlite/sqlite.test.ts', 'web/backends/self-hosted/contracts.test.ts'],
)
if (files.length > 0) printCounts([faults])
else {
  printCounts([
    faults,
    await runPlaywright(['import']),
    await runVitest(['--config', 'tests/recipes/vitest.config.ts']),
    await runVitest(['--config', 'tests/release/vitest.config.ts']),
    await runVitest([
      ...['--config', 'tests/postgres/vitest.config.ts'],
      ...['storage.postgres', 'balancer.postgres', 'patroni.postgres', 'self-hosted/contracts'],
    ]),
    await runVitest(['--config', 'tests/firebase/vitest.config.ts', 'services'], 'any sequence of calls'),
  ])
}
