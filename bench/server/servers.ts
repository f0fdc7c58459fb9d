import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { paths } from '../../contract/protocol.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { employeeAt } from './employees.ts'

const npmEntryPoint = fileURLToPath(new URL('../../scripts/run.js', import.meta.url))
const serverMain = fileURLToPath(new URL('../../tests/support/faults/unlimited-main.ts', import.meta.url))
const baselineMain = fileURLToPath(new URL('./bare.ts', import.meta.url))

const workDir = mkdtempSync(join(tmpdir(), 'staffbook-bench-'))
let folderCount = 0

export function createFolder(): string {
  const folder = join(workDir, String(folderCount++))
  mkdirSync(folder)
  return folder
}

export const removeFolders = () => rmSync(workDir, { recursive: true })

const chunkSize = 5000

/** A folder with a register of so many records. */
export async function createSeededFolder(records: number): Promise<string> {
  const folder = createFolder()
  const storage = await openSqlite({ dataDir: folder })
  for (let first = 0; first < records; first += chunkSize) {
    const ids = Array.from({ length: Math.min(chunkSize, records - first) }, (_, i) => first + i)
    await Promise.all(ids.map((i) => storage.employees.add(`record-${i}`, employeeAt(i))))
  }
  await storage.close()
  return folder
}

async function startProgram(program: string, args: string[], environment: Record<string, string>) {
  const began = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const pid = program === npmEntryPoint ? findOnlyChild(child.pid as number) : (child.pid as number)
  return {
    url: /http:\S+/.exec(String(line))?.[0] as string,
    began,
    /** Linux alone tells; ticks are 10 ms. */
    readCpuMicros() {
      const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .split(' ')
        .slice(13, 15)
        .map(Number)
      return (user + system) * 10_000
    },
    residentMegabytes: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      process.kill(pid, signal)
      await once(child, 'exit')
    },
  }
}

/** Behind the door of `npm start` runs the server itself. */
function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

/** The very process that `npm start` starts, and the milliseconds until it gave its first answer. */
export async function startWithNpmStart(folder: string) {
  const server = await startProgram(npmEntryPoint, ['start'], { DATA_DIR: folder, PORT: '0' })
  await fetch(`${server.url}/readyz`)
  return { ...server, firstAnswerMs: performance.now() - server.began }
}

/** Our server on a folder, without a throttle, and the cookie of someone who has signed in. */
export async function startUnlimitedWithSession(folder: string, environment: Record<string, string> = {}) {
  const cache = process.env.NODE_COMPILE_CACHE
  const server = await startProgram(serverMain, [], {
    DATA_DIR: folder,
    ...(cache ? { NODE_COMPILE_CACHE: cache } : {}),
    // As `npm start` runs it.
    NODE_OPTIONS: '--max-semi-space-size=4',
    ...environment,
  })
  const { cookie } = await createSignedInClient(server.url)
  return { ...server, cookie }
}

/** The bare server, that sends the very bytes which ours sends for its list. */
export async function startBaseline(url: string, cookie: string) {
  const folder = createFolder()
  const listFile = join(folder, 'list.gz')
  const requestHeaders = { cookie, 'accept-encoding': 'gzip' }
  const list = await fetchList(url, requestHeaders)
  writeFileSync(listFile, list.body)
  const {
    date,
    connection,
    'keep-alive': keepAlive,
    ...unchanged
  } = (await fetchList(url, { ...requestHeaders, 'if-none-match': '*' })).headers
  return startProgram(baselineMain, [listFile, join(folder, 'bare.sqlite'), JSON.stringify(unchanged)], {})
}

/** Unlike fetch, hands over the body as it came. */
async function fetchList(url: string, headers: Record<string, string>) {
  const [response] = (await once(get(url + paths.books, { headers }), 'response')) as [IncomingMessage]
  return { headers: response.headers, body: Buffer.concat(await response.toArray()) }
}
