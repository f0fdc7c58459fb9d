import { availableParallelism } from 'node:os'
import type { FullConfig } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { startCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL in which schemas and databases can be created. */
    postgres: string
  }
}

/** Each worker has servers, and each of these about ten connections. PostgreSQL's default would be too few for eight cores. */
const maxConnections = 100 * availableParallelism()

/** One PostgreSQL for all tests of a run, of Vitest or Playwright. Tests that stop it start their own. */
// biome-ignore lint/style/noDefaultExport: Playwright requires a default export
export default async function setUp(run: TestProject | FullConfig) {
  const { url, folder, remove } = await startCluster({ settings: [`max_connections=${maxConnections}`] })
  if ('provide' in run) run.provide('postgres', url)
  else process.env.TEST_CLUSTER = JSON.stringify({ url, folder })
  return remove
}
