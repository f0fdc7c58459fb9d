import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Playwright's tests import this file too. */
const vitest = process.env.VITEST ? await import('vitest') : undefined

/** Runs `clean` when the current test has finished. Outside of a test, in `beforeAll`, the caller has to clean up. */
export function cleanUpAfterTest(clean: () => unknown): void {
  if (vitest?.TestRunner.getCurrentTest()) vitest.onTestFinished(async () => void (await clean()))
}

/** Creates a folder with these files, which is removed when the current test has finished. */
export function createFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-test-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The paths of all files in a folder and those in it. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
