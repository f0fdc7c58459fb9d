import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Employee, type EmployeeFields, hasSameFields } from '../../../contract/employees.ts'
import { type BookList, idempotencyKeyHeader, paths, revisionHeader } from '../../../contract/protocol.ts'
import { named } from '../people.ts'
import { sendRequest } from '../raw-http.ts'

interface ExpectedRecord {
  id: string
  fields: EmployeeFields
  /** The revision of its creation, which determines the order of the list. */
  createdRevision: number
  isRemoved: boolean
}

/** Adds a record, or changes, removes or restores one. */
interface Operation {
  method: 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  fields: EmployeeFields
  record?: ExpectedRecord
  key?: string
}

export interface HttpResult {
  status: number
  revision: number
  body: string
}

/**
 * Clients that each write their own records, one request at a time, and remember which writes were acknowledged. At most
 * one write per client is unacknowledged and may or may not have been applied.
 */
export function createWriters(count: number, cookie: string) {
  const writers = Array.from({ length: count }, (_, i) => createWriter(`w${i}`, cookie))
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged(), 0)
  return {
    /** Writes until the server has gone; resolves when every client has lost its connection. */
    writeUntilDown: (url: string) => Promise.all(writers.map((writer) => writer.writeUntilDown(url))),
    /** Writes until the server has gone or responds that its database is unavailable. */
    writeUntilUnavailable: (url: string) =>
      Promise.all(writers.map((writer) => writer.writeUntilDown(url, isUnavailable))),
    /** Performs `times` writes per client, all of which must succeed. */
    write: (url: string, times: number) => Promise.all(writers.map((writer) => writer.write(url, times))),
    /** Repeats the unacknowledged writes. */
    retryUnanswered: (url: string) => Promise.all(writers.map((writer) => writer.retryUnanswered(url))),
    acknowledged,
    /** Waits until so many more writes are acknowledged. */
    async waitForMore(count: number) {
      const target = acknowledged() + count
      while (acknowledged() < target) await sleep(5)
    },
    /** The differences between a list and the acknowledged writes: lost, repeated or partial ones. */
    findDifferences: (list: BookList) => findDifferences(writers, list),
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(name: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const records: ExpectedRecord[] = []
  let unanswered: Operation | undefined
  let acknowledged = 0
  let operationCount = 0

  /** Mostly a new record; sometimes an update, a removal or a restore of an own one. */
  function nextOperation(): Operation {
    operationCount++
    const password = `${name}/${operationCount}/${'p'.repeat(operationCount % 50)}`
    const fields = named(`${name}-${operationCount}`, { password })
    const record = records[(operationCount * 7919) % Math.max(records.length, 1)]
    if (!record || operationCount % 2 === 0)
      return { method: 'POST', key: `${name}-${operationCount}-${process.pid}`, fields }
    if (record.isRemoved) return { method: 'PUT', record, fields: record.fields }
    if (operationCount % 3 === 0) return { method: 'DELETE', record, fields: record.fields }
    return { method: 'PATCH', record, fields }
  }

  function send(url: string, { method, record, fields, key }: Operation): Promise<HttpResult> {
    const path = record ? paths.book(record.id) : paths.books
    return sendWrite(agent, url, method, path, cookie, method === 'DELETE' ? undefined : fields, key)
  }

  function acknowledge(operation: Operation, { body, revision }: HttpResult) {
    acknowledged++
    unanswered = undefined
    const { record, fields } = operation
    if (record) Object.assign(record, applyTo(record, operation))
    else records.push({ id: JSON.parse(body).id, fields, createdRevision: revision, isRemoved: false })
  }

  async function writeOnce(url: string, operation: Operation) {
    unanswered = operation
    const result = await send(url, operation)
    if (result.status >= 300) throw new RequestFailedError(operation, result)
    acknowledge(operation, result)
  }

  return {
    records,
    acknowledged: () => acknowledged,
    open: () => unanswered,
    async write(url: string, times: number) {
      for (let i = 0; i < times; i++) await writeOnce(url, nextOperation())
    },
    async writeUntilDown(url: string, isExpectedError = isConnectionLost) {
      try {
        for (;;) await writeOnce(url, nextOperation())
      } catch (error) {
        if (!isExpectedError(error)) throw error
      }
    },
    async retryUnanswered(url: string) {
      if (!unanswered) return
      const result = await send(url, unanswered)
      // The first attempt removed the record, but its response was lost.
      const isRemoved = unanswered.method === 'DELETE' && result.status === 404
      if (result.status >= 300 && !isRemoved) throw new RequestFailedError(unanswered, result)
      acknowledge(unanswered, result)
    },
  }
}

class RequestFailedError extends Error {
  readonly status: number

  constructor({ method }: Operation, { status, body }: HttpResult) {
    super(`${method} rejected with ${status}: ${body}`)
    this.status = status
  }
}

function isConnectionLost(error: unknown) {
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isUnavailable(error: unknown) {
  return isConnectionLost(error) || (error instanceof RequestFailedError && error.status === 503)
}

function findDifferences(writers: Writer[], { documents }: BookList): string[] {
  const differences: string[] = []
  const unmatched = new Map(documents.map((document) => [document.id, document]))
  if (unmatched.size !== documents.length)
    differences.push(`${documents.length - unmatched.size} ids are duplicates`)
  const present: ExpectedRecord[] = []
  for (const { records, open } of writers) {
    const operation = open()
    for (const record of records) {
      const document = unmatched.get(record.id)
      unmatched.delete(record.id)
      if (document) present.push(record)
      const possible = operation?.record === record ? [record, applyTo(record, operation)] : [record]
      if (!possible.some((expected) => matchesExpected(document, expected)))
        differences.push(
          `${record.id}: expected ${JSON.stringify(record)}, found ${JSON.stringify(document)}`,
        )
    }
  }
  const unansweredAdds = writers.map(({ open }) => (open()?.record ? undefined : open()?.fields.email))
  for (const document of unmatched.values())
    if (!unansweredAdds.includes(document.email))
      differences.push(`${JSON.stringify(document)} was never added`)
  const expected = present.sort((a, b) => a.createdRevision - b.createdRevision).map(({ id }) => id)
  const known = new Set(expected)
  const order = documents.map(({ id }) => id).filter((id) => known.has(id))
  if (order.join() !== expected.join()) differences.push('the order of creation differs')
  return differences
}

const applyTo = (record: ExpectedRecord, { method, fields }: Operation): ExpectedRecord => ({
  ...record,
  fields,
  isRemoved: method === 'DELETE',
})

function matchesExpected(document: Employee | undefined, { fields, isRemoved }: ExpectedRecord): boolean {
  return document ? !isRemoved && hasSameFields(document, fields) : isRemoved
}

/** Sends one HTTP request on a keep-alive connection. Rejects without a complete response. */
export async function sendWrite(
  agent: Agent,
  url: string,
  method: string,
  path: string,
  cookie: string,
  fields?: unknown,
  key?: string,
): Promise<HttpResult> {
  const json = fields === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { cookie, ...json, ...(key === undefined ? {} : { [idempotencyKeyHeader]: key }) }
  const response = await sendRequest(url, method, path, headers, JSON.stringify(fields), agent)
  return { ...response, revision: Number(response.headers[revisionHeader]) }
}
