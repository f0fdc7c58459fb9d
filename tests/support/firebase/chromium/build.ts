import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { demoKey } from '../demo-key.ts'
import type { Emulators } from '../emulators.ts'

/** The adapter as the production build makes it, on a page that a test can drive. */
export async function buildDriver({ project, auth, firestore }: Emulators) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-driver-'))
  const emulators = { auth: `127.0.0.1:${auth}`, firestore: `127.0.0.1:${firestore}` }
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    define: { __FIREBASE_CONFIG__: JSON.stringify({ apiKey: demoKey, projectId: project, emulators }) },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
