import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '../../contract/protocol.ts'
import { root } from '../../scripts/terminal.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'

const npmEntryPoint = join(root, 'scripts/run.js')
const unlimitedMain = join(root, 'tests/support/faults/unlimited-main.ts')
const baselineMain = join(root, 'bench/server/bare.ts')

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
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  const pid = program === npmEntryPoint ? findOnlyChild(child.pid as number) : (child.pid as number)
  return {
    url: /http:\S+/.exec(String(output))?.[0] as string,
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

/** The server is the only child process of scripts/run.js. */
function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

/** Starts the server like `npm start`. */
export async function startWithNpmStart(folder: string) {
  const server = await startProgram(npmEntryPoint, ['start'], { DATA_DIR: folder, PORT: '0' })
  await fetch(`${server.url}/readyz`)
  return { ...server, firstResponseMs: performance.now() - server.startedAt }
}

/** Starts the server without a throttle, and signs in. */
export async function startUnlimitedWithSession(folder: string, environment: Record<string, string> = {}) {
  const cache = process.env.NODE_COMPILE_CACHE
  const server = await startProgram(unlimitedMain, [], {
    DATA_DIR: folder,
    ...(cache ? { NODE_COMPILE_CACHE: cache } : {}),
    // The same as in scripts/run.js.
    NODE_OPTIONS: '--max-semi-space-size=4',
    ...environment,
  })
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
