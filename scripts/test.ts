import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { ensureCompiler } from './system-packages.ts'
import { printStatus } from './terminal.ts'
import { printCounts, runComponentTests, runPlaywright, runVitest } from './test-runs.ts'

/** These tests build tests/support/faults/disk.c. */
const diskFaultTests = ['disk', 'batch-full-disk', 'power-cut'].map((name) => `tests/faults/${name}.test.ts`)

const checks = await runChecks()
const excluded = ensureCompiler() ? [] : diskFaultTests
// First, because a test of `npm start` would build it beside others.
await buildPage()
printStatus('unit, contract, storage and fault tests …')
const unitTests = await runVitest(excluded.flatMap((file) => ['--exclude', file]))
printStatus('component tests, in Chromium …')
const componentTests = await runComponentTests()
printStatus('end-to-end tests, in Chromium …')
const endToEndTests = await runPlaywright()
if (excluded.length > 0)
  printStatus(`NOT RUN, because they need Linux and a C compiler: ${excluded.join(', ')}`)
printCounts([checks, unitTests, componentTests, endToEndTests])
