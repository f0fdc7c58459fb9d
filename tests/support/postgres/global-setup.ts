import type { TestProject } from 'vitest/node'
import { startCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of a PostgreSQL in which databases can be made. */
    postgres: string
  }
}

/** One PostgreSQL for all tests of a run that do not stop it. */
export async function setup(project: TestProject) {
  const { url, remove } = await startCluster()
  project.provide('postgres', url)
  return remove
}
