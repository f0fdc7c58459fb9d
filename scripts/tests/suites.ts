import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { ensureChromium } from '../chromium.ts'
import { runTool } from '../terminal.ts'
import { countPlaywright, countVitest, type TestCounts, withReport } from './counts.ts'

/** The tests of one configuration. */
interface Suite {
  runner: 'vitest' | 'playwright'
  /** The file of its configuration; without it, the one in the repository's folder. */
  config?: string
  /** The npm script that runs it. Behind `--` it takes files and a title. */
  script: string
  needsChromium?: boolean
}

const journeys = { runner: 'playwright', needsChromium: true } as const
const configOf = (folder: string, runner = 'vitest') => `tests/${folder}/${runner}.config.ts`

/** Every configuration of tests. */
export const suites = {
  local: { runner: 'vitest', script: 'test' },
  components: { runner: 'vitest', config: configOf('components'), script: 'test', needsChromium: true },
  journeys: { ...journeys, script: 'test' },
  postgres: { runner: 'vitest', config: configOf('postgres'), script: 'test:postgres' },
  postgresJourneys: { ...journeys, config: configOf('postgres', 'playwright'), script: 'test:postgres' },
  firebase: { runner: 'vitest', config: configOf('firebase'), script: 'test:firebase' },
  firebaseJourneys: { ...journeys, config: configOf('firebase', 'playwright'), script: 'test:firebase' },
  recipes: { runner: 'vitest', config: configOf('recipes'), script: 'test:recipes' },
  release: { runner: 'vitest', config: configOf('release'), script: 'test:release' },
  screenReader: { runner: 'vitest', config: configOf('screen-reader'), script: 'test:screen-reader' },
} satisfies Record<string, Suite>

/** The suite that a file belongs to, by its name. */
export function suiteOf(file: string): Suite {
  if (file.endsWith('.spec.ts')) return /\bfirebase\b/.test(file) ? suites.firebaseJourneys : suites.journeys
  if (file.endsWith('.tsx')) return suites.components
  const [, end] = /\.(emulated|postgres|reader|recipe|release)\.ts$/.exec(file) ?? []
  if (end === 'emulated') return suites.firebase
  if (end === 'recipe') return suites.recipes
  if (end === 'reader') return suites.screenReader
  return end === 'postgres' || end === 'release' ? suites[end] : suites.local
}

interface Selection {
  /** Parts of the paths of files. */
  files?: string[]
  /** The title of a test, or a part of it. */
  title?: string | undefined
  /** What the names of tests match. */
  pattern?: RegExp | undefined
  /** Which tags: an expression of Vitest, or `@main` and `!@main` for Playwright. */
  tags?: string
  /** Which tests not to run: files for Vitest, and for Playwright parts of files, tags or titles. */
  leftOut?: string[]
  /** More arguments for the runner. */
  args?: string[]
  /** Where the output goes, if not to the terminal. */
  output?: number | undefined
}

/** Runs a suite or a part of it. A missing Chromium counts as one failed test. */
export function runSuite(suite: Suite, selection: Selection = {}): Promise<TestCounts> {
  const chromium = suite.needsChromium ? ensureChromium() : undefined
  if (suite.needsChromium && !chromium) return Promise.resolve(missingChromium)
  if (chromium) process.env.CHROMIUM_PATH = chromium
  return suite.runner === 'vitest' ? runVitest(suite, selection) : runPlaywright(suite, selection)
}

const missingChromium = {
  name: 'The browser tests did not run, because Chromium is missing',
  passed: 0,
  failed: 1,
}

const commonArgs = ({ config }: Suite, { files = [], args = [] }: Selection) => [
  ...(config ? ['--config', config] : []),
  ...args,
  ...files,
]

const patternOf = ({ title, pattern }: Selection) =>
  pattern?.source ?? title?.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Tests that are left out by their tag or title are not counted. */
function runVitest(suite: Suite, selection: Selection): Promise<TestCounts> {
  const { tags, leftOut = [], output } = selection
  const pattern = patternOf(selection)
  return withReport('Vitest', async (report) => {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    if (pattern !== undefined) args.push('--testNamePattern', pattern)
    if (tags) args.push('--tags-filter', tags)
    for (const file of leftOut) args.push('--exclude', file)
    const code = await runTool('vitest/vitest.mjs', [...args, ...commonArgs(suite, selection)], {}, output)
    const isFiltered = pattern !== undefined || tags !== undefined
    return { code, count: (json: JsonTestResults) => countVitest(json, suite.script, isFiltered) }
  })
}

function runPlaywright(suite: Suite, selection: Selection): Promise<TestCounts> {
  const { tags = '', leftOut = [], output } = selection
  const pattern = patternOf(selection)
  return withReport('Playwright', async (report) => {
    const args = ['test', '--reporter=line,json']
    if (pattern !== undefined) args.push('--grep', pattern)
    const isExcluding = tags.startsWith('!')
    const excluded = isExcluding ? [tags.slice(1), ...leftOut] : leftOut
    if (tags && !isExcluding) args.push('--grep', tags)
    if (excluded.length > 0) args.push('--grep-invert', excluded.join('|'))
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
    const code = await runTool(
      '@playwright/test/cli.js',
      [...args, ...commonArgs(suite, selection)],
      env,
      output,
    )
    return { code, count: (json: JSONReport) => countPlaywright(json, suite.script) }
  })
}

/** Runs work that writes to a file, whose text is printed when the work is done: it ran beside other work. */
export async function withOwnOutput<Result>(work: (output: number) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  const file = join(folder, 'output')
  try {
    return await work(openSync(file, 'w'))
  } finally {
    process.stdout.write(readFileSync(file))
    rmSync(folder, { recursive: true, force: true })
  }
}
