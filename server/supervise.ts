import type { FastifyInstance } from 'fastify'
import { exitCodes } from './exit-codes.ts'
import type { Log } from './log.ts'
import type { Storage } from './storage/port.ts'

/** Milliseconds in which the last refusals reach their clients once the storage has failed. */
const lastWords = 200

/** Ends the process well when it is told to, and with a code of its own when its storage has failed. */
export function supervise(app: FastifyInstance, storage: Storage, log: Log): void {
  storage.failed.then(({ reason, error }) => {
    log.fatal({ err: error, reason }, 'the storage has failed; nothing more is acknowledged')
    setTimeout(() => process.exit(exitCodes[reason]), lastWords)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await app.close()
      await storage.close()
      process.exit(0)
    })
  }
}
