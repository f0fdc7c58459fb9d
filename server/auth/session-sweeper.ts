import type { EventStreams } from '../http/event-streams.ts'
import type { Sessions } from './sessions.ts'

const checkIntervalMs = 1000
const sweepIntervalMs = 60 * checkIntervalMs

/**
 * Ends the streams of sessions that are over: at once where they are ended here, soon where they expire or another
 * process ends them. Answers how to stop watching.
 */
export function startSessionSweeper(
  sessions: Sessions,
  streams: EventStreams,
  onError: (error: unknown) => void,
): () => void {
  const endStreams = (hashes: string[]) => {
    for (const hash of hashes) streams.closeOwner(hash)
  }
  sessions.onEnded(endStreams)

  /** At all: a record must not go on reaching many who were shut out for longer than one. */
  async function endRevokedStreams() {
    endStreams(await sessions.endedAmong(streams.owners()))
  }

  const checkTimer = setInterval(reportFirstFailure(endRevokedStreams, onError), checkIntervalMs).unref()
  const sweepTimer = setInterval(reportFirstFailure(sessions.endExpired, onError), sweepIntervalMs).unref()
  return () => {
    clearInterval(checkTimer)
    clearInterval(sweepTimer)
  }
}

/** Tells of the first failure in a row alone: a storage may be away for an hour. */
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
