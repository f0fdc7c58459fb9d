import type { Batch, BatchResult } from '../../../contract/batches.ts'
import type { EmployeeFields } from '../../../contract/employees.ts'
import {
  type Change,
  type ChangeEvent,
  idempotencyKeyHeader,
  paths,
  revisionHeader,
} from '../../../contract/protocol.ts'
import { applyChanges } from '../apply-changes.ts'
import { type ChangeListener, type DocumentStore, ServiceError } from '../ports.ts'
import { readJson, type Send, throwOffline } from './client.ts'
import { readBookList } from './list-parser.ts'
import { openChangeStream } from './reconnect.ts'
import { changedId, RevisionTracker } from './revision-tracker.ts'

/** The document store of our own server: commands over HTTP, changes over an event stream. */
export function createDocumentStore(send: Send): DocumentStore {
  const tracker = new RevisionTracker()
  let listRevision = 0
  let currentListener: ChangeListener | undefined

  /** A write whose response carries a revision and no body. */
  function write(method: string, id: string, body?: EmployeeFields): Promise<void> {
    return tracker.collectChangesDuring(async (changesDuringCall) => {
      const response = await send(method, paths.book(id), { body })
      recordWrite(new Set([id]), response, changesDuringCall)
    })
  }

  /** Marks the records as written by us, and notifies again of newer changes received before the response. */
  function recordWrite(ids: Set<string>, response: Response, changesDuringCall: ChangeEvent[]) {
    const revision = readRevision(response)
    tracker.recordWrite(ids, revision)
    // In a new task, so that the caller has processed the response first.
    setTimeout(() => {
      const newer = changesDuringCall.filter(
        (change) => ids.has(changedId(change)) && change.revision > revision,
      )
      if (newer.length > 0) currentListener?.onChanges(newer.map(withoutRevision))
    })
  }

  /** After a repeated add or batch, whose records may have been removed since: only the list can tell. */
  function requestReload() {
    setTimeout(() => currentListener?.onStale())
  }

  return {
    list(onFirst) {
      return tracker.collectChangesDuring(async (changesDuringCall) => {
        const response = await send('GET', paths.books)
        const { revision, documents } = await readBookList(response, onFirst).catch(throwOffline)
        listRevision = revision
        tracker.recordList(revision)
        const newer = changesDuringCall.filter((change) => change.revision > revision)
        return applyChanges(documents, newer)
      })
    },

    add(fields, key) {
      return tracker.collectChangesDuring(async (changesDuringCall) => {
        const revisionBefore = tracker.latestRevision
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

    restore({ id, eName, email, password }) {
      return tracker.collectChangesDuring(async (changesDuringCall) => {
        const response = await send('PUT', paths.book(id), { body: { eName, email, password } })
        const { after } = await readJson<{ after: string | null }>(response)
        recordWrite(new Set([id]), response, changesDuringCall)
        return after
      })
    },

    writeBatch(batch, key, { signal, onProgress = () => {} } = {}) {
      return tracker.collectChangesDuring(async (changesDuringCall) => {
        const revisionBefore = tracker.latestRevision
        const headers = { [idempotencyKeyHeader]: key }
        const response = await send('POST', paths.batch, { body: batch, headers, signal, onProgress })
        const result = await readJson<BatchResult>(response)
        recordWrite(collectWrittenIds(batch, result), response, changesDuringCall)
        if (readRevision(response) <= revisionBefore) requestReload()
        return result
      })
    },

    subscribe(listener) {
      currentListener = listener
      const stopStream = openChangeStream(send, listRevision, {
        onChange(change) {
          if (tracker.recordEvent(change)) listener.onChanges([withoutRevision(change)])
        },
        onStale() {
          tracker.forgetOwnWrites()
          listener.onStale()
        },
        onConnectionChange: listener.onConnectionChange,
        onSessionEnded: listener.onSessionEnded,
      })
      return () => {
        if (currentListener === listener) currentListener = undefined
        stopStream()
      }
    },
  }
}

/** The records that a batch has changed: all but its conflicts. */
function collectWrittenIds({ update, remove }: Batch, { ids, kept }: BatchResult): Set<string> {
  const conflicts = new Set(kept)
  const existingIds = [...update.map(({ seen }) => seen.id), ...remove.map(({ id }) => id)]
  return new Set([...ids, ...existingIds.filter((id) => !conflicts.has(id))])
}

/** The revision of a write. For a repeated write, the revision of its record's latest change. */
function readRevision(response: Response): number {
  return Number(response.headers.get(revisionHeader))
}

/** Revisions are internal to this adapter. */
function withoutRevision({ revision: _, ...change }: ChangeEvent): Change {
  return change
}
