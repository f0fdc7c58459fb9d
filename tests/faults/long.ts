import { runTool } from '../../scripts/terminal.ts'

/** The long form of the fault tests; what is named behind the command narrows it. */
process.exitCode = await runTool('vitest/vitest.mjs', ['run', 'tests/faults', ...process.argv.slice(2)], {
  FAULTS: 'long',
})
