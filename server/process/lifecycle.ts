import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/storage.ts'

/** Exit codes of a server that fails (docs/reliability.md). They follow sysexits.h where one fits. */
export const exitCodes = {
  /** Startup failed. The reason is on stderr. */
  startFailed: 1,
  /** Shutdown timed out because the storage did not confirm pending writes: check the storage. */
  shutdownTimedOut: 69,
  /** The writer thread died: restart the server. */
  writer: 70,
  /** The disk failed to confirm a write: check the disk, then restart. */
  disk: 74,
  /** The database was replaced while the server was running: restart. */
  stale: 75,
} as const

/** Time for the last error responses to reach clients after the storage has failed. */
const failureGracePeriodMs = 200

/** Limit for finishing pending writes on shutdown. Most supervisors kill the process after 30 s. */
const shutdownTimeoutMs = 20_000

/** Those of a supervisor, of Ctrl-C, of a terminal that is closed, and of Ctrl-\. */
const shutdownSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Shuts the process down on one of these signals, and exits with a code of `exitCodes` if the storage fails. Shutdown has a
 * timeout because an unresponsive database may block a write for minutes.
 */
export function manageLifecycle(app: FastifyInstance, storage: Storage): void {
  storage.failed.then(({ reason, error }) => {
    app.log.fatal({ err: error, reason }, 'storage failed: no further writes are acknowledged')
    setTimeout(() => process.exit(exitCodes[reason]), failureGracePeriodMs)
  })
  onShutdownSignal(async () => {
    setTimeout(() => {
      app.log.fatal('shutdown timed out: the storage did not respond, pending writes are not acknowledged')
      process.exit(exitCodes.shutdownTimedOut)
    }, shutdownTimeoutMs).unref()
    await app.close()
    await storage.close()
    process.exit(0)
  })
}

/**
 * Calls `shutDown` on the first signal and ignores later ones: a supervisor signals the whole process group, and the parent
 * process forwards the same signal.
 */
export function onShutdownSignal(shutDown: () => Promise<void>): void {
  let isShuttingDown = false
  for (const signal of shutdownSignals) {
    process.on(signal, () => {
      if (isShuttingDown) return
      isShuttingDown = true
      shutDown()
    })
  }
}
