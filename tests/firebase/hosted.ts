import type { Backend } from '../browser/backend.ts'
import { adminOf } from './admin.ts'
import type { Emulators } from './emulators.ts'

interface Hosted {
  url: string
  emulators: Emulators
}

/** Playwright's workers are processes of their own, and inherit the environment. */
const variable = 'STAFFBOOK_HOSTED'

export function tellHosted(hosted: Hosted): void {
  process.env[variable] = JSON.stringify(hosted)
}

/** What the project's owner can do to the page under test. */
export function hostedAdmin() {
  const { emulators }: Hosted = JSON.parse(process.env[variable] ?? '')
  return adminOf(emulators)
}

/** The page on its static host, with no account and no record behind it. */
export async function openHosted(text: string): Promise<Backend> {
  const { url, emulators }: Hosted = JSON.parse(text)
  await adminOf(emulators).reset()
  return { url, stop: async () => {} }
}
