import { globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/terminal.ts'
import { registerNames, unpackRegister } from '../fixtures/registers/registers.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { createNewcomerMachine, newcomerProgram } from './newcomer-machine.ts'

const machine = createNewcomerMachine()
const { home, run } = machine
const clone = join(home, 'clone')
let archive: string

/** Returns the path of `node` of a version, from the registry. */
async function installNode(version: string): Promise<string> {
  const folder = machine.owned(join(home, `node ${version}`))
  const platform = `node-${process.platform}-${process.arch}`
  const { code, output } = await run(['npm', 'install', '--prefix', folder, `${platform}@${version}`])
  if (code !== 0) throw new Error(output)
  return join(folder, 'node_modules', platform, 'bin')
}

async function succeed(...args: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...args)
  expect(code, output).toBe(0)
  return output
}

const cloneTo = (folder: string) => succeed(['git', 'clone', '--quiet', pathToFileURL(root).href, folder])

const playNewcomer = (command: string[], options: Parameters<typeof run>[1]) =>
  succeed([process.execPath, newcomerProgram, ...command], {
    ...options,
    env: { PORT: '0', ...options?.env },
  })

beforeAll(async () => {
  // The repository may belong to somebody else.
  await succeed(['git', 'config', '--global', 'safe.directory', '*'])
  await cloneTo(clone)
  await succeed(['npm', 'run', 'release'], { cwd: clone })
  archive = join(
    clone,
    'release',
    readdirSync(join(clone, 'release')).find((name) => name.endsWith('.gz')) ?? '',
  )
})
afterAll(() => machine.remove())

async function unpack(name: string): Promise<string> {
  const folder = machine.owned(join(home, name))
  await succeed(['tar', '-xzf', archive, '--strip-components=1', '-C', folder])
  return folder
}

describe('release: the archive', () => {
  it('is byte-identical from another folder, and small', async () => {
    const other = join(home, 'another folder', 'clone')
    await cloneTo(other)
    await succeed(['npm', 'run', 'release'], { cwd: other })
    const sums = (folder: string) => readFileSync(join(folder, 'release/SHA256SUMS'), 'utf8')
    expect(sums(other)).toBe(sums(clone))
    await succeed(['sha256sum', '--check', 'SHA256SUMS'], { cwd: dirname(archive) })
    const folder = await unpack('small')
    const bytes = globSync('**/*', { cwd: folder }).reduce(
      (sum, file) => sum + statSync(join(folder, file)).size,
      0,
    )
    expect(bytes).toBeLessThan(25 * 1024 * 1024)
  })

  it('upgrades the oldest register, with its records, passwords and undo', async () => {
    const folder = await unpack('upgraded')
    const dataDir = join(folder, 'data')
    const register = unpackRegister(registerNames[0] ?? '', dataDir)
    const server = await startServerProcess({ DATA_DIR: dataDir }, join(folder, 'server/main.ts'))
    const client = server.connect()
    expect((await client.signIn(register.user.email)).status).toBe(200)
    expect(await client.documents()).toEqual(register.documents)
    expect((await client.restore(register.removed.id, register.removed.fields)).status).toBe(200)
    expect(await server.kill('SIGTERM')).toBe(0)
  })
})

describe.each(['22', '24', '26'])('release: a newcomer with Node %s', (version) => {
  let node: string

  beforeAll(async () => {
    node = await installNode(version)
  })

  it('clones, starts with npm start, and adds a record; the second time offline', async () => {
    const folder = join(home, `Größe & Maß ${version}`)
    await cloneTo(folder)
    await playNewcomer(['npm', 'start'], { cwd: folder, node })
    const env = { DATA_DIR: join(folder, 'second') }
    await playNewcomer(['npm', 'start'], { cwd: folder, node, env, isOffline: true })
  })

  it('unpacks the archive, and offline adds a record; with Node 22 it says what it needs', async () => {
    const folder = await unpack(`Archiv für ${version}`)
    const program = [join(node, 'node'), join(folder, 'bin/staffbook')]
    const env = { DATA_DIR: join(folder, 'Daten hier') }
    if (version === '22') {
      const { code, output } = await run([...program, 'start'], { env, isOffline: true })
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^staffbook: this is Node 22\..* Use Node 24\.16/),
      ])
      return
    }
    await playNewcomer([...program, 'start'], { cwd: folder, env, isOffline: true })
    const staffbook = (...args: string[]) => succeed([...program, ...args], { env, isOffline: true })
    expect(await staffbook('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    const backup = join(folder, 'Sicherung.sqlite')
    await staffbook('backup', backup)
    expect(await staffbook('backup', 'verify', backup)).toContain('It equals the database at this revision.')
    expect(await staffbook('check')).toContain('is intact (records: 1, accounts: 1')
  })
})

it('release: the commands of the Dockerfile produce a server that runs read-only and is healthy', async () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  // Like the image's folders, without spaces.
  const image = machine.owned(join(dirname(home), 'image'))
  const inImage = (text: string) => text.replaceAll('/home/node', image)
  const commands = Array.from(dockerfile.matchAll(/^RUN (.*)$/gm), ([, line = '']) => inImage(line))
  const [makeFolder = '', ...others] = commands
  await succeed(['sh', '-ec', makeFolder])
  const checkout = join(image, 'staffbook')
  // COPY: what .dockerignore leaves, without .git and node_modules.
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'data']))
  await succeed(['sh', '-ec', 'git -C "$1" archive HEAD | tar -x -C "$2"', 'sh', clone, checkout])
  for (const command of others)
    await succeed(['sh', '-ec', command], { cwd: checkout, env: { SOURCE_DATE_EPOCH: '0' } })

  const out = join(image, 'out')
  await succeed(['chmod', '-R', 'a-w', out])
  const readCommand = (instruction: string): string[] =>
    JSON.parse(new RegExp(`${instruction}[^[]*(\\[.*\\])`).exec(dockerfile)?.[1] ?? '[]')
  const env = { NODE_ENV: 'production', DATA_DIR: join(image, 'data') }
  await playNewcomer(readCommand('\nCMD'), { cwd: out, env, isOffline: true })

  mkdirSync(join(home, 'healthy'))
  const server = await startServerProcess({ DATA_DIR: join(home, 'healthy') }, join(out, 'server/main.ts'))
  const healthCheck = readCommand('\n  CMD').map((part) => part.replace('http://127.0.0.1:3000', server.url))
  await succeed(healthCheck)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect((await run(healthCheck)).code).toBe(1)
})
