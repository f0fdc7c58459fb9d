import { expect, test } from 'vitest'
import { createFolder } from '../tests/support/cleanup.ts'
import { spawnServer, startServerProcess } from '../tests/support/faults/server-process.ts'
import { readConfig } from './config.ts'
import { createLogger, describeStart, findStartWarnings, toOpenable } from './start-messages.ts'

const proxied = { TRUST_PROXY: 'loopback', SIGN_UP: 'closed' }
const warningsOf = (environment: Record<string, string>, version = '28.0.0') =>
  findStartWarnings(readConfig(environment), version)

test('a start beyond this machine warns of a Node with known vulnerabilities', () => {
  const environment = { ...proxied, BACKUP_DIR: createFolder() }
  expect(warningsOf(environment, '24.21.0')).toEqual([expect.stringContaining('Serve on 24.22.1 or newer')])
  expect(warningsOf(environment)).toEqual([])
  expect(warningsOf({}, '24.21.0')).toEqual([])
})

test('a start warns of a data folder on a network share, unless the records are in PostgreSQL', () => {
  const warningsOn = (type: number, environment: Record<string, string> = {}) =>
    findStartWarnings(readConfig(environment), '28.0.0', () => type)
  const [nfs, smb, ext4] = [0x6969, 0xfe534d42, 0xef53]
  expect(warningsOn(nfs)).toEqual([expect.stringContaining('is on a network share (NFS)')])
  expect(warningsOn(smb)).toEqual([expect.stringContaining('is on a network share (SMB)')])
  expect(warningsOn(ext4)).toEqual([])
  expect(warningsOn(nfs, { DATABASE_URL: 'postgres://staffbook:secret@localhost/staffbook' })).toEqual([])
})

test('a start beyond this machine warns that there are no backups, with PostgreSQL too', () => {
  const warnings = [expect.stringContaining('BACKUP_DIR is not set')]
  expect(warningsOf(proxied)).toEqual(warnings)
  expect(warningsOf({ ...proxied, BACKUP_DIR: createFolder() })).toEqual([])
  const url = 'postgres://staffbook:secret@localhost/staffbook'
  expect(warningsOf({ ...proxied, DATABASE_URL: url })).toEqual(warnings)
  expect(describeStart(readConfig({ ...proxied, DATABASE_URL: url }))).not.toContain('secret')
})

test('a start says why PUBLIC_URL allows no passkeys', () => {
  const warningsAt = (url: string) => warningsOf({ PUBLIC_URL: url })
  expect(warningsAt('http://staff.example.com')).toEqual([expect.stringContaining('they need HTTPS')])
  expect(warningsAt('https://10.0.0.7:8443')).toEqual([expect.stringContaining('they need a name')])
  expect(['https://staff.example.com', 'http://localhost:3000'].flatMap(warningsAt)).toEqual([])
})

test('a start says that the path of PUBLIC_URL is left out', () => {
  const warnings = warningsOf({ PUBLIC_URL: 'https://example.com/staff/' })
  expect(warnings).toEqual([
    expect.stringMatching('has the path /staff/.*links begin with https://example.com/\\.'),
  ])
  expect(warningsOf({ PUBLIC_URL: 'https://example.com/' })).toEqual([])
})

test('a start on all addresses of IPv6 prints one that browsers open', () => {
  expect(toOpenable('http://[::]:3000')).toBe('http://[::1]:3000')
  for (const address of ['http://[::1]:3000', 'http://127.0.0.1:3000'])
    expect(toOpenable(address)).toBe(address)
})

const inTerminal = '--import=data:text/javascript,process.stderr.isTTY=true'

test('in a terminal a start says where everything is, in sentences; otherwise the log is JSON', async () => {
  const environment = { DATA_DIR: createFolder() }
  const server = await startServerProcess({ ...environment, NODE_OPTIONS: inTerminal })
  await server.connect().signUp('ada@example.com')
  await server.kill('SIGTERM')
  expect(server.output.out).toBe(`Staffbook is at ${server.url}
The data is in ${environment.DATA_DIR}.
Everyone on this machine can sign up, and then read every record.
Ctrl-C stops the server.
`)
  expect(server.output.err).toMatch(
    /^There was no database in .*: an empty one was created\..*\naccount created \(uid [\w-]+\)\n$/,
  )
  const inService = await startServerProcess(environment)
  await inService.kill('SIGTERM')
  expect(inService.output.out.split('\n')).toHaveLength(2)
  expect(inService.output.err).not.toContain('There was no database')
  for (const line of inService.output.err.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object')
})

test('a server goes on if its log cannot be written', async () => {
  const command = ['sh', '-c', 'exec "$0" server/main.ts 2>/dev/full', process.execPath]
  const server = await spawnServer(command, { DATA_DIR: createFolder() })
  expect((await server.connect().signUp('ada@example.com')).status).toBe(201)
  expect(await server.kill('SIGTERM')).toBe(0)
})

test('nothing in a log line controls the terminal', () => {
  const lines: string[] = []
  const log = createLogger('info', { isTTY: true, write: (text: string) => lines.push(text) })
  log.info({ ip: '\u001b[2J\u009b31m\u202ex\r' }, 'request refused')
  log.error({ err: new Error('no \u0007bell') }, 'request failed')
  expect(lines).toEqual([
    'request refused (ip x)\n',
    expect.stringMatching(/^Error: request failed\nError: no bell\n/),
  ])
})
