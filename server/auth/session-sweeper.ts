import type { EventStreams } from '../http/event-streams.ts'
import type { Sessions } from './sessions.ts'

const second = 1000
const minute = 60 * second

/**
 * Ends the streams of sessions that are over: at once where they are ended here, soon where they expire or another
 * process ends them. Answers how to stop watching.
 */
export function watchSessions(
  sessions: Sessions,
  streams: EventStreams,
  onError: (error: unknown) => void,
): () => void {
  const endStreams = (hashes: string[]) => {
    for (const hash of hashes) streams.endOf(hash)
  }
  sessions.onEnded(endStreams)

  /** At all: a record must not go on reaching many who were shut out for longer than one. */
  async function lookAtAll() {
    endStreams(await sessions.endedAmong(streams.owners()))
  }

  const look = setInterval(tellingOnce(lookAtAll, onError), second).unref()
  const sweep = setInterval(tellingOnce(sessions.endExpired, onError), minute).unref()
  return () => {
    clearInterval(look)
    clearInterval(sweep)
  }
}

/** Tells of the first failure in a row alone: a storage may be away for an hour. */
function tellingOnce(work: () => Promise<unknown>, onError: (error: unknown) => void) {
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
