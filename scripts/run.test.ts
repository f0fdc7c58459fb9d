import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from '../tests/support/cleanup.ts'
import { minimalEnvironment } from '../tests/support/environment.ts'

const [thisPlatform, otherPlatform] = [
  { os: [process.platform], cpu: [process.arch], optional: true },
  { os: ['plan9'], cpu: [process.arch], optional: true },
]

/** Installs as npm does: skips optional packages that it cannot download, without an error. */
const fakeNpm = `
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
if (process.argv[2] === 'ping') process.exit(existsSync(process.env.HOME + '/no-network') ? 1 : 0)
const { packages } = JSON.parse(readFileSync('package-lock.json'))
const installed = {}
for (const [path, entry] of Object.entries(packages)) {
  const isOmitted = entry.dev && process.argv.includes('--omit=dev')
  if (!path || isOmitted) rmSync(path || 'none', { recursive: true, force: true })
  if (!path || isOmitted || entry.os?.includes('plan9') || existsSync(process.env.HOME + '/no-network')) continue
  mkdirSync(path, { recursive: true })
  writeFileSync(path + '/package.json', '{}')
  installed[path] = entry
}
mkdirSync('node_modules', { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
`

/** Replaces the command line and prints how it was called. */
const fakeCli = `
const { DATA_DIR, RECORDS_KEY_FILE } = process.env
console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), DATA_DIR, RECORDS_KEY_FILE }))
`

const oldNodePreload = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`

describe('the entry point of every npm script', () => {
  let home: string
  let root: string

  beforeEach(() => {
    home = realpathSync(createFolder())
    root = join(home, 'checkout')
    for (const name of ['bin/staffbook', 'scripts/run.js', 'server/node-versions.js'])
      cpSync(new URL(`../${name}`, import.meta.url), join(root, name))
    for (const folder of ['docs', 'runtime']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'package.json'), '{"type": "module"}')
    writeFileSync(join(root, 'server/cli.ts'), fakeCli)
    writeFileSync(join(home, 'npm.js'), fakeNpm)
    writeFileSync(join(home, 'old-node.cjs'), oldNodePreload)
    writeLockfile('.', {
      'node_modules/addon-for-this-platform': thisPlatform,
      'node_modules/addon-for-another': otherPlatform,
    })
    writeLockfile('runtime', { [`node_modules/node-${process.platform}-${process.arch}`]: thisPlatform })
  })

  function writeLockfile(folder: string, packages: object) {
    writeFileSync(
      join(root, folder, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, ...packages } }),
    )
  }

  function staffbook(
    args: string[] = [],
    environment: Record<string, string> = {},
    cwd = join(root, 'docs'),
  ) {
    const env = { ...minimalEnvironment(), HOME: home, npm_execpath: join(home, 'npm.js'), ...environment }
    const entryPoint = join(root, 'bin/staffbook')
    return spawnSync(process.execPath, [entryPoint, ...args], { cwd, env, encoding: 'utf8' })
  }
  const loseNetwork = () => writeFileSync(join(home, 'no-network'), '')
  const restoreNetwork = () => rmSync(join(home, 'no-network'))

  it('reports a package that could not be downloaded, and installs it on the next call', () => {
    loseNetwork()
    const lost = staffbook()
    expect([lost.status, lost.stdout]).toEqual([1, ''])
    expect(lost.stderr).toContain("npm's registry does not respond. Check the network connection")
    expect(lost.stderr).toContain(
      'addon-for-this-platform could not be downloaded. Check the network connection and try again.',
    )
    expect(lost.stderr).not.toContain('addon-for-another')
    restoreNetwork()
    expect(staffbook()).toMatchObject({ status: 0, stderr: 'staffbook: installing packages …\n' })
    expect(staffbook()).toMatchObject({ status: 0, stderr: '' })
  })

  it('reinstalls packages that an installation for another platform removed', () => {
    expect(staffbook().status).toBe(0)
    rmSync(join(root, 'node_modules/addon-for-this-platform'), { recursive: true })
    expect(staffbook()).toMatchObject({ status: 0, stderr: expect.stringContaining('installing packages') })
  })

  it('leaves the packages as they are that a developer has installed, and installs with them what a new lockfile has', () => {
    const install = (...args: string[]) =>
      spawnSync(process.execPath, [join(home, 'npm.js'), 'install', ...args], { cwd: root })
    const packages = {
      'node_modules/addon-for-this-platform': thisPlatform,
      'node_modules/server-part': { version: '1.0.0' },
      'node_modules/test-runner': { version: '1.0.0', dev: true },
    }
    writeLockfile('.', packages)
    expect(install().status).toBe(0)
    expect(staffbook()).toMatchObject({ status: 0, stderr: '' })

    const changedRunner = { ...packages, 'node_modules/test-runner': { version: '2.0.0', dev: true } }
    writeLockfile('.', changedRunner)
    expect(staffbook()).toMatchObject({ status: 0, stderr: '' })
    writeLockfile('.', { ...changedRunner, 'node_modules/server-part': { version: '2.0.0' } })
    expect(staffbook().stderr).toBe('staffbook: installing packages …\n')
    expect(existsSync(join(root, 'node_modules/test-runner'))).toBe(true)

    expect(install('--omit=dev').status).toBe(0)
    expect(staffbook()).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(join(root, 'node_modules/test-runner'))).toBe(false)
  })

  it('on an old Node, distinguishes a failed download from a platform that npm has no Node for', () => {
    const old = { NODE_OPTIONS: `--require=${join(home, 'old-node.cjs')}` }
    loseNetwork()
    const lost = staffbook([], old)
    expect(lost.status).toBe(1)
    expect(lost.stderr).toContain(`node-${process.platform}-${process.arch} could not be downloaded.`)
    expect(lost.stderr).not.toContain('Install Node')
    restoreNetwork()
    writeLockfile('runtime', { 'node_modules/node-plan9-x64': otherPlatform })
    expect(staffbook([], old).stderr).toContain('npm has no Node for this platform')
  })

  it('resolves paths in arguments against the current folder, and paths in settings against the checkout', () => {
    const runAndParse = (...args: Parameters<typeof staffbook>) => JSON.parse(staffbook(...args).stdout)
    const docs = join(root, 'docs')
    const args = ['backup', 'friday.bak']
    const expected = { args, cwd: docs, DATA_DIR: join(root, 'data') }
    expect(runAndParse(args)).toEqual(expected)
    expect(runAndParse(args, { npm_lifecycle_event: 'staffbook', INIT_CWD: docs }, root)).toEqual(expected)
    expect(runAndParse(args, { npm_lifecycle_event: 'test', INIT_CWD: root })).toEqual(expected)
    expect(runAndParse(args, { DATA_DIR: ' ', RECORDS_KEY_FILE: 'my.key' })).toEqual({
      ...expected,
      RECORDS_KEY_FILE: join(root, 'my.key'),
    })
    expect(runAndParse(args, { DATA_DIR: '/srv/staffbook' }).DATA_DIR).toBe('/srv/staffbook')
  })

  it('without the scripts of a checkout, refuses an old Node in one line', () => {
    rmSync(join(root, 'scripts'), { recursive: true })
    const old = { NODE_OPTIONS: `--require=${join(home, 'old-node.cjs')}` }
    expect(staffbook(['account', 'list'], old)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'staffbook: this is Node 20.1.0. Use Node 24.16 or newer, but not 25 or 26.0.\n',
    })
    expect(JSON.parse(staffbook(['account', 'list']).stdout).args).toEqual(['account', 'list'])
  })
})
