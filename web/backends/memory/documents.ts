import { countChanges, decideRestore, maxBatchSize } from '../../../contract/batches.ts'
import {
  completeFields,
  type EmployeeFields,
  fillFields,
  findInvalidField,
  hasSameFields,
  mergeFields,
  secretFieldNames,
} from '../../../contract/employees.ts'
import type { DocumentStore, PreviousPasswordService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { type Client, forSignedIn } from './client.ts'
import type { MemoryService } from './service.ts'

/** Without the history. */
export function createDocumentStore(service: MemoryService, client: Client): DocumentStore {
  return {
    ...createRecords(service, client),
    subscribe: (listener) => subscribe(service, client, listener),
    previousPasswords: createPreviousPasswords(service, client),
  }
}

type Records = Pick<DocumentStore, 'list' | 'add' | 'update' | 'remove' | 'restore' | 'writeBatch'>

function createRecords(service: MemoryService, client: Client): Records {
  const { database } = service
  /** The changes of this client, with their idempotency keys. */
  const changes = new Set<string>()
  return forSignedIn<Records>(service, client, {
    list() {
      client.listedRevision = database.changes.length
      return database.list()
    },
    add({ user: { uid, email } }, fields, key, editKey) {
      requireValid(fields)
      const [id = ''] = database.addOnce(`${uid} ${key}`, [fields], email)
      const first = database.getFirst(id)
      if (editKey && first && !hasSameFields(first, fields)) throw createServiceError('key-reused', { id })
      return id
    },
    update({ user: { email } }, id, fields, seen, key) {
      requireValid(fields)
      const current = database.get(id)
      if (!current) throw createServiceError('not-found')
      const request = JSON.stringify([key, id, fields])
      if (changes.has(request)) return current
      const merged = seen
        ? mergeFields(current, seen, fields)
        : { fields: fillFields(fields, current), conflicts: [] }
      if (merged.conflicts.length > 0) throw createServiceError('conflict')
      if (!seen || !hasSameFields(merged.fields, current))
        database.save(id, completeFields(merged.fields), email)
      if (key) changes.add(request)
      return merged.fields
    },
    remove: ({ user: { email } }, id) => database.remove(id, email),
    restore({ user: { email } }, { id, ...requested }, seen) {
      requireValid(requested)
      const { outcome, fields } = decideRestore(database.getLast(id), requested, seen)
      if (outcome === 'conflict') throw createServiceError('id-in-use')
      return { document: { id, ...fields }, after: database.save(id, completeFields(fields), email) }
    },
    writeBatch({ user: { uid, email } }, batch, key, { signal, onProgress } = {}) {
      if (signal?.aborted) throw createServiceError('cancelled')
      if (countChanges(batch) > maxBatchSize) throw createServiceError('too-large')
      for (const [i, fields] of batch.add.entries()) requireValid(fields, `add/${i}/`)
      for (const [i, { fields }] of batch.update.entries()) requireValid(fields, `update/${i}/fields/`)
      for (const [i, record] of batch.restore?.entries() ?? []) requireValid(record, `restore/${i}/`)
      const result = database.apply(`${uid} ${key}`, batch, email)
      onProgress?.(1)
      return result
    },
  })
}

/** Rejects with `invalid-request` and the path of the first invalid value. */
function requireValid(fields: EmployeeFields, prefix = ''): void {
  const field = findInvalidField(fields)
  if (field) throw createServiceError('invalid-request', { field: prefix + field })
}

const createPreviousPasswords = (service: MemoryService, client: Client) =>
  forSignedIn<PreviousPasswordService>(service, client, {
    list: (_, id) => service.database.previousPasswords(id).map(({ fields: _, ...previous }) => previous),
    read(_, id, key) {
      const previous = service.database.previousPasswords(id).find((each) => each.key === key)
      if (!previous) throw createServiceError('no-longer-kept')
      return Object.fromEntries(secretFieldNames.map((name) => [name, previous.fields[name]]))
    },
  })

function subscribe(
  { accounts, database }: MemoryService,
  client: Client,
  listener: Parameters<DocumentStore['subscribe']>[0],
): () => void {
  let revision = client.listedRevision
  let isConnected = false

  function deliver() {
    if (!database.listeners.has(deliver)) return
    if (!isConnected) listener.onConnectionChange(true)
    isConnected = true
    if (!client.session || !accounts.isLive(client.session)) return client.onSessionEnded()
    const missed = database.changes.slice(revision)
    revision = database.changes.length
    if (missed.length > 0) listener.onChanges(missed)
  }

  client.onSessionEnded = () => {
    if (database.listeners.delete(deliver)) listener.onSessionEnded()
  }
  database.listeners.add(deliver)
  queueMicrotask(deliver)
  return () => void database.listeners.delete(deliver)
}
