import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildForFirebase } from '../../../scripts/build.ts'
import { demoKey } from './demo-key.ts'
import type { Emulators } from './emulators.ts'

/** Settings of a page that uses these emulators. */
export const toSettings = ({ project, auth, firestore }: Emulators) => ({
  VITE_FIREBASE_API_KEY: demoKey,
  VITE_FIREBASE_PROJECT_ID: project,
  VITE_FIREBASE_AUTH_EMULATOR: `127.0.0.1:${auth}`,
  VITE_FIREBASE_FIRESTORE_EMULATOR: `127.0.0.1:${firestore}`,
})

/** Builds the page for production in a temporary folder, configured for these emulators. */
export async function buildPage(emulators: Emulators) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-firebase-'))
  await buildForFirebase(toSettings(emulators), folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
