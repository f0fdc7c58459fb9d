import { stripVTControlCharacters } from 'node:util'

/** What a run found: how many held, and of each that did not, a text that names it and says what went wrong. */
export interface Outcome {
  passed: number
  failures: string[]
}

/** Of Vitest's JSON report, as far as it is read here. */
export interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

/** Of Playwright's JSON report, as far as it is read here. */
export interface PlaywrightReport {
  errors: { message?: string }[]
  suites: PlaywrightSuite[]
}

interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs: { title: string; tests: PlaywrightTest[] }[]
}

interface PlaywrightTest {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  results: { errors: { message?: string }[] }[]
}

/**
 * A skipped test counts as failed, unless `narrowed` says that a name pattern left some out; so does a file that could
 * not be read.
 */
export function outcomeOfVitest({ testResults }: VitestReport, narrowed = false): Outcome {
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, file: file.name })),
  )
  const failed = tests.filter(({ status }) => status !== 'passed' && (status === 'failed' || !narrowed))
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures: [
      ...failed.map(({ file, fullName, status, failureMessages }) =>
        failure(`${file} › ${fullName}`, status, failureMessages ?? []),
      ),
      ...brokenFiles.map(({ name, message }) => failure(name, 'could not be run', [message])),
    ],
  }
}

/** A skipped test counts as failed, and so does one that held only when it was tried again. */
export function outcomeOfPlaywright({ suites, errors }: PlaywrightReport): Outcome {
  const tests = suites.flatMap(testsOf)
  const failed = tests.filter(({ status }) => status !== 'expected')
  return {
    passed: tests.length - failed.length,
    failures: [
      ...failed.map(({ title, status, results }) =>
        failure(title, status, messagesOf(results.flatMap(({ errors }) => errors))),
      ),
      ...messagesOf(errors).map((message) => failure('Playwright', 'could not run all tests', [message])),
    ],
  }
}

function testsOf({ file, suites = [], specs }: PlaywrightSuite): (PlaywrightTest & { title: string })[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({ ...test, title: `${file} › ${title}` })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

const messagesOf = (errors: { message?: string }[]) => errors.map(({ message }) => message ?? '')

const longest = 12

function failure(title: string, status: string, messages: string[]): string {
  const lines = stripVTControlCharacters(messages.join('\n')).trim().split('\n').slice(0, longest)
  return [`${title} (${status})`, ...lines.map((line) => `  ${line}`)].join('\n')
}
