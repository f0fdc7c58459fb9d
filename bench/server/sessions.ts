import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { paths } from '../../contract/protocol.ts'
import { recommendedCost } from '../../server/identity/password-hash.ts'
import { password } from '../../server/testing-client.ts'
import { median, printRow, round } from './figures.ts'
import { measure, requestText } from './load.ts'
import { filledFolder, startBare, startOurs } from './servers.ts'
import { inTurns } from './turns.ts'

/** The check that every call makes, and signing in. */
export async function measureSessions() {
  const ours = await startOurs(await filledFolder(100), { HASH: 'real' })
  const bare = await startBare(ours.url, ours.cookie)
  const check = requestText('GET', paths.session, { cookie: ours.cookie })
  const [our, other] = await inTurns(
    { url: ours.url, connections: 50, request: () => check },
    { url: bare.url, connections: 50, request: () => check },
  )
  if (!our || !other) return
  const ratio = our.perSecond / other.perSecond
  printRow({
    work: 'session check, 50 connections',
    ours: `${round(our.perSecond)}/s`,
    bare: `${round(other.perSecond)}/s`,
    against: 'bare `node:http`, no check',
    ratio,
    wanted: '≥ 20,000/s or ≥ 0.7',
    reached: our.perSecond >= 20_000 || ratio >= 0.7,
  })

  const signIn = requestText('POST', paths.session, {}, { email: 'ada@example.com', password })
  const signIns: number[] = []
  const hashes: number[] = []
  for (let i = 0; i < 3; i++) {
    const load = { url: ours.url, connections: 16, request: () => signIn, milliseconds: 3000 }
    signIns.push((await measure(load)).perSecond)
    hashes.push(await hashesPerSecond(3000))
  }
  const hashRatio = median(signIns) / median(hashes)
  printRow({
    work: 'sign-in, 16 connections',
    ours: `${round(median(signIns))}/s`,
    bare: `${round(median(hashes))}/s`,
    against: `the hash alone, ${availableParallelism()} at a time`,
    ratio: hashRatio,
    wanted: '≥ 0.9',
    reached: hashRatio >= 0.9,
  })
  await ours.stop()
  await bare.stop()
}

async function hashesPerSecond(milliseconds: number): Promise<number> {
  const hash = promisify(argon2)
  const parameters = {
    message: password,
    nonce: Buffer.alloc(16),
    parallelism: 1,
    tagLength: 32,
    ...recommendedCost,
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
