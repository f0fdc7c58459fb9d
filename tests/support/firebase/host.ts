import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/terminal.ts'
import type { Emulators } from './emulators.ts'
import { startForked } from './forked.ts'

/** Serves a built page as Firebase Hosting would, by our firebase.json; the page may also talk to the emulators. */
export async function startHost(folder: string, { auth, firestore }: Emulators) {
  const text = readFileSync(join(root, 'firebase.json'), 'utf8')
  const local = `connect-src 'self' http://127.0.0.1:${auth} http://127.0.0.1:${firestore}`
  const { hosting } = JSON.parse(text.replace("connect-src 'self'", local))
  const { port, stop } = await startForked('hosting.js', [folder, JSON.stringify(hosting)])
  return { url: `http://127.0.0.1:${port}`, stop }
}
