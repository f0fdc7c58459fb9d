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
    files: testFiles,
    pattern: /\bvi\.wait(?:For|Until)\b/g,
    advice: 'use expect.poll: this one gives up after a second, which a busy machine may need',
  },
  {
    files: ['{contract,web,server,tests,scripts,bench}/**/*.{ts,tsx}'],
    pattern: /\/\*\*[\s*]*(?:Of|Also|Likewise|Beyond|By)\b/g,
    advice: 'begin the comment with what it describes, or with a verb',
  },
  {
    files: ['{server,tests,scripts,bench}/**/*.ts', '*.config.ts'],
    pattern: /import\.meta\.url\)\.pathname/g,
    advice: 'use fileURLToPath: in a path with a space or an umlaut, a pathname names another folder',
  },
  {
    files: ['web/records/model/**/*.ts'],
    pattern: /\b(?:querySelector(?:All)?|getElementById|getBoundingClientRect|scrollIntoView)\b/g,
    advice: 'the model knows no elements of the page: move it to web/records/register/',
  },
  {
    files: ['web/records/model/**/*.{tsx,css}'],
    pattern: /^/g,
    advice: 'the model renders nothing: move the component to web/records/register/',
  },
  {
    files: ['web/**/*.css'],
    pattern: /\bborder-(?:block|inline)(?:-start|-end)?:[^;]*\bvar\(/g,
    advice: 'name the edge, as in border-bottom: extensions that darken pages find no variable in the others',
  },
]

/** Finds tests that would not run, exclude others or wait too short, comments without a beginning, elements of the page in the model, and edges that stay light. */
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
