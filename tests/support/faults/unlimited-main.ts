import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { createApp } from '../../../server/app.ts'
import { recommendedHashCost } from '../../../server/auth/password-hash.ts'
import { manageLifecycle } from '../../../server/process/lifecycle.ts'
import { readRecordsKey } from '../../../server/storage/encryption/read-records-key.ts'
import { openSqlite } from '../../../server/storage/sqlite/open.ts'

/**
 * The server without a throttle, because a test or benchmark sends everything from one address. `PAGE` is the folder of
 * the page; `DEPLOYMENT` is `proxy` (behind a local proxy) or `local` (for this machine only); with `HASH=endless` no
 * password is ever verified.
 */
const folder = process.env.DATA_DIR
if (!folder) throw new Error('DATA_DIR is needed.')
const unlimited = Number.POSITIVE_INFINITY
const key = readRecordsKey(process.env)
const workers: Worker[] = []
process.on('worker', (worker) => workers.push(worker))
const synchronous = process.env.SYNCHRONOUS === 'NORMAL' ? 'NORMAL' : 'FULL'
const storage = await openSqlite({ dataDir: folder, synchronous, ...(key ? { key } : {}) })
const { PAGE, DEPLOYMENT } = process.env
const app = await createApp({
  storage,
  ...(PAGE ? { pageDir: PAGE } : {}),
  ...(DEPLOYMENT === 'proxy' ? { trustProxy: ['loopback'] } : {}),
  localOnly: DEPLOYMENT === 'local',
  signUp: 'open',
  logger: pino({ level: 'error' }, process.stderr),
  throttleLimits: {
    failuresPerAddress: unlimited,
    failuresPerPair: unlimited,
    failuresPerAccount: unlimited,
    signUpsPerAddress: unlimited,
    pushesPerAddress: unlimited,
  },
  streamOptions: { maxPerOwner: unlimited },
  connectionLimits: { maxConnectionsPerAddress: unlimited },
  hashCost:
    process.env.HASH === 'endless' ? { ...recommendedHashCost, passes: 2 ** 24 } : { memory: 64, passes: 1 },
})
manageLifecycle(app, storage)
// Exit if the test runner was killed.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()
// SIGUSR2 terminates the writer thread, which is the first worker.
process.once('SIGUSR2', () => workers[0]?.terminate())
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
