import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JsonTestResults } from 'vitest/node'
import { createFolder } from '../../tests/support/cleanup.ts'
import { root } from '../terminal.ts'
import { countPlaywright, countVitest, withReport } from './counts.ts'

/** The settings of a run, which has others of its own. */
function stubRun(environment: Record<string, string>) {
  for (const name of ['NIGHTLY', 'TEST_SEED']) vi.stubEnv(name, environment[name])
}

beforeEach(() => stubRun({}))
afterEach(() => void vi.unstubAllEnvs())

test('Vitest: counts skipped tests and files that cannot be loaded as failed', () => {
  const folder = createFolder()
  const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), lines.join('\n'))
  write('vitest.config.mjs', ['export default {}'])
  write('broken.test.mjs', ["throw new Error('cannot be loaded')"])
  write('mixed.test.mjs', [
    `import { expect, test } from '${import.meta.resolve('vitest')}'`,
    "test('passes', () => {})",
    "test('fails', () => expect(1).toBe(2))",
    "test['skip']('left out', () => {})",
  ])
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  spawnSync(process.execPath, [vitest, 'run', '--root', folder, '--reporter=json', '--outputFile=report'])
  const report = JSON.parse(readFileSync(join(folder, 'report'), 'utf8'))
  expect(countVitest(report, 'test')).toMatchObject({ passed: 1, failed: 3 })
  expect(countVitest(report, 'test', true)).toMatchObject({ passed: 1, failed: 2 })
  expect(countVitest(report, 'test').failures).toEqual([
    expect.stringMatching(/mixed\.test\.mjs › fails: AssertionError: expected 1 to be 2/),
    expect.stringMatching(/^ {2}npm test -- \S+mixed\.test\.mjs -t fails$/),
    expect.stringMatching(/broken\.test\.mjs › not loaded: cannot be loaded/),
    expect.stringMatching(/^ {2}npm test -- \S+broken\.test\.mjs$/),
  ])
})

test('Playwright: counts skipped and flaky tests and errors outside of tests as failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 1 }
  const failing = {
    file: 'a.spec.ts',
    title: 'fails',
    tests: [
      {
        status: 'unexpected',
        results: [
          {
            errors: [
              { message: 'Test timeout of 1ms exceeded.' },
              { message: '\u001b[31mError: no\u001b[39m\n\nExpected: 1\n    at line 1' },
            ],
          },
        ],
      },
    ],
  }
  const passing = { file: 'a.spec.ts', title: 'passes', tests: [{ status: 'expected', results: [{}] }] }
  const suites = [{ title: 'a.spec.ts', specs: [passing], suites: [{ title: 'a group', specs: [failing] }] }]
  const config = { rootDir: join(root, 'tests/e2e') }
  const report: unknown = { config, stats, errors: [{ message: 'no browser' }], suites }
  expect(countPlaywright(report as JSONReport, 'test:firebase')).toEqual({
    passed: 5,
    failed: 4,
    failures: [
      'tests/e2e/a.spec.ts › a group fails: Test timeout of 1ms exceeded. Error: no Expected: 1',
      "  npm run test:firebase -- tests/e2e/a.spec.ts -t 'a group fails'",
      'Playwright › outside of tests: no browser',
    ],
  })
})

test.each([
  ['that failed without a failed test', 1, '{"passed": 3, "failed": 0}', 3],
  ['without tests', 0, '{"passed": 0, "failed": 0}', 0],
  ['that wrote no report', 0, undefined, 0],
  ['that wrote half a report', 0, '{"passed": 3', 0],
])('counts a run %s as one failure', async (_, code, report, passed) => {
  const counts = await withReport('runner', async (file) => {
    if (report) writeFileSync(file, report)
    return { code, count: (json: { passed: number; failed: number }) => json }
  })
  expect(counts).toMatchObject({ passed, failed: 1 })
})

test('the command of a failed test repeats its cases, its form and its backend', () => {
  const name = join(root, 'server/records/records.test.ts')
  const testResults = [{ name, status: 'failed', message: 'cannot be loaded', assertionResults: [] }]
  const commandIn = (environment: Record<string, string>, script: string) => {
    stubRun(environment)
    return countVitest({ testResults } as unknown as JsonTestResults, script).failures[1]
  }
  expect([
    commandIn({}, 'test'),
    commandIn({ TEST_SEED: '20261128' }, 'test'),
    commandIn({ TEST_SEED: '20261128', NIGHTLY: 'yes' }, 'test:postgres'),
  ]).toEqual([
    '  npm test -- server/records/records.test.ts',
    '  TEST_SEED=20261128 npm test -- server/records/records.test.ts',
    '  NIGHTLY=yes TEST_SEED=20261128 npm run test:postgres -- server/records/records.test.ts',
  ])
})
