import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildForFirebase } from '../../../scripts/build-firebase.ts'
import { demoKey } from './demo-key.ts'
import type { Emulators } from './emulators.ts'

/** Builds the page for production in a temporary folder, configured for these emulators. */
export async function buildPage({ project, auth, firestore }: Emulators) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-firebase-'))
  const env = {
    VITE_FIREBASE_API_KEY: demoKey,
    VITE_FIREBASE_PROJECT_ID: project,
    VITE_FIREBASE_AUTH_EMULATOR: `127.0.0.1:${auth}`,
    VITE_FIREBASE_FIRESTORE_EMULATOR: `127.0.0.1:${firestore}`,
  }
  await buildForFirebase(env, folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
