import { findLooseDependencies } from './checks/dependencies.ts'
import { findBrokenReferences } from './checks/docs.ts'
import { findForbiddenImports } from './checks/imports.ts'
import { findNarrowedTests } from './checks/tests.ts'
import type { Outcome } from './reports.ts'
import { printStatus, runTool } from './terminal.ts'

type Check = { name: string; passes: () => Promise<boolean> }

const runsCleanly =
  (script: string, ...args: string[]) =>
  async () =>
    (await runTool(script, args)) === 0

/** A check of ours lists what is wrong, each line saying what to do about it. */
const findsNothing = (findProblems: () => string[]) => async () => {
  const problems = findProblems()
  for (const line of problems) console.error(`  ${line}`)
  return problems.length === 0
}

const checks: Check[] = [
  { name: 'types', passes: runsCleanly('typescript/bin/tsc', '--noEmit') },
  { name: 'style', passes: runsCleanly('@biomejs/biome/bin/biome', 'check', '--error-on-warnings') },
  { name: 'imports point one way', passes: findsNothing(findForbiddenImports) },
  { name: 'no test is skipped or alone', passes: findsNothing(findNarrowedTests) },
  { name: 'dependencies are exact and locked', passes: findsNothing(findLooseDependencies) },
  { name: 'what the documents name exists', passes: findsNothing(findBrokenReferences) },
]

/** Runs every check. */
export async function runChecks(): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [] }
  for (const { name, passes } of checks) {
    const hasPassed = await passes()
    if (hasPassed) outcome.passed += 1
    else outcome.failures.push(`${name} (does not hold)`)
    printStatus(`${hasPassed ? 'holds' : 'DOES NOT HOLD'}: ${name}`)
  }
  return outcome
}

if (import.meta.main) process.exitCode = (await runChecks()).failures.length === 0 ? 0 : 1
