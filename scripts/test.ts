import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPage } from './build.ts'
import { runChecks } from './check.ts'
import { provideChromium } from './chromium.ts'
import { runTool, say } from './terminal.ts'

interface Count {
  passed: number
  failed: number
}

/** Everything that must hold, in the order in which it fails fastest; one line of counts at the end. */
async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  const counts: Count[] = []
  try {
    counts.push(await runChecks())
    say('unit, contract, storage and fault tests …')
    counts.push(await runVitest(join(folder, 'vitest.json')))
    await buildPage()
    const chromium = provideChromium()
    say('browser tests …')
    counts.push(await runPlaywright(join(folder, 'playwright.json'), chromium))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

async function runVitest(report: string): Promise<Count> {
  const code = await runTool('vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  return count(report, code, (json) => ({
    passed: json.numPassedTests,
    failed: json.numTotalTests - json.numPassedTests,
  }))
}

async function runPlaywright(report: string, chromium: string | undefined): Promise<Count> {
  const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=line,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
  })
  return count(report, code, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
  }))
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

await main()
