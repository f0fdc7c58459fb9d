import { buildPage } from './build.ts'
import { ensureCompiler } from './c-compiler.ts'
import { runChecks } from './check.ts'
import { runPlaywright, runVitest, sumUp } from './runners.ts'
import { printStatus } from './terminal.ts'

/** These build a disk that fails on demand, which only Linux with a C compiler can. */
const diskFaultTests = ['disk', 'batch-full-disk', 'power-cut'].map((name) => `tests/faults/${name}.test.ts`)

// Everything that must hold, in the order in which it fails fastest; one line of counts at the end.
const checks = await runChecks()
const skippedFiles = ensureCompiler() ? [] : diskFaultTests
printStatus('unit, contract, storage and fault tests …')
const unitTests = await runVitest(skippedFiles.flatMap((file) => ['--exclude', file]))
await buildPage()
printStatus('browser tests …')
const browserTests = await runPlaywright()
if (skippedFiles.length > 0)
  printStatus(`NOT RUN, for want of Linux and a C compiler: ${skippedFiles.join(', ')}`)
sumUp([checks, unitTests, browserTests])
