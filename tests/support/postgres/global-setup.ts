import type { TestProject } from 'vitest/node'
import { startCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL in which schemas and databases can be created. */
    postgres: string
  }
}

/** One PostgreSQL for all tests of a run. Tests that stop it start their own. */
export async function setup(project: TestProject) {
  const { url, remove } = await startCluster()
  project.provide('postgres', url)
  return remove
}
