import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { createApp } from '../../../server/app.ts'
import { manageLifecycle } from '../../../server/process/lifecycle.ts'
import { readRecordsKey } from '../../../server/storage/encryption/read-records-key.ts'
import { openSqlite } from '../../../server/storage/sqlite/open.ts'
import { cheapHashCost } from '../server.ts'

/**
 * What `server/main.ts` does, without a throttle: a test or a benchmark is one address that does a lot. `PAGE` is the
 * folder of its page, `DOOR` says where it stands: behind a proxy on this machine, or for this machine alone.
 */
const folder = process.env.DATA_DIR
if (!folder) throw new Error('DATA_DIR is needed.')
const unlimited = Number.POSITIVE_INFINITY
const key = readRecordsKey(process.env)
const workers: Worker[] = []
process.on('worker', (worker) => workers.push(worker))
const synchronous = process.env.SYNCHRONOUS === 'NORMAL' ? 'NORMAL' : 'FULL'
const storage = await openSqlite({ dataDir: folder, synchronous, ...(key ? { key } : {}) })
const { PAGE, DOOR } = process.env
const app = await createApp({
  storage,
  ...(PAGE ? { pageDir: PAGE } : {}),
  ...(DOOR === 'proxy' ? { trustProxy: ['loopback'] } : {}),
  localOnly: DOOR === 'local',
  signUp: { mode: 'open' },
  logger: pino({ level: 'error' }, process.stderr),
  throttleLimits: {
    failuresPerAddress: unlimited,
    failuresPerPair: unlimited,
    failuresPerAccount: unlimited,
    signUpsPerAddress: unlimited,
  },
  streamOptions: { maxPerOwner: unlimited },
  connectionLimits: { maxConnectionsPerAddress: unlimited },
  ...(process.env.HASH === 'real' ? {} : { hashCost: cheapHashCost }),
})
manageLifecycle(app, storage)
// A runner that was killed cannot end its servers.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()
// The writer is the first worker; nothing outside the process can end a thread of it.
process.once('SIGUSR2', () => workers[0]?.terminate())
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
