import type { TestProject } from 'vitest/node'
import { type Emulators, startEmulators } from './emulators.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    emulators: Emulators
  }
}

/** Starts both emulators once for all tests. */
export async function setup(project: TestProject) {
  const { stop, ...emulators } = await startEmulators()
  project.provide('emulators', emulators)
  return stop
}
