import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { provideCompiler } from './compiler.ts'
import { runPlaywright, runVitest, sumUp } from './runners.ts'
import { say } from './terminal.ts'

/** These build a disk that fails on demand, which only Linux with a C compiler can. */
const onFailingDisks = ['disk', 'batch-full-disk', 'power-cut'].map((name) => `tests/faults/${name}.test.ts`)

// Everything that must hold, in the order in which it fails fastest; one line of counts at the end.
const checks = await runChecks()
const leftOut = provideCompiler() ? [] : onFailingDisks
say('unit, contract, storage and fault tests …')
const units = await runVitest(leftOut.flatMap((file) => ['--exclude', file]))
await buildPage()
say('browser tests …')
const browser = await runPlaywright()
if (leftOut.length > 0) say(`NOT RUN, for want of Linux and a C compiler: ${leftOut.join(', ')}`)
sumUp([checks, units, browser])
