import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { ensureChromium } from './chromium.ts'
import { root, runTool } from './terminal.ts'

export interface TestCounts {
  name: string
  passed: number
  failed: number
  /** A line for each failed test: its file, title and error. */
  failures?: string[] | undefined
}

/** Counts a file that could not be loaded as failed, and a skipped test too unless `isFiltered` (by a name pattern). */
export function countVitest(report: JsonTestResults, isFiltered = false) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failedTests = isFiltered ? report.numFailedTests : report.numTotalTests - report.numPassedTests
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => describeFailure(name, test.fullName, test.failureMessages?.[0])),
  )
  failures.push(...brokenFiles.map(({ name, message }) => describeFailure(name, 'not loaded', message)))
  return { passed: report.numPassedTests, failed: failedTests + brokenFiles.length, failures }
}

/** Counts as failed: skipped tests, tests that passed only when repeated, and errors outside of tests. */
export function countPlaywright({ config, stats, errors, suites }: JSONReport) {
  const { expected, unexpected, flaky, skipped } = stats
  const failures = suites.flatMap((suite) => listFailures(suite, config.rootDir))
  failures.push(...errors.map(({ message }) => describeFailure('Playwright', 'outside of tests', message)))
  return { passed: expected, failed: unexpected + flaky + skipped + errors.length, failures }
}

function listFailures({ suites = [], specs }: JSONReportSuite, folder: string): string[] {
  const ofThis = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ results }) => describeFailure(resolve(folder, file), title, joinErrors(results[0]?.errors))),
  )
  return [...ofThis, ...suites.flatMap((suite) => listFailures(suite, folder))]
}

/** After a timeout, the second error names the step that did not end. */
const joinErrors = (errors: { message: string }[] = []) => errors.map(({ message }) => message).join('\n')

const maxErrorLength = 1_000

/** Leaves out the stack, but not what follows the first line: the seed of a random test, or a difference. */
function describeFailure(file: string, title: string, message = '') {
  const error = stripVTControlCharacters(message).replaceAll(/\n\s+at .*/g, '')
  const line = error.replaceAll(/\s+/g, ' ').slice(0, maxErrorLength)
  return `${relative(root, resolve(root, file))} › ${title}: ${line}`
}

/** Runs Vitest. `pattern` selects tests by name; the others are not counted. */
export function runVitest(args: string[] = [], pattern?: string): Promise<TestCounts> {
  return withReport('Vitest', async (report) => {
    const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const filter = pattern === undefined ? [] : ['--testNamePattern', pattern]
    const code = await runTool('vitest/vitest.mjs', ['run', ...options, ...filter, ...args])
    return { code, count: (json: JsonTestResults) => countVitest(json, pattern !== undefined) }
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
  count: (report: Report) => Omit<TestCounts, 'name'>
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
    const { passed, failed, failures } = count(JSON.parse(readFileSync(reportFile, 'utf8')) as Report)
    const isUnexplained = failed === 0 && (code !== 0 || passed === 0)
    return { name, passed, failed: isUnexplained ? 1 : failed, failures }
  } catch (error) {
    return { name: `${name} (no readable report: ${error})`, passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints `✗` lines for each run with failures and for each failed test, then the counts. Sets the exit code. */
export function printCounts(runs: TestCounts[]): void {
  for (const { name, failed, failures = [] } of runs)
    if (failed > 0) for (const line of [`${name}: ${failed} failed`, ...failures]) console.log(`✗ ${line}`)
  const sum = (key: 'passed' | 'failed') => runs.reduce((total, run) => total + run[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
}
