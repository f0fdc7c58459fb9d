import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { paths } from '../../contract/protocol.ts'
import { recommendedHashCost } from '../../server/auth/password-hash.ts'
import { password } from '../../tests/support/http-client.ts'
import { median } from '../statistics.ts'
import { buildRequest, compareLoads, openSocket, runLoad } from './load.ts'
import { reportResult } from './report.ts'
import { type Cores, createSeededFolder, startBaseline, startWithSession } from './servers.ts'

type Server = Awaited<ReturnType<typeof startWithSession>>

const buildSignIn = (email: string, password: string) =>
  buildRequest('POST', paths.session, {}, { email, password })

/** The session check of every request, and signing in. */
export async function measureSessions(cores: Cores) {
  const ours = await startWithSession(await createSeededFolder(100))
  const bare = await startBaseline(ours.url, ours.cookie)
  const check = buildRequest('GET', paths.session, { cookie: ours.cookie })
  await compareLoads(
    { label: 'session check, 50 connections', referenceName: 'bare `node:http`, no check', atLeast: 0.5 },
    50,
    { ...ours, request: () => check },
    { ...bare, request: () => check },
  )
  await bare.stop()
  // The reference of the others runs on all cores.
  if (cores === 'all cores') {
    const nextSignIn = await createSignIns(ours)
    await measureSignIns(ours, nextSignIn)
    await measureFlood(ours, nextSignIn)
    await measureUnknownAccount(ours)
  }
  await ours.stop()
}

/** Returns the sign-ins of 50 accounts in turn: those of one account would wait for each other. */
async function createSignIns({ url }: Server): Promise<() => Buffer> {
  const emails = Array.from({ length: 50 }, (_, i) => `colleague${i}@example.com`)
  for (const email of emails) {
    const body = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(url + paths.accounts, { method: 'POST', headers, body })
    if (status !== 201) throw new Error(`Sign-up returned ${status}.`)
  }
  const requests = emails.map((email) => buildSignIn(email, password))
  let count = 0
  return () => requests[count++ % requests.length] as Buffer
}

async function measureSignIns({ url }: Server, nextSignIn: () => Buffer) {
  const signIns: number[] = []
  const hashes: number[] = []
  for (let i = 0; i < 3; i++) {
    const load = { url, connections: 16, request: nextSignIn, milliseconds: 3000 }
    signIns.push((await runLoad(load)).perSecond)
    hashes.push(await measureHashesPerSecond(3000))
  }
  reportResult({
    label: 'sign-in, 16 connections',
    ours: median(signIns),
    reference: median(hashes),
    referenceName: `the hash only, ${availableParallelism()} at a time`,
    atLeast: 0.9,
  })
}

/** The effect of many sign-ins on readers. */
async function measureFlood({ url, cookie }: Server, nextSignIn: () => Buffer) {
  const list = buildRequest('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const reading = { url, connections: 2, request: () => list, milliseconds: 4000 }
  const idle = await runLoad(reading)
  const [flooded] = await Promise.all([
    runLoad(reading),
    runLoad({ url, connections: 50, request: nextSignIn, milliseconds: 4000 }),
  ])
  reportResult({
    label: 'list of 100 while 50 clients sign in continuously, p99',
    ours: flooded.p99Ms,
    reference: idle.p99Ms,
    referenceName: 'without them',
    unit: ' ms',
    atMost: 3,
  })
}

/** A sign-in to an unknown account against one with a wrong password. */
async function measureUnknownAccount({ url }: Server) {
  const times = { 'nobody@example.com': [] as number[], 'ada@example.com': [] as number[] }
  for (let i = 0; i < 20; i++) {
    // The limit of failures is per address.
    const address = `127.0.1.${i}`
    for (const [email, milliseconds] of Object.entries(times))
      milliseconds.push(await measureRejection(url, address, buildSignIn(email, 'a wrong guess')))
  }
  reportResult({
    label: 'a rejected sign-in, unknown account',
    ours: median(times['nobody@example.com']),
    reference: median(times['ada@example.com']),
    referenceName: 'a known account',
    unit: ' ms',
    atLeast: 0.9,
    atMost: 1.1,
  })
}

async function measureRejection(url: string, address: string, request: Buffer): Promise<number> {
  const socket = await openSocket(url, address)
  const startedAt = performance.now()
  socket.write(request)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  return performance.now() - startedAt
}

async function measureHashesPerSecond(milliseconds: number): Promise<number> {
  const hash = promisify(argon2)
  const sizes = { nonce: Buffer.alloc(16), parallelism: 1, tagLength: 32 }
  const startedAt = performance.now()
  let count = 0
  const hashRepeatedly = async () => {
    for (; performance.now() - startedAt < milliseconds; count++)
      await hash('argon2id', { message: password, ...sizes, ...recommendedHashCost })
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hashRepeatedly))
  return count / ((performance.now() - startedAt) / 1000)
}
