import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runFirebaseTools } from './firebase-tools.ts'

/**
 * Returns the path of the official Firestore emulator: from FIRESTORE_EMULATOR_JAR, from Debian's package, or as downloaded
 * by firebase-tools. Throws an error with instructions if none is found.
 */
export function findFirestoreJar(): string {
  const configuredJar = process.env.FIRESTORE_EMULATOR_JAR
  if (configuredJar) {
    if (existsSync(configuredJar)) return configuredJar
    throw new Error(`FIRESTORE_EMULATOR_JAR is ${configuredJar}, but this file does not exist.`)
  }
  const jar = findPackagedJar() ?? findDownloadedJar() ?? downloadJar()
  if (jar) return jar
  throw new Error(
    'The Firestore emulator is missing. Set FIRESTORE_EMULATOR_JAR to its JAR, install the package ' +
      'google-cloud-cli-firestore-emulator, or connect to the internet. It needs `java` 17 or newer. ' +
      'To run only the tests that do not need Firestore, set WITHOUT_FIRESTORE_EMULATOR=1.',
  )
}

function findPackagedJar(): string | undefined {
  const listing = spawnSync('dpkg', ['-L', 'google-cloud-cli-firestore-emulator'], { encoding: 'utf8' })
  return listing.stdout?.split('\n').find((path) => path.endsWith('.jar') && existsSync(path))
}

/** Searches the download folder of firebase-tools. */
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
