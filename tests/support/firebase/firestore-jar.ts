import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runFirebaseTools } from './firebase-tools.ts'

/**
 * The path of the official Firestore emulator: what FIRESTORE_EMULATOR_JAR names, then Debian's package, then what
 * firebase-tools downloads where there is a network for it. Throws with words where there is none.
 */
export function findFirestoreJar(): string {
  const configuredJar = process.env.FIRESTORE_EMULATOR_JAR
  if (configuredJar) {
    if (existsSync(configuredJar)) return configuredJar
    throw new Error(`FIRESTORE_EMULATOR_JAR names ${configuredJar}, and there is no such file.`)
  }
  const jar = findPackagedJar() ?? findDownloadedJar() ?? downloadJar()
  if (jar) return jar
  throw new Error(
    'The Firestore emulator is missing. Name its JAR in FIRESTORE_EMULATOR_JAR, install the package ' +
      'google-cloud-cli-firestore-emulator, or connect to the internet, and see that `java` (17 or newer) runs. ' +
      'To run only what needs no Firestore, set WITHOUT_FIRESTORE_EMULATOR=1.',
  )
}

function findPackagedJar(): string | undefined {
  const listing = spawnSync('dpkg', ['-L', 'google-cloud-cli-firestore-emulator'], { encoding: 'utf8' })
  return listing.stdout?.split('\n').find((path) => path.endsWith('.jar') && existsSync(path))
}

/** Where firebase-tools keeps what it has downloaded. */
function findDownloadedJar(): string | undefined {
  const folder = join(homedir(), '.cache', 'firebase', 'emulators')
  if (!existsSync(folder)) return undefined
  const jars = readdirSync(folder).filter((name) => /^cloud-firestore-emulator-.*\.jar$/.test(name))
  const newest = jars.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return newest && join(folder, newest)
}

function downloadJar(): string | undefined {
  runFirebaseTools(['setup:emulators:firestore'])
  return findDownloadedJar()
}
