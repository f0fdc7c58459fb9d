import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { PlaywrightTestConfig } from '@playwright/test'
import type { ViteUserConfig } from 'vitest/config'
import { root } from '../terminal.ts'
import { suites } from '../tests/suites.ts'

/** Whatever is named like a test. */
const testFiles = '**/*.{test,spec,emulated,postgres,reader,recipe,release}.{ts,tsx,js,mjs}'
const isSource = (file: string) => !/(^|\/)(node_modules|dist[^/]*|data|test-results)\//.test(file)

/** The configurations that run the tests of others once more, on another backend. */
const repeating = ['postgres', 'postgresJourneys', 'firebaseJourneys']

/** Finds test files that no suite runs, and those that several run. */
export async function findLostTests(): Promise<string[]> {
  const runBy = new Map<string, string[]>()
  for (const [name, suite] of Object.entries(suites)) {
    const config =
      'config' in suite ? suite.config : `${suite.runner === 'vitest' ? 'vitest' : 'playwright'}.config.ts`
    const { default: loaded } = await import(join(root, config))
    for (const file of new Set(
      suite.runner === 'vitest' ? findIncluded(loaded) : findMatching(loaded, config),
    ))
      runBy.set(file, [...(runBy.get(file) ?? []), name])
  }
  return findLost(globSync(testFiles, { cwd: root, exclude: ['**/node_modules/**'] }).filter(isSource), runBy)
}

/** `runBy`: the suites of each file. */
export function findLost(files: string[], runBy: Map<string, string[]>): string[] {
  return files.flatMap((file) => {
    const names = runBy.get(file) ?? []
    if (names.length === 0) return [`${file} is in no run: place and name it as CONTRIBUTING.md says`]
    const own = names.filter((name) => !repeating.includes(name))
    return own.length > 1 ? [`${file} is run by ${own.join(' and ')}`] : []
  })
}

/** The files of a configuration of Vitest, and of its projects. */
function findIncluded({ test }: ViteUserConfig): string[] {
  const parts = [test, ...(test?.projects ?? []).map((project) => (project as ViteUserConfig).test)]
  return parts.flatMap((part) => (part?.include ?? []).flatMap((pattern) => globSync(pattern, { cwd: root })))
}

/** The files of a configuration of Playwright. */
function findMatching({ testDir = '.', testMatch = '*.spec.ts' }: PlaywrightTestConfig, config: string) {
  const folder = relative(root, join(root, dirname(config), testDir))
  return [testMatch].flat().flatMap((pattern) => globSync(`${folder}/**/${pattern}`, { cwd: root }))
}
