import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type Batch,
  type BatchResult,
  decideBatchRestore,
  decideOutcome,
  decideRestore,
  describeRestored,
} from '../../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  pickFields,
  withoutEmpty,
} from '../../../../contract/employees.ts'
import { type ChangeEvent, changeEvents, paths, revisionHeader } from '../../../../contract/protocol.ts'
import { isNightly } from '../../../../tests/support/nightly.ts'
import { named, nameOf } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import type { Send, SendOptions } from '../../../backends/self-hosted/client.ts'
import { SelfHostedDocumentStore } from '../../../backends/self-hosted/documents.ts'
import { sendOperation } from './book-slice.ts'
import { deleteMany, type Operation, restoreMany } from './operation.ts'
import { makeStore } from './store.ts'
import { syncEmployees } from './sync-employees.ts'

// Responses and events arrive in any order: a page may know a restored or changed record before the records around it.

interface Row {
  id: string
  fields: EmployeeFields | null
  /** Those that it has, or had last. */
  last: EmployeeFields | undefined
  revision: number
}

const stateOf = (row: Row | undefined) => ({ last: row?.last, isRemoved: !row?.fields })

const encode = (text: string) => new TextEncoder().encode(text)

/** What our server does with records: the order of any two never changes. Whatever it sends arrives when the test says so. */
class ModelServer {
  /** All records that ever were, in their order. */
  readonly rows: Row[] = []
  revision = 0
  /** Responses that are on their way. */
  readonly responses: (() => void)[] = []
  /** Events that are on their way, and the revision that the stream has told. */
  #events: ChangeEvent[] = []
  #told = 0
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined

  list = (): Employee[] => this.rows.flatMap(({ id, fields }) => (fields ? [{ id, ...fields }] : []))

  find = (id: string) => this.rows.find((row) => row.id === id)

  idBefore(id: string): string | null {
    const before = this.rows.slice(
      0,
      this.rows.findIndex((row) => row.id === id),
    )
    return before.findLast(({ fields }) => fields)?.id ?? null
  }

  /** Adds, changes, restores or removes a record. */
  write(id: string, fields: EmployeeFields | null): void {
    this.revision += 1
    const row = this.find(id) ?? { id, fields, last: undefined, revision: 0 }
    if (!this.find(id)) this.rows.push(row)
    Object.assign(row, { fields, last: fields ?? row.last, revision: this.revision })
    this.#events.push(this.#eventOf(row))
  }

