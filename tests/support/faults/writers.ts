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

type Operation =
  | { type: 'add'; key: string; fields: EmployeeFields }
  | { type: 'update'; record: ExpectedRecord; fields: EmployeeFields }
  | { type: 'remove' | 'restore'; record: ExpectedRecord }

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
    const fields = named(`${name}-${operationCount}`, {
      password: `${name}/${operationCount}/${'p'.repeat(operationCount % 50)}`,
    })
    const record = records[(operationCount * 7919) % Math.max(records.length, 1)]
    if (!record || operationCount % 2 === 0)
      return { type: 'add', key: `${name}-${operationCount}-${process.pid}`, fields }
    if (record.isRemoved) return { type: 'restore', record }
    return operationCount % 3 === 0 ? { type: 'remove', record } : { type: 'update', record, fields }
  }

  function send(url: string, operation: Operation): Promise<HttpResult> {
    switch (operation.type) {
      case 'add':
        return sendWrite(agent, url, 'POST', paths.books, cookie, operation.fields, operation.key)
      case 'update':
        return sendWrite(agent, url, 'PATCH', paths.book(operation.record.id), cookie, operation.fields)
      case 'restore': {
        const { id, fields } = operation.record
        return sendWrite(agent, url, 'PUT', paths.book(id), cookie, fields)
      }
      case 'remove':
        return sendWrite(agent, url, 'DELETE', paths.book(operation.record.id), cookie)
    }
  }

  function acknowledge(operation: Operation, { body, revision }: HttpResult) {
    acknowledged++
    unanswered = undefined
    if (operation.type === 'add') {
      const { id } = JSON.parse(body)
      records.push({ id, fields: operation.fields, createdRevision: revision, isRemoved: false })
    } else if (operation.type === 'update') operation.record.fields = operation.fields
    else operation.record.isRemoved = operation.type === 'remove'
  }

  async function writeOnce(url: string, operation: Operation) {
    unanswered = operation
    const result = await send(url, operation)
    if (result.status >= 300) throw new RequestFailedError(operation.type, result)
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
      const isRemoved = unanswered.type === 'remove' && result.status === 404
      if (result.status >= 300 && !isRemoved) throw new RequestFailedError(unanswered.type, result)
      acknowledge(unanswered, result)
    },
  }
}

class RequestFailedError extends Error {
  readonly status: number

  constructor(action: string, { status, body }: HttpResult) {
    super(`${action} rejected with ${status}: ${body}`)
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
  const unmatchedDocuments = new Map(documents.map((document) => [document.id, document]))
  if (unmatchedDocuments.size !== documents.length)
    differences.push(`${documents.length - unmatchedDocuments.size} ids are duplicates`)
  const present: { id: string; createdRevision: number }[] = []
  for (const { records, open } of writers) {
    const unansweredOperation = open()
    for (const record of records) {
      const isUnanswered =
        unansweredOperation !== undefined &&
        'record' in unansweredOperation &&
        unansweredOperation.record === record
      const document = unmatchedDocuments.get(record.id)
      unmatchedDocuments.delete(record.id)
      if (document) present.push(record)
      if (
        !matchesExpected(document, record) &&
        !(isUnanswered && matchesExpected(document, applyOperation(unansweredOperation)))
      ) {
        differences.push(
          `${record.id}: expected ${JSON.stringify(record)}, found ${JSON.stringify(document)}`,
        )
      }
    }
  }
  const unansweredAdds = writers.flatMap(({ open }) => {
    const intention = open()
    return intention?.type === 'add' ? [intention.fields.email] : []
  })
  for (const document of unmatchedDocuments.values()) {
    if (!unansweredAdds.includes(document.email))
      differences.push(`${JSON.stringify(document)} was never added`)
  }
  const expected = present.sort((a, b) => a.createdRevision - b.createdRevision).map(({ id }) => id)
  const known = new Set(expected)
  const order = documents.map(({ id }) => id).filter((id) => known.has(id))
  if (order.join() !== expected.join()) differences.push('the order of creation differs')
  return differences
}

function applyOperation(operation: Operation): ExpectedRecord {
  if (!('record' in operation)) throw new Error('An add has no record.')
  if (operation.type === 'update') return { ...operation.record, fields: operation.fields }
  return { ...operation.record, isRemoved: operation.type === 'remove' }
}

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
