import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { printStatus, root } from './terminal.ts'

/** The files that the built page depends on. */
const inputs = [
  'web/**/*',
  'contract/**/*',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'scripts/build.ts',
  'scripts/page-plugins.ts',
]

/** Builds the page into `dist/` unless it was built from the same files. Returns whether it was built. */
export async function buildPage(): Promise<boolean> {
  const stamp = join(root, 'dist/.inputs-hash')
  const fingerprint = hashFiles(inputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return false
  printStatus('building the page …')
  await runVite()
  compress(join(root, 'dist'))
  writeFileSync(stamp, fingerprint)
  return true
}

/** Builds the page for Firebase, static files for any host, into `dist-firebase/` or another folder. */
export async function buildForFirebase(env: Record<string, string> = {}, outDir?: string): Promise<void> {
  Object.assign(process.env, env, { VITE_BACKEND: 'firebase' })
  await runVite(outDir ? { outDir } : {})
}

async function runVite(options: { outDir?: string } = {}) {
  // Loaded on demand, because `npm start` seldom needs it.
  const { build } = await import('vite')
  const configFile = join(root, 'vite.config.ts')
  await build({ root: join(root, 'web'), configFile, logLevel: 'warn', build: options })
}

function hashFiles(patterns: string[]): string {
  const hash = createHash('sha256')
  const files = globSync(patterns, { cwd: root }).filter((file) => statSync(join(root, file)).isFile())
  for (const file of files.sort()) {
    const content = readFileSync(join(root, file))
    hash.update(file).update('\0').update(content).update('\0')
  }
  return hash.digest('hex')
}

/** Writes a gzip and a Brotli file next to each text file, so that the server never compresses static files. */
function compress(folder: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const files = globSync('**/*.{html,js,css,svg,webmanifest}', { cwd: folder })
  // The index last: a running server then reads the new build.
  for (const file of files.sort((a, b) => Number(a === 'index.html') - Number(b === 'index.html'))) {
    const path = join(folder, file)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  }
}

if (import.meta.main) {
  if (process.argv[2] !== 'firebase') {
    if (!(await buildPage())) printStatus('the page is up to date.')
  } else {
    await buildForFirebase().catch((error) => {
      printStatus(error.message)
      process.exit(1)
    })
    printStatus('dist-firebase/ is ready for a static host; docs/firebase.md explains how to publish it.')
  }
}
