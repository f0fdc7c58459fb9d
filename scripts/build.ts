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
  'scripts/inline-scripts.ts',
  'scripts/service-worker.ts',
]

/** Builds the page into `dist/` unless it was built from the same files. Returns whether it was built. */
export async function buildPage(): Promise<boolean> {
  const stamp = join(root, 'dist/.inputs-hash')
  const fingerprint = hashFiles(inputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return false
  printStatus('building the page …')
  const { build } = await import('vite')
  await build({ root: join(root, 'web'), configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  compress(join(root, 'dist'))
  writeFileSync(stamp, fingerprint)
  return true
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

if (import.meta.main && !(await buildPage())) printStatus('the page is up to date.')
