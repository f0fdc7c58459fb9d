import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type APIRequestContext, type APIResponse, type Page, request } from '@playwright/test'
import type { User } from '../../../contract/accounts.ts'
import { idempotencyKeyHeader, paths } from '../../../contract/protocol.ts'
import { listFiles } from '../cleanup.ts'
import { runCommand } from '../faults/command-line.ts'
import { startServerProcess } from '../faults/server-process.ts'
import { account } from '../people.ts'
import { startTcpProxy } from '../tcp-proxy.ts'

/** What a browser test needs of the product: an address, and ways to make it fail. No record is stored. */
export interface Backend {
  url: string
  /** Opens /form for `account`, without the account screens. Backends that can't leave it out. */
  openSession?(page: Page): Promise<void>
  /** Makes every write of this page fail, and returns the message that the page receives. */
  rejectWrites(page: Page): Promise<string>
  /** Makes signing out fail on this page, until it is reloaded after the returned function has been called. */
  failSignOut(page: Page): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Our server in a process of its own, with a data folder of its own. */
export interface ServerProcess extends Backend {
  /** The address of a second server on the same database, if that is PostgreSQL. */
  otherUrl: string
  openSession(page: Page): Promise<void>
  /** Removes every record. */
  clear(): Promise<void>
  /** Ends the process without a shutdown, like a power cut. */
  kill(): Promise<void>
  /** Starts the server again with the same folder and port. */
  /** `more`: settings that replace those from before. */
  restart(more?: Record<string, string>): Promise<void>
  /** Runs the command line beside the server, and returns its output. */
  runCommand(...args: string[]): Promise<string>
  /** Which of the texts it has printed, or its database has stored; on SQLite also in a backup. */
  findTraces(...texts: string[]): Promise<string[]>
}

/**
 * `databaseFolder`: where the PostgreSQL of `DATABASE_URL` stores its files. With it, two servers start. `program`: the server of
 * another checkout.
 */
export async function startServer(
  settings: Record<string, string> = {},
  databaseFolder?: string,
  program?: string,
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-browser-'))
  const environment = { HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), ...settings }
  let server = await startServerProcess(environment, program)
  const other = databaseFolder ? await startServerProcess(environment) : server
  const outputs = [server.output, other.output]
  const { url } = server
  async function run(...args: string[]) {
    const command = await runCommand(args, { environment: { ...environment, PUBLIC_URL: url } })
    if (command.code !== 0) throw new Error(`${args.join(' ')}: ${command.err}`)
    return command.out
  }
  return {
    url,
    otherUrl: other.url,
    runCommand: run,
    async findTraces(...texts) {
      if (!databaseFolder) await run('backup', join(folder, `${randomUUID()}.sqlite`))
      const files = listFiles(databaseFolder ?? folder).map((file) => readFileSync(file))
      const kept = [...files, ...outputs.map(({ out, err }) => Buffer.from(out + err))]
      return texts.filter((text) => kept.some((bytes) => bytes.includes(text)))
    },
    async openSession(page) {
      const user = await signIn(page.request)
      // Local storage can be written only while a page of its origin is open. Without an icon the browser requests one.
      const emptyPage = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' }
      await page.route('/empty', (route) => route.fulfill(emptyPage), { times: 1 })
      await page.goto('/empty')
      await page.evaluate((text) => localStorage.setItem('user', text), JSON.stringify(user))
      await page.goto('/form')
    },
    async clear() {
      const client = await request.newContext({ baseURL: url })
      await signIn(client)
      const { documents } = await (await client.get(paths.books)).json()
      const data = { add: [], update: [], remove: documents }
      const headers = { [idempotencyKeyHeader]: randomUUID() }
      if (documents.length > 0) await expectOk(client.post(paths.batch, { data, headers }))
      await client.dispose()
    },
    async kill() {
      await server.kill('SIGKILL')
    },
    async restart(more = {}) {
      await server.kill('SIGKILL')
      server = await startServerProcess({ ...environment, ...more, PORT: new URL(url).port })
      outputs.push(server.output)
    },
    async rejectWrites(page) {
      const message = 'The disk is full. Nothing was changed.'
      await page.route('**/api/collections/**', (route) =>
        route.request().method() === 'GET'
          ? route.fallback()
          : route.fulfill({ status: 507, json: { code: 'storage-full', message } }),
      )
      return message
    },
    async failSignOut(page) {
      const session = '**/api/identity/session'
      await page.route(session, (route) => route.abort())
      return () => page.unroute(session)
    },
    async stop() {
      for (const process of [server, other]) await process.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Signs `account` in, which keeps the cookie in this client; creates the account the first time. */
async function signIn(client: APIRequestContext): Promise<User> {
  const send = (path: string) => client.post(path, { data: account })
  const session = await send(paths.session)
  if (session.ok()) return session.json()
  await expectOk(send(paths.accounts))
  return (await expectOk(send(paths.session))).json()
}

async function expectOk(response: Promise<APIResponse>): Promise<APIResponse> {
  const received = await response
  if (!received.ok()) throw new Error(`${received.url()}: ${received.status()} ${await received.text()}`)
  return received
}

export type NetworkProxy = Awaited<ReturnType<typeof startNetworkProxy>>

/** A proxy in front of the server that can also slow its connections down. A limit of 0 is none. */
export async function startNetworkProxy(targetUrl: string) {
  let [uploadLimit, downloadLimit] = [0, 0]
  const proxy = await startTcpProxy(
    Number(new URL(targetUrl).port),
    () => createBandwidthLimiter(() => uploadLimit),
    () => createBandwidthLimiter(() => downloadLimit),
  )
  return {
    ...proxy,
    url: `http://127.0.0.1:${proxy.port}`,
    /** Limits what each connection sends to the server. */
    limitUpload(bytesPerSecond: number) {
      uploadLimit = bytesPerSecond
    },
    limitDownload(bytesPerSecond: number) {
      downloadLimit = bytesPerSecond
    },
  }
}

const limiterIntervalMs = 50

/** Passes bytes on in small pieces, as a slow line does. */
function createBandwidthLimiter(getBytesPerSecond: () => number) {
  return new Transform({
    async transform(bytes: Buffer, _encoding, done) {
      let rest = bytes
      for (let limit = getBytesPerSecond(); limit > 0 && rest.length > 0; limit = getBytesPerSecond()) {
        const size = Math.ceil((limit * limiterIntervalMs) / 1000)
        this.push(rest.subarray(0, size))
        rest = rest.subarray(size)
        await sleep(limiterIntervalMs)
      }
      done(null, rest)
    },
  })
}
