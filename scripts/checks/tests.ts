import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

const narrowingPattern = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(only|skip|skipIf|runIf|fixme|todo|fails)\b/
const emptyTestPattern = /\b(?:test|it)\(\s*(['"`]).*\1\s*\)/

/** Tests that would not run, or that exclude others. */
export function findNarrowedTests(): string[] {
  return findSourceFiles('{contract,web,server,scripts,tests}/**/*.{test,spec,emulated,postgres}.{ts,tsx}')
    .concat(findSourceFiles('tests/contracts/*suite.ts'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const found = narrowingPattern.exec(line)?.[0] ?? emptyTestPattern.exec(line)?.[0]
          return found ? [`${file}:${index + 1} has ${found}: enable it or delete it`] : []
        }),
    )
}
