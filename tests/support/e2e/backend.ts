import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type APIRequestContext, type APIResponse, type Page, request } from '@playwright/test'
import type { User } from '../../../contract/accounts.ts'
import { idempotencyKeyHeader, paths } from '../../../contract/protocol.ts'
import { minimalEnvironment } from '../environment.ts'
import { runCommand } from '../faults/command-line.ts'
import { account } from '../people.ts'

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
  openSession(page: Page): Promise<void>
  /** Removes every record. */
  clear(): Promise<void>
  /** Ends the process without a shutdown, like a power cut. */
  kill(): Promise<void>
  /** Starts the server again with the same folder and port. */
  restart(): Promise<void>
  /** Runs the command line beside the server, and returns its output. */
  runCommand(...args: string[]): Promise<string>
  /** Everything that the server has printed. */
  log(): string
}

export async function startServer({ signUp = 'open' } = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-browser-'))
  const environment = { HOST: '127.0.0.1', DATA_DIR: folder, SIGN_UP: signUp }
  let log = ''
  async function spawnServer(port: string) {
    const env = { ...minimalEnvironment(), ...environment, PORT: port }
    const child = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (bytes) => {
        log += bytes
      })
    }
    return { child, url: await waitForUrl(child) }
  }
  let { child, url } = await spawnServer('0')
  const { port } = new URL(url)
  return {
    url,
    async runCommand(...args) {
      const command = await runCommand(args, { environment: { ...environment, PUBLIC_URL: url } })
      if (command.code !== 0) throw new Error(`${args.join(' ')}: ${command.err}`)
      return command.out
    },
    log: () => log,
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
      await endProcess(child, 'SIGKILL')
    },
    async restart() {
      await endProcess(child, 'SIGKILL')
      ;({ child, url } = await spawnServer(port))
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
      await endProcess(child, 'SIGTERM')
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

/** Waits until the server prints its address. */
function waitForUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, log] = ['', '']
    child.stderr?.on('data', (bytes) => {
      log += bytes
    })
    child.stdout?.on('data', (bytes) => {
      output += bytes
      const address = /http:\/\/\S+/.exec(output)?.[0]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${output}${log}`)))
  })
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** A proxy in front of the server that can break the connection like a cut cable, or slow it down. */
export interface NetworkProxy {
  url: string
  /** Breaks open connections, and refuses new ones until `restore`. */
  cut(): void
  restore(): void
  /** Limits what is sent to the server, in bytes per second; 0 is no limit. */
  limitUpload(bytesPerSecond: number): void
  /** Limits what each connection receives from the server. */
  limitDownload(bytesPerSecond: number): void
  close(): Promise<void>
}

export async function startNetworkProxy(targetUrl: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let [uploadLimit, downloadLimit] = [0, 0]
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = dial(Number(port), hostname)
    client.pipe(createBandwidthLimiter(() => uploadLimit)).pipe(upstream)
    upstream.pipe(createBandwidthLimiter(() => downloadLimit)).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroySockets = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      destroySockets()
    },
    restore() {
      isCut = false
    },
    limitUpload(bytesPerSecond) {
      uploadLimit = bytesPerSecond
    },
    limitDownload(bytesPerSecond) {
      downloadLimit = bytesPerSecond
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      destroySockets()
      await closed
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

/** A proxy that forwards each request, unless `answer` returns true: then it has responded, or nobody does. */
export async function startHttpProxy(
  targetUrl: string,
  answer: (body: Buffer, response: ServerResponse) => boolean,
): Promise<Pick<NetworkProxy, 'url' | 'close'>> {
  const server = createHttpServer(async (incoming, response) => {
    const { method, url = '', headers } = incoming
    const body = await buffer(incoming)
    if (answer(body, response)) return
    const forwarded = httpRequest(targetUrl + url, { method, headers }, (upstream) => {
      upstream.pipe(response.writeHead(upstream.statusCode ?? 502, upstream.headers))
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    forwarded.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
