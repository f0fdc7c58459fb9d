import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolder } from '../../tests/support/cleanup.ts'

const isRoot = process.getuid?.() === 0
/** Root may write everywhere, so as root, the process becomes another user. */
const uid = isRoot ? 65_534 : process.getuid?.()

/** What a process of this user explains, or the error of opening the folder. */
function run(code: string, ...args: string[]) {
  const files = new URL('files.ts', import.meta.url).href
  const dataDir = new URL('sqlite/data-dir.ts', import.meta.url).href
  const config = new URL('../config.ts', import.meta.url).href
  const script = `
    const [{ explainDenied }, { openDataDir }, { readConfig }] = await Promise.all(
      ['${files}', '${dataDir}', '${config}'].map((module) => import(module)),
    )
    process.setuid(${uid})
    try { console.log(${code}) } catch (error) { console.log(error.message) }`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args], {
    encoding: 'utf8',
  })
  return child.stdout.trim()
}

function createOwnFolder() {
  const folder = join(createFolder(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  chmodSync(dirname(folder), 0o755)
  if (isRoot) for (const path of [folder, join(folder, 'file')]) chownSync(path, uid ?? 0, uid ?? 0)
  return folder
}

test('the first path that may not be written to is named, with what to do', () => {
  const folder = createOwnFolder()
  const file = join(folder, 'file')
  const explain = () =>
    run('explainDenied("No", process.argv.slice(1))', folder, file, join(folder, 'missing'))
  expect(explain()).toBe('No')
  chmodSync(file, 0o400)
  expect(explain()).toBe(
    `No. The user who runs Staffbook (uid ${uid}) may not write to ${file}. Run: chmod -R u+rwX ${file}`,
  )
  if (isRoot) {
    chownSync(file, 0, 0)
    expect(explain()).toMatch(new RegExp(`${file}, which belongs to uid 0. Run: chown -R ${uid} ${file}$`))
  }
  chmodSync(folder, 0o500)
  expect(explain()).toContain(`may not write to ${folder}.`)
  expect(run('openDataDir(process.argv[1])', folder)).toMatch(
    /^The data folder .* cannot be written to: .*\. The user who runs Staffbook .*Run: chmod/,
  )
  chmodSync(folder, 0o700)
})

test('a folder that cannot be created is one to create as root, and no folder above it changes its owner', () => {
  const parent = createOwnFolder()
  chmodSync(parent, 0o500)
  const folder = join(parent, 'new', 'data')
  const advice = `EACCES: .* The user who runs Staffbook \\(uid ${uid}\\) may not write to ${parent}. Run as root: install -d -m 700 -o ${uid} ${folder}$`
  expect(run('openDataDir(process.argv[1])', folder)).toMatch(
    new RegExp(`^The data folder ${folder} cannot be created: ${advice}`),
  )
  expect(run('readConfig({ BACKUP_DIR: process.argv[1] })', folder)).toMatch(
    new RegExp(`BACKUP_DIR must be a writable folder: ${advice}`, 'm'),
  )
  chmodSync(parent, 0o700)
})

test('a file with a secret that this user may not read is one that systemd can load', () => {
  const file = join(createOwnFolder(), 'file')
  chmodSync(file, 0o000)
  const read = (settings: string) => run(`readConfig({ ${settings}_FILE: process.argv[1] })`, file)
  const advice = `_FILE cannot be read: EACCES: .* The user who runs Staffbook \\(uid ${uid}\\) may not read it. Under systemd, .* LoadCredential`
  expect(read('RECORDS_KEY')).toMatch(new RegExp(`RECORDS_KEY${advice}`))
  const oidc = "PUBLIC_URL: 'https://a.example', OIDC_ISSUER: 'https://b.example', OIDC_CLIENT_ID: 'a'"
  expect(read(`${oidc}, OIDC_CLIENT_SECRET`)).toMatch(new RegExp(`OIDC_CLIENT_SECRET${advice}`))
  chmodSync(file, 0o600)
})
