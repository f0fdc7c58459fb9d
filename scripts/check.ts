import { findExceededBudgets } from './checks/budgets.ts'
import { findCatalogProblems } from './checks/catalogs.ts'
import { findLongCommitTitles } from './checks/commits.ts'
import { findLooseDependencies } from './checks/dependencies.ts'
import { findBrokenReferences } from './checks/docs.ts'
import { findForbiddenImports, findMutualImports } from './checks/imports.ts'
import { findLargePages } from './checks/page-sizes.ts'
import { findForbiddenPatterns } from './checks/patterns.ts'
import { findLostTests } from './checks/test-files.ts'
import { printStatus, runTool } from './terminal.ts'
import type { TestCounts } from './tests/counts.ts'

const passesTool =
  (script: string, ...args: string[]) =>
  async () =>
    (await runTool(script, args)) === 0

/** Passes if a function finds no problems. Prints each problem and how to fix it. */
const findsNothing = (findProblems: () => string[] | Promise<string[]>) => async () => {
  const problems = await findProblems()
  for (const problem of problems) console.error(`  ${problem}`)
  return problems.length === 0
}

const checks: Record<string, () => Promise<boolean>> = {
  // Each part has its own tsconfig.json, referenced by the one in the root.
  types: passesTool('typescript/bin/tsc', '--build'),
  'format and lint': passesTool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  'import directions': findsNothing(() => [...findForbiddenImports(), ...findMutualImports()]),
  budgets: findsNothing(findExceededBudgets),
  'size of the page': findsNothing(findLargePages),
  'catalogs of languages': findsNothing(findCatalogProblems),
  'tests that run, comments that begin': findsNothing(findForbiddenPatterns),
  'a run for every test': findsNothing(findLostTests),
  'exact and locked dependencies': findsNothing(findLooseDependencies),
  'links, paths, commands and tests in the docs': findsNothing(findBrokenReferences),
  'commit titles': findsNothing(findLongCommitTitles),
}

/** Runs every check. */
export async function runChecks(): Promise<TestCounts> {
  const counts = { name: 'npm run check', passed: 0, failed: 0 }
  for (const [name, passes] of Object.entries(checks)) {
    const hasPassed = await passes()
    counts[hasPassed ? 'passed' : 'failed'] += 1
    printStatus(`${hasPassed ? 'passed' : 'FAILED'}: ${name}`)
  }
  return counts
}

if (import.meta.main) process.exitCode = (await runChecks()).failed === 0 ? 0 : 1
