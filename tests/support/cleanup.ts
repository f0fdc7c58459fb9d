import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Playwright's tests import this file too. */
const vitest = process.env.VITEST ? await import('vitest') : undefined

/** Runs `clean` when the current test has finished. Outside of a test, in `beforeAll`, the caller has to clean up. */
export function cleanUpAfterTest(clean: () => unknown): void {
  if (vitest?.TestRunner.getCurrentTest()) vitest.onTestFinished(async () => void (await clean()))
}

/** Creates a folder that is removed when the current test has finished. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
