import type { BatchResult } from '../../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../../contract/employees.ts'
import {
  type Change,
  type ChangeEvent,
  idempotencyKeyHeader,
  paths,
  revisionHeader,
} from '../../../contract/protocol.ts'
import { applyChanges } from '../apply-changes.ts'
import { type DocumentStore, ServiceError } from '../ports.ts'
import { json, type Send, unreachable } from './client.ts'
import { readBookList } from './list-parser.ts'
import { followChanges } from './reconnect.ts'

/**
 * The answer of a call and the stream of changes travel on two lines, so either may overtake the other. Both carry the
 * register's revision, and this store uses it to never let the older word have the last say.
 */
export function createDocumentStore(send: Send): DocumentStore {
  /** The revision of the last list. */
  let listed = 0
  /** What the stream has told while a call is on its way, one array for each such call. */
  const underway = new Set<ChangeEvent[]>()
  /** The newest revision that we made ourselves, by record. */
  const written = new Map<string, number>()
  /** The newest revision that a list or the stream has told of. */
  let known = 0
  let tell: (changes: Change[]) => void = () => {}
  let tellStale = () => {}

  /** Runs a call, with what the stream tells until the caller has taken in its answer. */
  async function whileListening<T>(call: (meanwhile: ChangeEvent[]) => Promise<T>): Promise<T> {
    const meanwhile: ChangeEvent[] = []
    underway.add(meanwhile)
    try {
      return await call(meanwhile)
    } finally {
      setTimeout(() => underway.delete(meanwhile))
    }
  }

  /** A write of which nothing is read but its revision. */
  function write(method: string, id: string, body?: EmployeeFields): Promise<void> {
    return whileListening(async (meanwhile) => {
      const response = await send(method, paths.book(id), { body })
      settle(new Set([id]), response, meanwhile)
    })
  }

  /** Remembers that the answer of our own write is the latest word on these records, or what is later than it. */
  function settle(ids: Set<string>, response: Response, meanwhile: ChangeEvent[]) {
    const revision = revisionOf(response)
    for (const id of ids) written.set(id, Math.max(revision, written.get(id) ?? 0))
    // Told again in a task of its own: after the caller has taken in this answer.
    setTimeout(() => {
      const newer = meanwhile.filter((change) => ids.has(idOf(change)) && change.revision > revision)
      if (newer.length > 0) tell(newer.map(plainChange))
    })
  }

  /** Where an add or a batch had got through before, records of it may be gone since: only the list can tell. */
  function listAgain() {
    setTimeout(() => tellStale())
  }

  return {
    list(onFirst) {
      return whileListening(async (meanwhile) => {
        const response = await send('GET', paths.books)
        const { revision, documents } = await readBookList(response, onFirst).catch(unreachable)
        listed = revision
        known = revision
        const newer = meanwhile.filter((change) => change.revision > revision)
        return applyChanges(documents, newer)
      })
    },

    add(fields, key) {
      return whileListening(async (meanwhile) => {
        const knownBefore = known
        const headers = { [idempotencyKeyHeader]: key }
        const response = await send('POST', paths.books, { body: fields, headers })
        const { id } = await json<{ id: string }>(response)
        settle(new Set([id]), response, meanwhile)
        const revision = revisionOf(response)
        const isRemoval = meanwhile.some(
          (change) => change.type === 'removed' && change.revision === revision,
        )
        if (isRemoval || revision <= knownBefore) listAgain()
        return id
      })
    },

    update: (id, fields) => write('PATCH', id, fields),

    async remove(id) {
      await write('DELETE', id).catch((error) => {
        const isGoneAlready = error instanceof ServiceError && error.code === 'not-found'
        if (!isGoneAlready) throw error
      })
    },

    restore({ id, eName, email, password }: Employee) {
      return whileListening(async (meanwhile) => {
        const response = await send('PUT', paths.book(id), { body: { eName, email, password } })
        const { after } = await json<{ after: string | null }>(response)
        settle(new Set([id]), response, meanwhile)
        return after
      })
    },

    writeBatch(batch, key, { signal, onProgress = () => {} } = {}) {
      return whileListening(async (meanwhile) => {
        const knownBefore = known
        const headers = { [idempotencyKeyHeader]: key }
        const response = await send('POST', paths.batch, { body: batch, headers, signal, onProgress })
        const result = await json<BatchResult>(response)
        const kept = new Set(result.kept)
        const ids = [...batch.update.map(({ seen }) => seen.id), ...batch.remove.map(({ id }) => id)]
        settle(new Set([...result.ids, ...ids.filter((id) => !kept.has(id))]), response, meanwhile)
        if (revisionOf(response) <= knownBefore) listAgain()
        return result
      })
    },

    watch(observer) {
      let stopped = false
      tell = (changes) => {
        if (!stopped) observer.changed(changes)
      }
      tellStale = () => {
        if (!stopped) observer.stale()
      }
      const openStream = (since: number, signal: AbortSignal) =>
        send('GET', `${paths.changes}?since=${since}`, { signal, headers: { accept: 'text/event-stream' } })
      const stop = followChanges(openStream, listed, {
        change(change) {
          known = Math.max(known, change.revision)
          for (const meanwhile of underway) meanwhile.push(change)
          const isOlderThanOurs = change.revision < (written.get(idOf(change)) ?? 0)
          if (!isOlderThanOurs) observer.changed([plainChange(change)])
        },
        stale() {
          // The service may have begun to count anew: a restored backup.
          written.clear()
          observer.stale()
        },
        connected: observer.connected,
        ended: observer.ended,
      })
      return () => {
        stopped = true
        stop()
      }
    },
  }
}

/** The revision that a write has made; of one that had been made before, that of its record's latest change. */
function revisionOf(response: Response): number {
  return Number(response.headers.get(revisionHeader))
}

function idOf(change: Change): string {
  return change.type === 'saved' ? change.document.id : change.id
}

/** The revision is between this store and the service. */
function plainChange({ revision: _, ...change }: ChangeEvent): Change {
  return change
}
