import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/storage.ts'
import { exitCodes } from './exit-codes.ts'
import type { Logger } from './logger.ts'
import { onShutdownSignal } from './shutdown-signals.ts'

/** Milliseconds in which the last refusals reach their clients once the storage has failed. */
const failureGracePeriodMs = 200

/** Milliseconds in which what was taken must be done once the process is told to end. Most supervisors kill after 30 s. */
const shutdownTimeoutMs = 20_000

/**
 * Ends the process well when it is told to, and with a code of its own when its storage has failed, or says nothing when
 * all is to end: a database that fell silent may keep a write for minutes.
 */
export function manageLifecycle(app: FastifyInstance, storage: Storage, log: Logger): void {
  storage.failed.then(({ reason, error }) => {
    log.fatal({ err: error, reason }, 'the storage has failed; nothing more is acknowledged')
    setTimeout(() => process.exit(exitCodes[reason]), failureGracePeriodMs)
  })
  onShutdownSignal(async () => {
    setTimeout(() => {
      log.fatal('told to end, but the storage does not answer; what it has not confirmed is not acknowledged')
      process.exit(exitCodes.shutdownTimedOut)
    }, shutdownTimeoutMs).unref()
    await app.close()
    await storage.close()
    process.exit(0)
  })
}
