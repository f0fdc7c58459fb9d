import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { InlineConfig } from 'vite'
import { printStatus, root } from './terminal.ts'

/** The files that the built page depends on. A test compares them with those that a build reads. */
const inputs = [
  '{web,contract}/**/*',
  'vite.config.ts',
  'scripts/{build,catalogs,demo-page,first-chunks,page-plugins,terminal}.ts',
  'package{,-lock}.json',
  // Vite reads how it compiles JSX and TypeScript.
  'tsconfig*.json',
  '{server,tests}/tsconfig.json',
]

/** Builds the page into `dist/` unless it was built from the same files. Returns whether it was built. */
export async function buildPage(): Promise<boolean> {
  const stamp = join(root, 'dist/.inputs-hash')
  const fingerprint = hashFiles(listInputs())
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return false
  printStatus('building the page …')
  await runVite('self-hosted')
  compress(join(root, 'dist'))
  writeFileSync(stamp, fingerprint)
  return true
}

/** Builds the page for Firebase, static files for any host, into `dist-firebase/` or another folder. */
export async function buildForFirebase(env: Record<string, string> = {}, outDir?: string): Promise<void> {
  Object.assign(process.env, env)
  await runVite('firebase', outDir ? { build: { outDir } } : {})
}

/** Builds the demo page, static files for any host, into `dist-demo/` or another folder. */
export async function buildDemo(outDir?: string): Promise<void> {
  await runVite('memory', outDir ? { build: { outDir } } : {})
}

export type PageBackend = 'self-hosted' | 'firebase' | 'memory'

/** Builds the page for production, also while NODE_ENV says something else, which the server that follows still reads. */
export async function runVite(backend: PageBackend, options: InlineConfig = {}) {
  // Loaded on demand, because `npm start` seldom needs it.
  const { build } = await import('vite')
  const { NODE_ENV, VITE_BACKEND } = process.env
  setEnvironment({ NODE_ENV: 'production', VITE_BACKEND: backend })
  try {
    const configFile = join(root, 'vite.config.ts')
    return await build({ root: join(root, 'web'), configFile, logLevel: 'warn', ...options })
  } finally {
    setEnvironment({ NODE_ENV, VITE_BACKEND })
  }
}

function setEnvironment(values: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/** The paths of all files that the built page depends on, relative to the repository's folder. */
export function listInputs(): string[] {
  const exclude = ['**/node_modules', '**/*.test.{ts,tsx}']
  return globSync(inputs, { cwd: root, exclude })
    .filter((file) => statSync(join(root, file)).isFile())
    .sort()
}

function hashFiles(files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
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

async function main(backend = 'self-hosted', outDir?: string) {
  if (backend === 'firebase') {
    await buildForFirebase()
    printStatus('dist-firebase/ is ready for a static host; docs/firebase.md explains how to publish it.')
  } else if (backend === 'memory') {
    await buildDemo(outDir)
    printStatus(`${outDir ?? 'dist-demo/'} is ready for any folder of a static host.`)
  } else if (!(await buildPage())) printStatus('the page is up to date.')
}

if (import.meta.main)
  await main(process.argv[2], process.argv[3]).catch((error) => {
    printStatus(error.message)
    process.exit(1)
  })
