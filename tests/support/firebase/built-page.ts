import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildForFirebase } from '../../../scripts/build.ts'
import { root } from '../../../scripts/terminal.ts'
import { demoKey, type Emulators } from './emulators.ts'
import { forkEmulator } from './fork-emulator.ts'

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

/** Serves a built page like Firebase Hosting with our firebase.json; its policy also allows the emulators. */
export async function startStaticHost(folder: string, { auth, firestore }: Emulators) {
  const text = readFileSync(join(root, 'firebase.json'), 'utf8')
  const emulatorPolicy = `connect-src 'self' http://127.0.0.1:${auth} http://127.0.0.1:${firestore}`
  const { hosting } = JSON.parse(text.replace("connect-src 'self'", emulatorPolicy))
  const { port, stop } = await forkEmulator('hosting.js', [folder, JSON.stringify(hosting)])
  return { url: `http://127.0.0.1:${port}`, stop }
}
