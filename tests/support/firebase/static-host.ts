import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/terminal.ts'
import type { Emulators } from './emulators.ts'
import { forkEmulator } from './fork-emulator.ts'

/** Serves a built page like Firebase Hosting with our firebase.json; its policy also allows the emulators. */
export async function startStaticHost(folder: string, { auth, firestore }: Emulators) {
  const text = readFileSync(join(root, 'firebase.json'), 'utf8')
  const emulatorPolicy = `connect-src 'self' http://127.0.0.1:${auth} http://127.0.0.1:${firestore}`
  const { hosting } = JSON.parse(text.replace("connect-src 'self'", emulatorPolicy))
  const { port, stop } = await forkEmulator('hosting.js', [folder, JSON.stringify(hosting)])
  return { url: `http://127.0.0.1:${port}`, stop }
}
