import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { runTool } from './terminal.ts'

export interface TestCounts {
  name: string
  passed: number
  failed: number
}

/** The part of Vitest's JSON report that is used. */
export interface VitestReport {
  numTotalTests: number
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** The part of Playwright's JSON report that is used. */
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** Counts a file that could not be loaded as failed, and a skipped test too unless `isFiltered` (by a name pattern). */
export function countVitest(report: VitestReport, isFiltered = false) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failedTests = isFiltered ? report.numFailedTests : report.numTotalTests - report.numPassedTests
  return { passed: report.numPassedTests, failed: failedTests + brokenFiles.length }
}

/** Counts as failed: skipped tests, tests that passed only when repeated, and errors outside of tests. */
export function countPlaywright({ stats, errors }: PlaywrightReport) {
  const { expected, unexpected, flaky, skipped } = stats
  return { passed: expected, failed: unexpected + flaky + skipped + errors.length }
}

/** Runs Vitest. `pattern` selects tests by name; the others are not counted. */
export function runVitest(args: string[] = [], pattern?: string): Promise<TestCounts> {
  return withReport('Vitest', async (report) => {
    const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const filter = pattern === undefined ? [] : ['--testNamePattern', pattern]
    const code = await runTool('vitest/vitest.mjs', ['run', ...options, ...filter, ...args])
    return { code, count: (json: VitestReport) => countVitest(json, pattern !== undefined) }
  })
}

const missingChromium: TestCounts = {
  name: 'The browser tests did not run, because Chromium is missing',
  passed: 0,
  failed: 1,
}

/** Runs the component tests, which need a browser but no server. A missing browser counts as one failed test. */
export async function runComponentTests(): Promise<TestCounts> {
  const chromium = ensureChromium()
  if (!chromium) return missingChromium
  process.env.CHROMIUM_PATH = chromium
  return runVitest(['--config', 'tests/components/vitest.config.ts'])
}

/** Runs the end-to-end tests. A missing browser counts as one failed test. */
export async function runPlaywright(args: string[] = []): Promise<TestCounts> {
  const chromium = ensureChromium()
  if (!chromium) return missingChromium
  return withReport('Playwright', async (report) => {
    const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=line,json', ...args], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      CHROMIUM_PATH: chromium,
    })
    return { code, count: countPlaywright }
  })
}

interface Run<Report> {
  code: number
  count: (report: Report) => { passed: number; failed: number }
}

/** A run that failed without a failed test, that ran no test or that wrote no readable report counts as one failure. */
export async function withReport<Report>(
  name: string,
  run: (reportFile: string) => Promise<Run<Report>>,
): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  const reportFile = join(folder, 'report.json')
  try {
    const { code, count } = await run(reportFile)
    const { passed, failed } = count(JSON.parse(readFileSync(reportFile, 'utf8')) as Report)
    const isUnexplained = failed === 0 && (code !== 0 || passed === 0)
    return { name, passed, failed: isUnexplained ? 1 : failed }
  } catch (error) {
    return { name: `${name} (no readable report: ${error})`, passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints a `✗` line for each run with failures, then the line of counts, and sets the exit code. */
export function printCounts(runs: TestCounts[]): void {
  for (const { name, failed } of runs) if (failed > 0) console.log(`✗ ${name}: ${failed} failed`)
  const sum = (key: 'passed' | 'failed') => runs.reduce((total, run) => total + run[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
}
