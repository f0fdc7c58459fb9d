import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import type { Page } from '@playwright/test'
import { minimalEnvironment } from '../environment.ts'

/** A running product, as the browser tests want it: an address, and an empty register behind it. */
export interface Backend {
  url: string
  /** From now on refuses whatever this page writes; answers the reason that the page is given. */
  rejectWrites(page: Page): Promise<string>
  /** Lets signing out fail on this page, until it is loaded anew and the answer is called. */
  failSignOut(page: Page): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Our own server as a process of its own, on a folder of its own. */
export interface ServerProcess extends Backend {
  /** Ends it without a word, as a power cut or `kill -9` does. */
  kill(): Promise<void>
  /** Starts it again on the same folder and the same port. */
  restart(): Promise<void>
}

export async function startServer(): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-browser-'))
  let { child, url } = await spawnServer(folder, '0')
  const { port } = new URL(url)
  return {
    url,
    async kill() {
      await endProcess(child, 'SIGKILL')
    },
    async restart() {
      await endProcess(child, 'SIGKILL')
      ;({ child, url } = await spawnServer(folder, port))
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

async function spawnServer(folder: string, port: string) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...minimalEnvironment(), PORT: port, HOST: '127.0.0.1', DATA_DIR: folder, SIGN_UP: 'open' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, url: await waitForUrl(child) }
}

/** Waits for the line in which the server prints its address. */
function waitForUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (bytes) => {
      output += bytes
    })
    child.stdout?.on('data', (bytes) => {
      output += bytes
      const address = /http:\/\/\S+/.exec(output)?.[0]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${output}`)))
  })
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** A line to the server that can be cut, as a cable is: what goes through it breaks, and nothing new gets through. */
export interface NetworkProxy {
  url: string
  cut(): void
  mend(): void
  /** Lets only so many bytes a second through to the server; all of them where it is 0. */
  limitBandwidth(bytesPerSecond: number): void
  close(): Promise<void>
}

export async function startNetworkProxy(to: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  let bytesPerSecondLimit = 0
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = dial(Number(port), hostname)
    const bandwidthLimiter = new Transform({
      transform(bytes, _, done) {
        if (bytesPerSecondLimit === 0) done(null, bytes)
        else setTimeout(done, (1000 * bytes.length) / bytesPerSecondLimit, null, bytes)
      },
    })
    client.pipe(bandwidthLimiter).pipe(upstream)
    upstream.pipe(client)
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
    mend() {
      isCut = false
    },
    limitBandwidth(bytesPerSecond) {
      bytesPerSecondLimit = bytesPerSecond
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      destroySockets()
      await closed
    },
  }
}
