import type { EventStreams } from '../http/event-streams.ts'
import type { Sessions } from './sessions.ts'

const second = 1000
const minute = 60 * second
/** Sessions looked at in a second, so that many viewers cost no more than some. */
const mostAtOnce = 1000

/**
 * Ends the streams of sessions that are over: at once where they are ended here, soon where they expire or another
 * process ends them. Answers how to stop watching.
 */
export function watchSessions(
  sessions: Sessions,
  streams: EventStreams,
  onError: (error: unknown) => void,
): () => void {
  let unseen: string[] = []

  const endStreams = (hashes: string[]) => {
    for (const hash of hashes) streams.endOf(hash)
  }
  sessions.onEnded(endStreams)

  async function lookAtSome() {
    if (unseen.length === 0) unseen = streams.owners()
    endStreams(await sessions.endedAmong(unseen.splice(0, mostAtOnce)))
  }

  const look = setInterval(tellingOnce(lookAtSome, onError), second).unref()
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
