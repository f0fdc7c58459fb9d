import { expect, test } from 'vitest'
import { outcomeOfPlaywright, outcomeOfVitest } from './reports.ts'

const vitestTest = (status: string) => ({ fullName: `it ${status}`, status, failureMessages: ['why'] })
const vitestFile = (assertionResults: ReturnType<typeof vitestTest>[], status = 'passed', message = '') => ({
  testResults: [{ name: 'a.test.ts', status, message, assertionResults }],
})

test('Vitest: what failed and what was skipped is named and counted as failed', () => {
  const report = vitestFile([vitestTest('passed'), vitestTest('failed'), vitestTest('skipped')], 'failed')
  expect(outcomeOfVitest(report)).toEqual({
    passed: 1,
    failures: ['a.test.ts › it failed (failed)\n  why', 'a.test.ts › it skipped (skipped)\n  why'],
  })
})

test('Vitest: what a name pattern leaves out counts neither way', () => {
  const report = vitestFile([vitestTest('passed'), vitestTest('skipped')])
  expect(outcomeOfVitest(report, true)).toEqual({ passed: 1, failures: [] })
})

test('Vitest: a file that cannot be run has failed', () => {
  expect(outcomeOfVitest(vitestFile([], 'failed', 'SyntaxError')).failures).toEqual([
    'a.test.ts (could not be run)\n  SyntaxError',
  ])
})

test('Playwright: every test of every group counts, and what is not as expected has failed', () => {
  const spec = (status: 'expected' | 'unexpected' | 'flaky' | 'skipped') => ({
    title: `it is ${status}`,
    tests: [{ status, results: [{ errors: [{ message: '\u001b[31mwhy\u001b[39m' }] }] }],
  })
  const inner = { file: 'a.spec.ts', specs: [spec('unexpected'), spec('flaky'), spec('skipped')] }
  const suites = [{ file: 'a.spec.ts', specs: [spec('expected')], suites: [inner] }]
  expect(outcomeOfPlaywright({ suites, errors: [] })).toEqual({
    passed: 1,
    failures: ['unexpected', 'flaky', 'skipped'].map(
      (status) => `a.spec.ts › it is ${status} (${status})\n  why`,
    ),
  })
})

test('Playwright: an error outside of all tests is a failure', () => {
  expect(outcomeOfPlaywright({ suites: [], errors: [{ message: 'no tests found' }] }).failures).toHaveLength(
    1,
  )
})
