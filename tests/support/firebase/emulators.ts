import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installFirebaseTools } from './firebase-tools.ts'
import { findFirestoreJar } from './firestore-jar.ts'
import { forkEmulator } from './fork-emulator.ts'

/** A project whose name begins with `demo-` can never be a real one: the SDK and the emulators see to that. */
export const project = 'demo-staffbook'

export interface Emulators {
  project: string
  /** The port of the Auth emulator on 127.0.0.1. */
  auth: number
  /** The port of the Firestore emulator on 127.0.0.1; 0 where the run was told to do without. */
  firestore: number
}

/**
 * Starts both official emulators on free ports of the loopback, with the project's rules. Throws with words where one is
 * missing, unless WITHOUT_FIRESTORE_EMULATOR=1 says that Firestore's may be.
 */
export async function startEmulators(): Promise<Emulators & { stop(): Promise<void> }> {
  installFirebaseTools()
  const jar = process.env.WITHOUT_FIRESTORE_EMULATOR === '1' ? undefined : findFirestoreJar()
  const [auth, firestore] = await Promise.all([
    forkEmulator('auth.js', [project]),
    jar ? startFirestore(jar) : { port: 0, stop: async () => {} },
  ])
  return {
    project,
    auth: auth.port,
    firestore: firestore.port,
    stop: async () => void (await Promise.all([auth.stop(), firestore.stop()])),
  }
}

async function startFirestore(jar: string) {
  const port = await findFreePort()
  const options = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--project_id',
    project,
    '--single_project_mode',
  ]
  const rules = ['--rules', fileURLToPath(new URL('../../../firestore.rules', import.meta.url))]
  const java = ['-Xmx512m', '-Duser.language=en', '-cp', jar, firestoreClass, ...options, ...rules]
  // The JVM must end with us, however we end: the shell waits for our end of its standard input to close.
  const script = 'java "$@" >/dev/null 2>&1 & read -r _; kill $!; wait $!'
  const shell = spawn('sh', ['-c', script, 'sh', ...java], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(shell, 'exit')
  const stop = async () => {
    shell.stdin.end()
    await ended
  }
  try {
    await waitUntilReachable(`http://127.0.0.1:${port}/`, 30_000)
  } catch (error) {
    await stop()
    throw new Error(`The Firestore emulator (${jar}) did not start.`, { cause: error })
  }
  return { port, stop }
}

/** Started by its class: the JAR of Google Cloud's package names no main class, and wants no newer Java than 17. */
const firestoreClass = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore'

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function waitUntilReachable(url: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`${url} gave no answer within ${timeoutMs} ms.`)
    await sleep(50)
  }
}
