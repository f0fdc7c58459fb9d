import type { TestProject } from 'vitest/node'
import { type Emulators, startEmulators } from './emulators.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    emulators: Emulators
  }
}

/** Both emulators, once for all tests of a run. */
export async function setup(project: TestProject) {
  const { stop, ...emulators } = await startEmulators()
  project.provide('emulators', emulators)
  return stop
}
