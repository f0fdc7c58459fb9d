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

  let isFailing = false

  /** A storage that is away for an hour is told of once. */
  const tellOnce = (error: unknown) => {
    if (!isFailing) onError(error)
    isFailing = true
  }

  async function lookAtSome() {
    if (unseen.length === 0) unseen = streams.owners()
    endStreams(await sessions.endedAmong(unseen.splice(0, mostAtOnce)))
    isFailing = false
  }

  const look = setInterval(() => lookAtSome().catch(tellOnce), second).unref()
  const sweep = setInterval(() => sessions.endExpired().catch(onError), minute).unref()
  return () => {
    clearInterval(look)
    clearInterval(sweep)
  }
}
