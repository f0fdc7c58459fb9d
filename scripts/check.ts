import { findLooseDependencies } from './checks/dependencies.ts'
import { findBrokenNames } from './checks/docs.ts'
import { findWrongImports } from './checks/imports.ts'
import { findNarrowedTests } from './checks/tests.ts'
import type { Outcome } from './reports.ts'
import { runTool, say } from './terminal.ts'

type Check = { name: string; holds: () => Promise<boolean> }

const tool =
  (script: string, ...args: string[]) =>
  async () =>
    (await runTool(script, args)) === 0

/** A check of ours lists what is wrong, each line saying what to do about it. */
const list = (find: () => string[]) => async () => {
  const wrong = find()
  for (const line of wrong) console.error(`  ${line}`)
  return wrong.length === 0
}

const checks: Check[] = [
  { name: 'types', holds: tool('typescript/bin/tsc', '--noEmit') },
  { name: 'style', holds: tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings') },
  { name: 'imports point one way', holds: list(findWrongImports) },
  { name: 'no test is skipped or alone', holds: list(findNarrowedTests) },
  { name: 'dependencies are exact and locked', holds: list(findLooseDependencies) },
  { name: 'what the documents name exists', holds: list(findBrokenNames) },
]

/** Runs every check. */
export async function runChecks(): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [] }
  for (const { name, holds } of checks) {
    const ok = await holds()
    if (ok) outcome.passed += 1
    else outcome.failures.push(`${name} (does not hold)`)
    say(`${ok ? 'holds' : 'DOES NOT HOLD'}: ${name}`)
  }
  return outcome
}

if (import.meta.main) process.exitCode = (await runChecks()).failures.length === 0 ? 0 : 1
