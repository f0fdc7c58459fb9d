import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { type Outcome, outcomeOfPlaywright, outcomeOfVitest, type VitestReport } from './reports.ts'
import { runTool } from './terminal.ts'

/**
 * Prints what failed, each line after a `✗` so that it is found in a long log, then the one line of counts, and makes
 * the exit code say the same.
 */
export function sumUp(outcomes: Outcome[]): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  for (const failure of failures) console.log(failure.replace(/^/gm, '✗ '))
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

/** Runs Vitest; what a name pattern leaves out counts neither way, what is skipped otherwise counts as failed. */
export function runVitest(args: string[] = [], pattern?: string): Promise<Outcome> {
  return withReport(async (report) => {
    const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const narrowed = pattern === undefined ? [] : ['--testNamePattern', pattern]
    const code = await runTool('vitest/vitest.mjs', ['run', ...options, ...narrowed, ...args])
    return outcomeOf('Vitest', report, code, (json: VitestReport) =>
      outcomeOfVitest(json, pattern !== undefined),
    )
  })
}

/** Runs the browser tests; where there is no browser, that is one failure. */
export async function runPlaywright(args: string[] = []): Promise<Outcome> {
  const chromium = ensureChromium()
  if (!chromium) return { passed: 0, failures: ['the browser tests (there is no Chromium)'] }
  return withReport(async (report) => {
    const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=line,json', ...args], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      CHROMIUM_PATH: chromium,
    })
    return outcomeOf('Playwright', report, code, outcomeOfPlaywright)
  })
}

async function withReport(run: (report: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  try {
    return await run(join(folder, 'report.json'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads a runner's report. A runner that ran nothing has failed, and so has one that fails without a failed test. */
function outcomeOf<Report>(
  runner: string,
  file: string,
  code: number,
  read: (report: Report) => Outcome,
): Outcome {
  const { passed, failures } = readReport(file, read)
  const ranNothing = passed + failures.length === 0
  const hidden = failures.length === 0 && (code !== 0 || ranNothing)
  return {
    passed,
    failures: hidden ? [`${runner} (ended with exit code ${code} after ${passed} tests)`] : failures,
  }
}

function readReport<Report>(file: string, read: (report: Report) => Outcome): Outcome {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')) as Report)
  } catch (error) {
    return { passed: 0, failures: [`a report that cannot be read (${error})`] }
  }
}
