import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideChromium } from './chromium.ts'
import { runTool } from './terminal.ts'

export interface Count {
  passed: number
  failed: number
}

/** Prints the one line of counts at the end, and makes the exit code say the same. */
export function sumUp(counts: Count[]): void {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs Vitest; what a name pattern leaves out counts neither way, what is skipped otherwise counts as failed. */
export function runVitest(args: string[] = [], pattern?: string): Promise<Count> {
  return withReport(async (report) => {
    const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const narrowed = pattern === undefined ? [] : ['--testNamePattern', pattern]
    const code = await runTool('vitest/vitest.mjs', ['run', ...options, ...narrowed, ...args])
    return count(report, code, (json) => ({
      passed: json.numPassedTests,
      failed: pattern === undefined ? json.numTotalTests - json.numPassedTests : json.numFailedTests,
    }))
  })
}

/** Runs the browser tests; where there is no browser, that is one failure. */
export async function runPlaywright(args: string[] = []): Promise<Count> {
  const chromium = provideChromium()
  if (!chromium) return { passed: 0, failed: 1 }
  return withReport(async (report) => {
    const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=line,json', ...args], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      CHROMIUM_PATH: chromium,
    })
    return count(report, code, ({ stats }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped,
    }))
  })
}

async function withReport(run: (report: string) => Promise<Count>): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  try {
    return await run(join(folder, 'report.json'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads a runner's report. What is skipped counts as failed; so does a runner that fails without a failed test. */
// biome-ignore lint/suspicious/noExplicitAny: a report of a foreign program, of which two numbers are read
function count(report: string, code: number, read: (json: any) => Count): Count {
  const { passed, failed } = readReport(report, read)
  const ranNothing = passed + failed === 0
  return { passed, failed: failed || (code !== 0 || ranNothing ? 1 : 0) }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function readReport(report: string, read: (json: any) => Count): Count {
  try {
    return read(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 }
  }
}
