import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

interface ForbiddenPattern {
  files: string[]
  pattern: RegExp
  advice: string
}

const testFiles = [
  '{contract,web,server,scripts,tests}/**/*.{test,spec,emulated,postgres}.{ts,tsx}',
  'tests/contracts/*suite.ts',
]

const patterns: ForbiddenPattern[] = [
  {
    files: testFiles,
    pattern: /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|fixme|todo|fails)\b/g,
    advice: 'enable the test or delete it',
  },
  {
    files: testFiles,
    pattern: /\b(?:test|it)\(\s*(['"`]).*\1\s*\)/g,
    advice: 'write the test or delete it',
  },
  {
    files: ['{contract,web,server,tests,scripts,bench}/**/*.{ts,tsx}'],
    pattern: /\/\*\*[\s*]*(?:Of|Also|Likewise|Beyond|By)\b/g,
    advice: 'begin the comment with what it describes, or with a verb',
  },
]

/** Finds tests that would not run or exclude others, and comments without a beginning. */
export function findForbiddenPatterns(): string[] {
  return patterns.flatMap(({ files, pattern, advice }) =>
    files.flatMap(findSourceFiles).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return Array.from(text.matchAll(pattern), ({ 0: found, index }) => {
        const line = text.slice(0, index).split('\n').length
        return `${file}:${line} has "${found.replaceAll(/\s+/g, ' ')}": ${advice}`
      })
    }),
  )
}
