import type { EventStreams } from '../http/event-streams.ts'
import type { Sessions } from './sessions.ts'

const checkIntervalMs = 1000
const sweepIntervalMs = 60_000

/**
 * Closes the event streams of ended sessions: immediately if this process ended the session, as soon as it hears of it if
 * another process did, and within a second in any case. Calls `sweep` every minute. Returns a function that stops both.
 */
export function startSessionSweeper(
  sessions: Sessions,
  sweep: () => Promise<unknown>,
  streams: EventStreams,
  onError: (error: unknown) => void,
  onSessionsEnded?: (listener: () => void) => void,
): () => void {
  const closeStreams = (hashes: string[]) => {
    for (const hash of hashes) streams.closeOwner(hash)
  }
  sessions.onEnded(closeStreams)

  /** Checks all sessions in one query, so that revocation time does not grow with the number of viewers. */
  const checkStreams = async () => closeStreams(await sessions.findEnded(streams.owners()))

  const check = reportFirstFailure(checkStreams, onError)
  onSessionsEnded?.(check)
  const checkTimer = setInterval(check, checkIntervalMs).unref()
  const sweepTimer = setInterval(reportFirstFailure(sweep, onError), sweepIntervalMs).unref()
  return () => {
    clearInterval(checkTimer)
    clearInterval(sweepTimer)
  }
}

/** Reports only the first of consecutive failures, because the storage may be unavailable for an hour. */
function reportFirstFailure(work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let isFailing = false
  return async () => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    }
  }
}
