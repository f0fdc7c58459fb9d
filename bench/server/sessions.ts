import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { paths } from '../../contract/protocol.ts'
import { recommendedHashCost } from '../../server/auth/password-hash.ts'
import { password } from '../../tests/support/http-client.ts'
import { measureInterleaved } from './interleaved.ts'
import { buildRequest, runLoad } from './load.ts'
import { formatNumber, median, printRow } from './report.ts'
import { createSeededFolder, startBaseline, startUnlimitedWithSession } from './servers.ts'

/** The check that every call makes, and signing in. */
export async function measureSessions() {
  const ours = await startUnlimitedWithSession(await createSeededFolder(100), { HASH: 'real' })
  const bare = await startBaseline(ours.url, ours.cookie)
  const check = buildRequest('GET', paths.session, { cookie: ours.cookie })
  const [our, other] = await measureInterleaved(
    { ...ours, connections: 50, request: () => check },
    { ...bare, connections: 50, request: () => check },
  )
  if (!our || !other) return
  const { ratio } = our
  printRow({
    label: 'session check, 50 connections',
    ours: `${formatNumber(our.perSecond)}/s`,
    baseline: `${formatNumber(other.perSecond)}/s`,
    baselineName: 'bare `node:http`, no check',
    ratio,
    wanted: '≥ 20,000/s or ≥ 0.7',
    reached: our.perSecond >= 20_000 || ratio >= 0.7,
    cpuMicros: [our.cost, other.cost],
  })

  const signIn = buildRequest('POST', paths.session, {}, { email: 'ada@example.com', password })
  const signIns: number[] = []
  const hashes: number[] = []
  for (let i = 0; i < 3; i++) {
    const load = { url: ours.url, connections: 16, request: () => signIn, milliseconds: 3000 }
    signIns.push((await runLoad(load)).perSecond)
    hashes.push(await hashesPerSecond(3000))
  }
  const hashRatio = median(signIns) / median(hashes)
  printRow({
    label: 'sign-in, 16 connections',
    ours: `${formatNumber(median(signIns))}/s`,
    baseline: `${formatNumber(median(hashes))}/s`,
    baselineName: `the hash alone, ${availableParallelism()} at a time`,
    ratio: hashRatio,
    wanted: '≥ 0.9',
    reached: hashRatio >= 0.9,
  })
  await measureFlood(ours)
  await measureUnknown(ours.url)
  await ours.stop()
  await bare.stop()
}

/** What a flood of sign-ins does to those who read. */
async function measureFlood({ url, cookie }: { url: string; cookie: string }) {
  const list = buildRequest('GET', paths.books, { cookie, 'accept-encoding': 'gzip' })
  const signIn = buildRequest('POST', paths.session, {}, { email: 'ada@example.com', password })
  const reading = { url, connections: 2, request: () => list, milliseconds: 4000 }
  const idle = await runLoad(reading)
  const [flooded] = await Promise.all([
    runLoad(reading),
    runLoad({ url, connections: 50, request: () => signIn, milliseconds: 4000 }),
  ])
  printRow({
    label: 'list of 100 while 50 clients sign in without end, p99',
    ours: `${formatNumber(flooded.p99)} ms`,
    baseline: `${formatNumber(idle.p99)} ms`,
    baselineName: 'without them',
    ratio: flooded.p99 / idle.p99,
    wanted: '≤ 3',
    reached: flooded.p99 / idle.p99 <= 3,
  })
}

/** A wrong password of an account that is there, against an account that is not. */
async function measureUnknown(url: string) {
  const guess = (email: string) =>
    buildRequest('POST', paths.session, {}, { email, password: 'a wrong guess' })
  const [known, unknown] = [guess('ada@example.com'), guess('nobody@example.com')]
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  for (let i = 0; i < 20; i++) {
    for (const [name, request] of [
      ['known', known],
      ['unknown', unknown],
    ] as const) {
      times[name].push((await runLoad({ url, connections: 1, request: () => request, milliseconds: 1 })).p50)
    }
  }
  const ratio = median(times.unknown) / median(times.known)
  printRow({
    label: 'a refused sign-in, unknown account',
    ours: `${formatNumber(median(times.unknown))} ms`,
    baseline: `${formatNumber(median(times.known))} ms`,
    baselineName: 'a known account',
    ratio,
    wanted: '0.9 to 1.1',
    reached: ratio >= 0.9 && ratio <= 1.1,
  })
}

async function hashesPerSecond(milliseconds: number): Promise<number> {
  const hash = promisify(argon2)
  const parameters = {
    message: password,
    nonce: Buffer.alloc(16),
    parallelism: 1,
    tagLength: 32,
    ...recommendedHashCost,
  }
  const began = performance.now()
  let count = 0
  const one = async () => {
    while (performance.now() - began < milliseconds) {
      await hash('argon2id', parameters)
      count++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, one))
  return count / ((performance.now() - began) / 1000)
}
