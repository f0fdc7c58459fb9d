import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { paths } from '../../contract/protocol.ts'
import { root } from '../../scripts/terminal.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { buildRequest, openSocket } from './load.ts'

const npmEntryPoint = join(root, 'scripts/run.js')
const baselineMain = join(root, 'bench/server/programs/bare.ts')
const baselineStartMain = join(root, 'bench/server/programs/bare-start.ts')

/** The cores that the measured servers may use. The load comes from any core. */
export type Cores = 'all cores' | 'one core'
let coresCommand: string[] = []

/** Applies to the servers started afterwards. `one core` requires Linux. */
export function setCores(cores: Cores): void {
  coresCommand = cores === 'one core' ? ['taskset', '--cpu-list', '0'] : []
}

const workDir = mkdtempSync(join(tmpdir(), 'staffbook-bench-'))
let folderCount = 0

export function createFolder(): string {
  const folder = join(workDir, String(folderCount++))
  mkdirSync(folder)
  return folder
}

export const removeFolders = () => rmSync(workDir, { recursive: true })

export const employeeAt = (i: number) => ({
  eName: `Employee number ${i}`,
  email: `employee.${i}@example.com`,
  password: `secret-${(i * 7919) % 100_003}-of-${i}`,
})

const chunkSize = 5000

/** Creates a data folder with records. */
export async function createSeededFolder(recordCount: number): Promise<string> {
  const folder = createFolder()
  const storage = await openSqlite({ dataDir: folder })
  for (let first = 0; first < recordCount; first += chunkSize) {
    const ids = Array.from({ length: Math.min(chunkSize, recordCount - first) }, (_, i) => first + i)
    await Promise.all(ids.map((i) => storage.employees.add(`record-${i}`, employeeAt(i))))
  }
  await storage.close()
  return folder
}

async function startProgram(program: string, args: string[], environment: Record<string, string>) {
  const startedAt = performance.now()
  const [command = '', ...commandArgs] = [...coresCommand, process.execPath, program, ...args]
  const child = spawn(command, commandArgs, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readUrl(child.stdout)
  const pid = program === npmEntryPoint ? findOnlyChild(child.pid as number) : (child.pid as number)
  return {
    url,
    startedAt,
    /** Linux only; in steps of 10 ms. */
    readCpuMicros() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
      return (Number(fields[13]) + Number(fields[14])) * 10_000
    },
    residentMegabytes: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      process.kill(pid, signal)
      await once(child, 'exit')
    },
  }
}

async function readUrl(output: Readable): Promise<string> {
  let text = ''
  for await (const chunk of on(output, 'data')) {
    text += String(chunk)
    const url = /http:\S+(?=\n)/.exec(text)?.[0]
    if (url) return url
  }
  throw new Error('The server did not start.')
}

/** The server is the only child process of scripts/run.js. */
function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

/** Starts the server like `npm start`. */
export async function startServer(folder: string, environment: Record<string, string> = {}) {
  const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', ...environment }
  return measureFirstResponse(await startProgram(npmEntryPoint, ['start'], settings))
}

/** Starts a minimal server that reads the same rows before it listens. */
export async function startBaselineFromFile(folder: string) {
  return measureFirstResponse(await startProgram(baselineStartMain, [join(folder, 'staffbook.sqlite')], {}))
}

async function measureFirstResponse(server: Awaited<ReturnType<typeof startProgram>>) {
  const socket = await openSocket(server.url)
  socket.write(buildRequest('GET', '/readyz', {}))
  await once(socket, 'data')
  socket.destroy()
  return { ...server, firstResponseMs: performance.now() - server.startedAt }
}

/** Starts the server and signs in. */
export async function startWithSession(folder: string, environment?: Record<string, string>) {
  const server = await startServer(folder, environment)
  const { cookie } = await createSignedInClient(server.url)
  return { ...server, cookie }
}

/** Starts the minimal server with the bytes that our server sends. */
export async function startBaseline(url: string, cookie: string) {
  const folder = createFolder()
  const listFile = join(folder, 'list.gz')
  const requestHeaders = { cookie, 'accept-encoding': 'gzip' }
  writeFileSync(listFile, (await fetchList(url, requestHeaders)).body)
  const { headers } = await fetchList(url, { ...requestHeaders, 'if-none-match': '*' })
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...unchanged } = headers
  return startProgram(baselineMain, [listFile, join(folder, 'bare.sqlite'), JSON.stringify(unchanged)], {})
}

/** Unlike fetch, returns the compressed body. */
async function fetchList(url: string, headers: Record<string, string>) {
  const [response] = (await once(get(url + paths.books, { headers }), 'response')) as [IncomingMessage]
  return { headers: response.headers, body: Buffer.concat(await response.toArray()) }
}