  #eventOf({ id, fields, revision }: Row): ChangeEvent {
    return fields
      ? { type: 'saved', revision, document: { id, ...fields }, after: this.idBefore(id) }
      : { type: 'removed', revision, id }
  }

  /** Whoever lists the records now has all events. */
  forget(): void {
    this.#events = []
    this.#told = this.revision
  }

  /** The next event arrives, or all missed ones, as after a reconnect. */
  deliver(isReconnect: boolean): boolean {
    if (!this.#stream || this.#events.length === 0) return false
    const missed = this.rows.filter(({ revision }) => revision > this.#told).map((row) => this.#eventOf(row))
    const events = isReconnect
      ? missed.toSorted((a, b) => Number(b.type === 'removed') - Number(a.type === 'removed'))
      : this.#events.splice(0, 1)
    if (isReconnect) this.#events = []
    this.#told = isReconnect ? this.revision : (events[0]?.revision ?? 0)
    const lines = events.map((event) => `event: ${changeEvents.change}\ndata: ${JSON.stringify(event)}`)
    this.#stream.enqueue(
      encode(
        `${lines
          .slice(0, -1)
          .map((text) => `${text}\n\n`)
          .join('')}id: ${this.#told}\n${lines.at(-1)}\n\n`,
      ),
    )
    return true
  }

  /** Removes and restores the records that the octal digits of `pick` name, and delivers all events before any response. */
  removeAndRestore(pick: number): void {
    for (const digit of pick.toString(8)) {
      const row = this.rows[Number(digit)]
      if (row) this.write(row.id, row.fields ? null : (row.last ?? null))
    }
    while (this.deliver(false));
  }

  send: Send = async (method, path, options) => {
    if (path.startsWith(paths.changes)) return this.#openStream()
    const { status = 200, body, revision } = this.#respond(method, path.split('/').at(-1) ?? '', options)
    await new Promise<void>((resolve) => this.responses.push(resolve))
    if (status === 404 || status === 422)
      throw new ServiceError(status === 404 ? 'not-found' : 'id-in-use', 'No.')
    return Response.json(body ?? null, { status, headers: { [revisionHeader]: `${revision}` } })
  }

  #openStream(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller
        controller.enqueue(encode(': here\n\n'))
      },
    })
    return new Response(body)
  }

  #writeBatch({ remove, restore }: Batch): BatchResult {
    const kept: string[] = []
    for (const { id, ...seen } of remove) {
      const current = this.find(id)?.fields ?? undefined
      const outcome = decideOutcome(current, seen, null)
      if (outcome === 'write') this.write(id, null)
      if (outcome === 'conflict') kept.push(id)
    }
    const others = new Map<string, EmployeeFields | undefined>()
    for (const { id, ...requested } of restore ?? []) {
      const { outcome, fields, other } = decideBatchRestore(stateOf(this.find(id)), requested)
      if (outcome === 'write') this.write(id, fields)
      if (outcome === 'conflict') kept.push(id)
      else others.set(id, other)
    }
    const restored = this.rows.flatMap(({ id }) =>
      others.has(id) ? [describeRestored(id, this.idBefore(id), others.get(id))] : [],
    )
    return { ids: [], kept, ...(restore && { restored }) }
  }

  #respond(method: string, id: string, { body }: SendOptions = {}) {
    if (method === 'GET') return { body: { revision: this.revision, documents: this.list() } }
    const { seen, ...sent } = (body ?? {}) as EmployeeFields & { seen?: EmployeeFields }
    const row = this.find(id)
    const current = row?.fields
    const done = () => ({ revision: this.revision })
    if (method === 'POST' && id === 'batch') return { body: this.#writeBatch(body as Batch), ...done() }
    if (method === 'POST') {
      const added = `${this.rows.length}`
      this.write(added, pickFields(sent))
      return { ...done(), body: { id: added } }
    }
    if (method === 'PUT') {
      const { outcome, fields, other } = decideRestore(stateOf(row), pickFields(sent), seen)
      if (outcome === 'conflict') return { status: 422 }
      if (outcome === 'write') this.write(id, fields)
      return { revision: row?.revision, body: describeRestored(id, this.idBefore(id), other) }
    }
    if (!current) return { status: 404 }
    if (method === 'DELETE') this.write(id, null)
    else if (nameOf(current) === nameOf(sent)) return { revision: row.revision, body: { id, ...current } }
    else if (seen && nameOf(seen) !== nameOf(current))
      return {
        status: 409,
        revision: row.revision,
        body: { code: 'conflict', message: 'No.', document: { id, ...current }, after: this.idBefore(id) },
      }
    else this.write(id, pickFields(sent))
    return { ...done(), body: { id, ...sent } }
  }
}

/** Lets everything happen that follows without a response or event. */
async function settle() {
  for (let i = 0; i < 3; i++) {
    await new Promise(setImmediate)
    vi.advanceTimersByTime(1)
  }
}

/** A page whose list is loaded, and whose operations the test chooses. */
async function openPage(server: ModelServer) {
  const documents = new SelfHostedDocumentStore(server.send)
  const store = makeStore(documents)
  const { dispatch } = store
  const stop = syncEmployees({ dispatch, documents, onStatusChange: () => {} })
  while (server.responses.length === 0) await settle()
  server.responses.splice(0, 1)[0]?.()
  await settle()
  /** The records that a request is about. */
  const busy = new Set<string>()
  function send(ids: string[], operation: Operation) {
    if (ids.some((id) => busy.has(id))) return
    for (const id of ids) busy.add(id)
    const end = () => ids.forEach((id) => void busy.delete(id))
    void store.dispatch(sendOperation({ operation })).finally(end)
  }
  return { store, send, stop }
}

