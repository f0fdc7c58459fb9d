import { createApp } from '../../server/app.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { cheapHash } from '../../server/testing.ts'

/** What `server/main.ts` does, without a throttle: a test or a benchmark is one address that does a lot. */
const folder = process.env.DATA_DIR
if (!folder) throw new Error('DATA_DIR is needed.')
const many = Number.POSITIVE_INFINITY
const storage = await openSqlite({ folder })
const app = await createApp({
  storage,
  signUp: { mode: 'open' },
  logger: { level: 'error', stream: process.stderr },
  throttleLimits: {
    failuresPerAddress: many,
    failuresPerPair: many,
    failuresPerAccount: many,
    signUpsPerAddress: many,
  },
  streams: { maxPerOwner: many },
  ...(process.env.HASH === 'real' ? {} : { hashCost: cheapHash }),
})
process.once('SIGTERM', async () => {
  await app.close()
  await storage.close()
  process.exit(0)
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
