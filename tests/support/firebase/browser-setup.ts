import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildForFirebase } from '../../../scripts/build.ts'
import { root } from '../../../scripts/terminal.ts'
import { createFolder } from '../cleanup.ts'
import { startEmulators, toSettings } from './emulators.ts'
import { forkEmulator } from './fork-emulator.ts'

/** Starts once for all browser tests the emulators, and a host that serves the page like Firebase Hosting with our firebase.json. */
// biome-ignore lint/style/noDefaultExport: Playwright requires a default export
export default async function setUp() {
  const { stop, ...emulators } = await startEmulators()
  const folder = createFolder()
  await buildForFirebase(toSettings(emulators), folder)
  const text = readFileSync(join(root, 'firebase.json'), 'utf8')
  // Our policy does not allow the emulators.
  const policy = `connect-src 'self' http://127.0.0.1:${emulators.auth} http://127.0.0.1:${emulators.firestore}`
  const { hosting } = JSON.parse(text.replace("connect-src 'self'", policy))
  const host = await forkEmulator('hosting.js', [folder, JSON.stringify(hosting)])
  // Playwright's workers are separate processes that inherit the environment.
  process.env.STAFFBOOK_HOSTED = JSON.stringify({ url: `http://127.0.0.1:${host.port}`, emulators })
  return async () => {
    await Promise.all([host.stop(), stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
