import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import product from '../../package.json' with { type: 'json' }
import { buildPage } from '../build.ts'
import { printStatus, root } from '../terminal.ts'
import { collectLicenses, findPagePackages, listPackages } from './licenses.ts'
import { npm } from './npm.ts'
import { createSbom } from './sbom.ts'

const limits = { packages: 104, bytes: 25 * 1024 * 1024 }

/** What a server runs on, besides its packages. */
const contents = [
  'bin/staffbook',
  'server/**/*',
  'contract/**/*',
  'dist/**/*.*',
  'deploy/**/*',
  'docs/**/*.md',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'LICENSE',
]
const excluded = /\.test\.ts$|tsconfig\.json$|(^|\/)\./

/**
 * Writes `release/`: an archive that runs with Node alone and no network, its SBOM, and their checksums. Two runs of one
 * commit with one version of Node write identical bytes.
 */
async function writeRelease() {
  const name = `staffbook-${product.version}`
  const epoch = readEpoch()
  const target = join(root, 'release')
  const home = mkdtempSync(join(tmpdir(), 'staffbook-release-'))
  const folder = join(home, name)
  try {
    await buildPage()
    copyContents(folder)
    installPackages(folder)
    const pagePackages = findPagePackages()
    const sbom = createSbom([...listPackages(folder), ...pagePackages], epoch)
    writeFileSync(join(folder, 'sbom.cdx.json'), sbom)
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), collectLicenses(folder, pagePackages))
    requireSmall(folder)
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target)
    await pack(home, join(target, `${name}.tar.gz`), epoch)
    writeFileSync(join(target, `${name}.cdx.json`), sbom)
    writeChecksums(target)
  } finally {
    rmSync(home, { recursive: true })
  }
  printStatus(`wrote release/${name}.tar.gz`)
}

/** Seconds since 1970: SOURCE_DATE_EPOCH, or the time of the commit. */
function readEpoch(): number {
  const { SOURCE_DATE_EPOCH: epoch } = process.env
  if (epoch) return Number(epoch)
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error('This is not a git checkout: set SOURCE_DATE_EPOCH.')
  return Number(stdout)
}

function copyContents(folder: string) {
  for (const file of globSync(contents, { cwd: root })) {
    if (excluded.test(file.replaceAll('\\', '/')) || statSync(join(root, file)).isDirectory()) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
}

/** Installs what the lockfile has for production and verifies it against its hashes. No package runs a script. */
function installPackages(folder: string) {
  const files = ['package.json', 'package-lock.json']
  for (const file of files) cpSync(join(root, file), join(folder, file))
  npm(
    ['ci', '--workspaces=false', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline'],
    folder,
  )
  rmSync(join(folder, 'package-lock.json'))
  rmSync(join(folder, 'node_modules/.package-lock.json'))
  rmSync(join(folder, 'node_modules/.bin'), { recursive: true, force: true })
  const { name, version, description, license, type, bin, dependencies } = product
  const own = { name, version, private: true, description, license, type, bin, dependencies }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
}

function requireSmall(folder: string) {
  const packages = globSync('node_modules/**/package.json', { cwd: folder }).filter((file) =>
    /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file.replaceAll('\\', '/')),
  )
  const bytes = findFiles(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  printStatus(`${packages.length} packages, ${(bytes / 1024 / 1024).toFixed(1)} MB`)
  if (packages.length > limits.packages || bytes > limits.bytes) {
    throw new Error(`A release has at most ${limits.packages} packages and ${limits.bytes} bytes.`)
  }
}

/** Sorted, and without folders. */
function findFiles(folder: string): string[] {
  const entries = globSync('**/*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  return entries.filter((file) => statSync(join(folder, file)).isFile()).sort()
}

async function pack(folder: string, target: string, epoch: number) {
  const files = findFiles(folder)
  for (const file of files) chmodSync(join(folder, file), file.endsWith('/bin/staffbook') ? 0o755 : 0o644)
  const mtime = new Date(epoch * 1000)
  await create({ cwd: folder, file: target, gzip: { level: 9 }, portable: true, mtime }, files)
}

function writeChecksums(folder: string) {
  const lines = findFiles(folder).map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

await writeRelease()
