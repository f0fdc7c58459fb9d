import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isNightly } from '../nightly.ts'
import { findFreePort } from '../unprivileged.ts'
import { installFirebaseTools } from './firebase-tools.ts'
import { findFirestoreJar } from './firestore-jar.ts'
import { forkEmulator } from './fork-emulator.ts'

/** The SDK and the emulators never connect a project named `demo-…` to a real one. */
export const project = 'demo-staffbook'

/** A syntactically valid API key; the emulator accepts any. */
export const demoKey = 'AIzaDemoDemoDemoDemoDemoDemoDemoDemoDemo'

export interface Emulators {
  project: string
  /** The port of the Auth emulator on 127.0.0.1. */
  auth: number
  /** The port of the Firestore emulator on 127.0.0.1; 0 with WITHOUT_FIRESTORE_EMULATOR=1. */
  firestore: number
}

/** Settings of a page that uses these emulators. */
export const toSettings = ({ project, auth, firestore }: Emulators) => ({
  VITE_FIREBASE_API_KEY: demoKey,
  VITE_FIREBASE_PROJECT_ID: project,
  VITE_FIREBASE_AUTH_EMULATOR: `127.0.0.1:${auth}`,
  VITE_FIREBASE_FIRESTORE_EMULATOR: `127.0.0.1:${firestore}`,
})

/**
 * Starts both official emulators on free local ports, with the project's rules. Throws an error with instructions if one
 * is missing. WITHOUT_FIRESTORE_EMULATOR=1 skips Firestore's.
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
  const options = `--host 127.0.0.1 --port ${port} --project_id ${project} --single_project_mode`.split(' ')
  const rules = ['--rules', fileURLToPath(new URL('../../../firestore.rules', import.meta.url))]
  const settings = [`-Xmx${maxHeap}`, ...compilerOptions, '-Duser.language=en']
  const java = [...settings, '-cp', jar, firestoreClass, ...options, ...rules]
  // End the JVM with this process, even if it crashes: the shell waits until its standard input is closed.
  const script = 'java "$@" >/dev/null 2>&1 & read -r _; kill $!; wait $!'
  const shell = spawn('sh', ['-c', script, 'sh', ...java], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(shell, 'exit')
  const stop = async () => {
    shell.stdin.end()
    await ended
  }
  const deadline = Date.now() + 120_000
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) {
    if (Date.now() < deadline) await sleep(50)
    else {
      await stop()
      throw new Error(`The Firestore emulator (${jar}) did not start within 2 minutes.`)
    }
  }
  return { port, stop }
}

/** The emulator keeps every version of a document in memory: 4,000 random sequences of calls fill 512 MB. */
const maxHeap = isNightly ? '4g' : '512m'

/** In a run of minutes, compiling the emulator thoroughly and collecting in parallel takes a third of its processor time. */
const compilerOptions = isNightly ? [] : ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** The main class; the JAR in Google Cloud's package declares none. Java 17 is sufficient. */
const firestoreClass = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore'