const kinds = [
  'add',
  'update',
  'remove',
  'restore',
  'remove many',
  'restore many',
  'response',
  'event',
  'reconnect',
  'colleague is quick',
] as const
const anyStep = fc.record({
  kind: fc.constantFrom(...kinds),
  isOwn: fc.boolean(),
  pick: fc.nat(),
})
type Page = Awaited<ReturnType<typeof openPage>>
type Step = { kind: (typeof kinds)[number]; isOwn: boolean; pick: number }

let nameCount = 0

/** Begins an operation of the page: on one record, or on those that `pick` names by its bits. */
function beginOwn({ kind, pick }: Step, fields: EmployeeFields, server: ModelServer, { store, send }: Page) {
  const { id = '' } = server.rows[pick % server.rows.length] ?? {}
  const shown = store.getState().book.find((employee) => employee.id === id)
  const rows = server.rows.filter((_, i) => (pick >> i) % 2 === 1)
  const ids = rows.map((row) => row.id)
  const many = rows.map((row): Employee => ({ id: row.id, ...(row.fields ?? fields) }))
  const before = pick % 3 === 0 ? { id, ...named('unknown') } : undefined
  const employee = { id, ...fields }
  if (kind === 'add') send([`new ${nameCount}`], { kind, fields, key: 'key' })
  if (kind === 'update') send([id], { kind, employee, before: shown ?? { id, ...named('unknown') } })
  if (kind === 'remove' && shown) send([id], { kind, employee: shown })
  if (kind === 'restore' && !shown) send([id], { kind, employee, ...(before && { before }) })
  if (kind === 'remove many') send(ids, deleteMany(many))
  if (kind === 'restore many') send(ids, restoreMany(many))
}

function perform(step: Step, server: ModelServer, page: Page) {
  const { kind, isOwn, pick } = step
  if (kind === 'event' || kind === 'reconnect') return server.deliver(kind === 'reconnect')
  if (kind === 'colleague is quick') return server.removeAndRestore(pick)
  if (kind === 'response') return server.responses.splice(pick % (server.responses.length || 1), 1)[0]?.()
  const fields = named(`n${nameCount++}`)
  const row = server.rows[pick % server.rows.length]
  if (isOwn) beginOwn(step, fields, server, page)
  else if (kind === 'add') server.write(`${server.rows.length}`, fields)
  else if (row && (kind === 'restore' ? !row.fields : row.fields))
    server.write(row.id, kind === 'remove' ? null : fields)
}

/** An optional field that is empty is as one that is missing. */
const toShown = ({ id, ...fields }: Employee) => ({ id, ...withoutEmpty(fields) })

afterEach(() => {
  vi.useRealTimers()
})

test('live: once every response and event has arrived, a page shows the records of the server in their order', {
  timeout: isNightly ? 600_000 : 60_000,
}, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 5 }),
      fc.array(anyStep, { maxLength: 25 }),
      async (present, steps) => {
        const server = new ModelServer()
        for (const [i, isPresent] of present.entries()) {
          server.write(`${i}`, named(`n${nameCount++}`))
          if (!isPresent) server.write(`${i}`, null)
        }
        server.forget()
        const page = await openPage(server)
        for (const step of steps) {
          perform(step, server, page)
          await settle()
        }
        do {
          for (const respond of server.responses.splice(0)) respond()
          await settle()
        } while (server.responses.length > 0 || server.deliver(false))
        page.stop()
        expect(page.store.getState().book.map(toShown)).toEqual(server.list().map(toShown))
      },
    ),
    { numRuns: isNightly ? 5_000 : 80 },
  )
})
