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
import { readJson, type Send, throwOffline } from './client.ts'
import { readBookList } from './list-parser.ts'
import { openChangeStream } from './reconnect.ts'

/**
 * The answer of a call and the stream of changes travel on two lines, so either may overtake the other. Both carry the
 * register's revision, and this store uses it to never let the older word have the last say.
 */
export function createDocumentStore(send: Send): DocumentStore {
  /** The revision of the last list. */
  let listRevision = 0
  /** What the stream has told while a call is on its way, one array for each such call. */
  const callsInFlight = new Set<ChangeEvent[]>()
  /** The newest revision that we made ourselves, by record. */
  const ownRevisions = new Map<string, number>()
  /** The newest revision that a list or the stream has told of. */
  let latestRevision = 0
  let notify: (changes: Change[]) => void = () => {}
  let notifyStale = () => {}

  /** Runs a call, with what the stream tells until the caller has taken in its answer. */
  async function collectChangesDuring<T>(call: (meanwhile: ChangeEvent[]) => Promise<T>): Promise<T> {
    const changesDuringCall: ChangeEvent[] = []
    callsInFlight.add(changesDuringCall)
    try {
      return await call(changesDuringCall)
    } finally {
      setTimeout(() => callsInFlight.delete(changesDuringCall))
    }
  }

  /** A write of which nothing is read but its revision. */
  function write(method: string, id: string, body?: EmployeeFields): Promise<void> {
    return collectChangesDuring(async (changesDuringCall) => {
      const response = await send(method, paths.book(id), { body })
      recordWrite(new Set([id]), response, changesDuringCall)
    })
  }

  /** Remembers that the answer of our own write is the latest word on these records, or what is later than it. */
  function recordWrite(ids: Set<string>, response: Response, changesDuringCall: ChangeEvent[]) {
    const revision = readRevision(response)
    for (const id of ids) ownRevisions.set(id, Math.max(revision, ownRevisions.get(id) ?? 0))
    // Told again in a task of its own: after the caller has taken in this answer.
    setTimeout(() => {
      const newer = changesDuringCall.filter(
        (change) => ids.has(changedId(change)) && change.revision > revision,
      )
      if (newer.length > 0) notify(newer.map(withoutRevision))
    })
  }

  /** Where an add or a batch had got through before, records of it may be gone since: only the list can tell. */
  function requestReload() {
    setTimeout(() => notifyStale())
  }

  return {
    list(onFirst) {
      return collectChangesDuring(async (changesDuringCall) => {
        const response = await send('GET', paths.books)
        const { revision, documents } = await readBookList(response, onFirst).catch(throwOffline)
        listRevision = revision
        latestRevision = revision
        const newer = changesDuringCall.filter((change) => change.revision > revision)
        return applyChanges(documents, newer)
      })
    },

    add(fields, key) {
      return collectChangesDuring(async (changesDuringCall) => {
        const revisionBefore = latestRevision
        const headers = { [idempotencyKeyHeader]: key }
        const response = await send('POST', paths.books, { body: fields, headers })
        const { id } = await readJson<{ id: string }>(response)
        recordWrite(new Set([id]), response, changesDuringCall)
        const revision = readRevision(response)
        const wasRemovedMeanwhile = changesDuringCall.some(
          (change) => change.type === 'removed' && change.revision === revision,
        )
        if (wasRemovedMeanwhile || revision <= revisionBefore) requestReload()
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
      return collectChangesDuring(async (changesDuringCall) => {
        const response = await send('PUT', paths.book(id), { body: { eName, email, password } })
        const { after } = await readJson<{ after: string | null }>(response)
        recordWrite(new Set([id]), response, changesDuringCall)
        return after
      })
    },

    writeBatch(batch, key, { signal, onProgress = () => {} } = {}) {
      return collectChangesDuring(async (changesDuringCall) => {
        const revisionBefore = latestRevision
        const headers = { [idempotencyKeyHeader]: key }
        const response = await send('POST', paths.batch, { body: batch, headers, signal, onProgress })
        const result = await readJson<BatchResult>(response)
        const kept = new Set(result.kept)
        const ids = [...batch.update.map(({ seen }) => seen.id), ...batch.remove.map(({ id }) => id)]
        recordWrite(
          new Set([...result.ids, ...ids.filter((id) => !kept.has(id))]),
          response,
          changesDuringCall,
        )
        if (readRevision(response) <= revisionBefore) requestReload()
        return result
      })
    },

    subscribe(listener) {
      let isStopped = false
      notify = (changes) => {
        if (!isStopped) listener.onChanges(changes)
      }
      notifyStale = () => {
        if (!isStopped) listener.onStale()
      }
      const openStream = (since: number, signal: AbortSignal) =>
        send('GET', `${paths.changes}?since=${since}`, { signal, headers: { accept: 'text/event-stream' } })
      const stop = openChangeStream(openStream, listRevision, {
        onChange(change) {
          latestRevision = Math.max(latestRevision, change.revision)
          for (const changesDuringCall of callsInFlight) changesDuringCall.push(change)
          const isOlderThanOurs = change.revision < (ownRevisions.get(changedId(change)) ?? 0)
          if (!isOlderThanOurs) listener.onChanges([withoutRevision(change)])
        },
        onStale() {
          // The service may have begun to count anew: a restored backup.
          ownRevisions.clear()
          listener.onStale()
        },
        onConnectionChange: listener.onConnectionChange,
        onSessionEnded: listener.onSessionEnded,
      })
      return () => {
        isStopped = true
        stop()
      }
    },
  }
}

/** The revision that a write has made; of one that had been made before, that of its record's latest change. */
function readRevision(response: Response): number {
  return Number(response.headers.get(revisionHeader))
}

function changedId(change: Change): string {
  return change.type === 'saved' ? change.document.id : change.id
}

/** The revision is between this store and the service. */
function withoutRevision({ revision: _, ...change }: ChangeEvent): Change {
  return change
}
