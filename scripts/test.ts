import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { runPlaywright, runVitest, sumUp } from './runners.ts'
import { say } from './terminal.ts'

// Everything that must hold, in the order in which it fails fastest; one line of counts at the end.
const checks = await runChecks()
say('unit, contract, storage and fault tests …')
const units = await runVitest()
await buildPage()
say('browser tests …')
const browser = await runPlaywright()
sumUp([checks, units, browser])
