import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { root } from '../terminal.ts'

export interface TestCounts {
  name: string
  passed: number
  failed: number
  /** For each failed test a line with its file, title and error, and one with the command that runs it alone. */
  failures?: string[] | undefined
}

/**
 * Counts a file that could not be loaded as failed, and a skipped test too unless `isFiltered` (by a title or a tag).
 * `script` is the npm script that runs a file alone.
 */
export function countVitest(report: JsonTestResults, script: string, isFiltered = false) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failedTests = isFiltered ? report.numFailedTests : report.numTotalTests - report.numPassedTests
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === 'failed')
      .flatMap(({ ancestorTitles, title, failureMessages }) =>
        // As Vitest joins them to compare them with a pattern.
        describeFailure(script, name, [...ancestorTitles, title].join(' > '), failureMessages?.[0]),
      ),
  )
  failures.push(
    ...brokenFiles.flatMap(({ name, message }) => describeFailure(script, name, undefined, message)),
  )
  return { passed: report.numPassedTests, failed: failedTests + brokenFiles.length, failures }
}

/** Counts as failed: skipped tests, tests that passed only when repeated, and errors outside of tests. */
export function countPlaywright({ config, stats, errors, suites }: JSONReport, script: string) {
  const { expected, unexpected, flaky, skipped } = stats
  // The outermost suites are the files.
  const failures = suites.flatMap(({ suites = [], specs }) =>
    listFailures({ specs, suites }, (file) => resolve(config.rootDir, file), script, []),
  )
  failures.push(...errors.map(({ message }) => `Playwright › outside of tests: ${shorten(message)}`))
  return { passed: expected, failed: unexpected + flaky + skipped + errors.length, failures }
}

function listFailures(
  { suites = [], specs }: Pick<JSONReportSuite, 'suites' | 'specs'>,
  pathOf: (file: string) => string,
  script: string,
  titles: string[],
): string[] {
  const ofThis = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .flatMap(({ results }) =>
        describeFailure(script, pathOf(file), [...titles, title].join(' '), joinErrors(results[0]?.errors)),
      ),
  )
  return [
    ...ofThis,
    ...suites.flatMap((suite) => listFailures(suite, pathOf, script, [...titles, suite.title])),
  ]
}

/** After a timeout, the second error names the step that did not end. */
const joinErrors = (errors: { message: string }[] = []) => errors.map(({ message }) => message).join('\n')

const maxErrorLength = 1_000

/** Leaves out the stack, but not what follows the first line: the seed of a random test, or a difference. */
function shorten(message = '') {
  const error = stripVTControlCharacters(message).replaceAll(/\n\s+at .*/g, '')
  return error.replaceAll(/\s+/g, ' ').slice(0, maxErrorLength)
}

function describeFailure(script: string, path: string, title: string | undefined, message = '') {
  const file = relative(root, resolve(root, path))
  return [`${file} › ${title ?? 'not loaded'}: ${shorten(message)}`, commandOf(script, file, title)]
}

/** The command that runs a test alone, with the same backend and form, and with the cases that the seed of the run chooses. */
function commandOf(script: string, file: string, title: string | undefined): string {
  const settings = ['NIGHTLY', 'TEST_SEED'].flatMap((name) =>
    process.env[name] ? [`${name}=${process.env[name]} `] : [],
  )
  const selection = [file, ...(title === undefined ? [] : ['-t', title])].map(quote).join(' ')
  return `  ${settings.join('')}npm ${script === 'test' ? 'test' : `run ${script}`} -- ${selection}`
}

const quote = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

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
