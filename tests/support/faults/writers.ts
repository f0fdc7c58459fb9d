import { Agent, request } from 'node:http'
import type { Employee, EmployeeFields } from '../../../contract/employees.ts'
import { type BookList, idempotencyKeyHeader, paths, revisionHeader } from '../../../contract/protocol.ts'

interface Known {
  id: string
  fields: EmployeeFields
  /** The revision that created it: its place in the list. */
  created: number
  removed: boolean
}

type Intention =
  | { type: 'add'; key: string; fields: EmployeeFields }
  | { type: 'update'; record: Known; fields: EmployeeFields }
  | { type: 'remove' | 'restore'; record: Known }

export interface Answer {
  status: number
  revision: number
  body: string
}

/**
 * Clients that write one after another, each its own records, and remember what they were promised: every answered
 * write is certain, and of the unanswered at most one per client is open either way.
 */
export function createWriters(count: number, cookie: string) {
  const writers = Array.from({ length: count }, (_, i) => createWriter(`w${i}`, cookie))
  return {
    /** Writes until the server is gone; resolves when every client has met the end. */
    writeUntilGone: (url: string) => Promise.all(writers.map((writer) => writer.writeUntilGone(url))),
    /** Writes until the server is gone, or refuses because its database is. */
    writeUntilUnavailable: (url: string) =>
      Promise.all(writers.map((writer) => writer.writeUntilGone(url, isUnavailable))),
    /** Writes so many times per client, all of which must be answered. */
    write: (url: string, times: number) => Promise.all(writers.map((writer) => writer.write(url, times))),
    /** Sends what was left open once more, as a program would that was not answered. */
    finish: (url: string) => Promise.all(writers.map((writer) => writer.finish(url))),
    acknowledged: () => writers.reduce((sum, { acknowledged }) => sum + acknowledged(), 0),
    /** Everything in which a list differs from what was promised; empty where nothing was lost, doubled or halved. */
    differences: (list: BookList) => differencesOf(writers, list),
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(name: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const records: Known[] = []
  let open: Intention | undefined
  let acknowledged = 0
  let turn = 0

  /** Sometimes an update, a removal or a restore of one of its own; mostly a new record. */
  function intend(): Intention {
    turn++
    const fields = {
      eName: `${name}-${turn}`,
      email: `${name}@example.com`,
      password: `${name}/${turn}/${'p'.repeat(turn % 50)}`,
    }
    const record = records[(turn * 7919) % Math.max(records.length, 1)]
    if (!record || turn % 2 === 0) return { type: 'add', key: `${name}-${turn}-${process.pid}`, fields }
    if (record.removed) return { type: 'restore', record }
    return turn % 3 === 0 ? { type: 'remove', record } : { type: 'update', record, fields }
  }

  function send(url: string, intention: Intention): Promise<Answer> {
    switch (intention.type) {
      case 'add':
        return call(agent, url, 'POST', paths.books, cookie, intention.fields, intention.key)
      case 'update':
        return call(agent, url, 'PATCH', paths.book(intention.record.id), cookie, intention.fields)
      case 'restore':
        return call(agent, url, 'PUT', paths.book(intention.record.id), cookie, intention.record.fields)
      case 'remove':
        return call(agent, url, 'DELETE', paths.book(intention.record.id), cookie)
    }
  }

  function promised(intention: Intention, { body, revision }: Answer) {
    acknowledged++
    open = undefined
    if (intention.type === 'add') {
      records.push({ id: JSON.parse(body).id, fields: intention.fields, created: revision, removed: false })
    } else if (intention.type === 'update') intention.record.fields = intention.fields
    else intention.record.removed = intention.type === 'remove'
  }

  async function writeOnce(url: string, intention: Intention) {
    open = intention
    const answer = await send(url, intention)
    if (answer.status >= 300) throw new Refused(`${intention.type} was`, answer)
    promised(intention, answer)
  }

  return {
    records,
    acknowledged: () => acknowledged,
    open: () => open,
    async write(url: string, times: number) {
      for (let i = 0; i < times; i++) await writeOnce(url, intend())
    },
    async writeUntilGone(url: string, isEnd = isGone) {
      try {
        for (;;) await writeOnce(url, intend())
      } catch (error) {
        if (!isEnd(error)) throw error
      }
    },
    async finish(url: string) {
      if (!open) return
      const answer = await send(url, open)
      // The first try went through unanswered: the record is gone already.
      if (open.type === 'remove' && answer.status === 404) promised(open, answer)
      else if (answer.status < 300) promised(open, answer)
      else throw new Refused(`Retrying ${open.type} was`, answer)
    },
  }
}

class Refused extends Error {
  readonly status: number

  constructor(what: string, { status, body }: Answer) {
    super(`${what} answered ${status}: ${body}`)
    this.status = status
  }
}

function isGone(error: unknown) {
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isUnavailable(error: unknown) {
  return isGone(error) || (error instanceof Refused && error.status === 503)
}

function differencesOf(writers: Writer[], { documents }: BookList): string[] {
  const differences: string[] = []
  const found = new Map(documents.map((document) => [document.id, document]))
  if (found.size !== documents.length)
    differences.push(`${documents.length - found.size} ids are there twice`)
  const inOrder: { id: string; created: number }[] = []
  for (const { records, open } of writers) {
    const intention = open()
    for (const record of records) {
      const isOpen = intention !== undefined && 'record' in intention && intention.record === record
      const document = found.get(record.id)
      found.delete(record.id)
      if (document) inOrder.push(record)
      if (!fits(document, record) && !(isOpen && fits(document, outcomeOf(intention)))) {
        differences.push(
          `${record.id} should be ${JSON.stringify(record)} and is ${JSON.stringify(document)}`,
        )
      }
    }
  }
  const openAdds = writers.flatMap(({ open }) => {
    const intention = open()
    return intention?.type === 'add' ? [intention.fields.eName] : []
  })
  for (const document of found.values()) {
    if (!openAdds.includes(document.eName)) differences.push(`${JSON.stringify(document)} was never added`)
  }
  const expected = inOrder.sort((a, b) => a.created - b.created).map(({ id }) => id)
  const known = new Set(expected)
  const order = documents.map(({ id }) => id).filter((id) => known.has(id))
  if (order.join() !== expected.join()) differences.push('the order of creation is not kept')
  return differences
}

function outcomeOf(intention: Intention): Known {
  if (!('record' in intention)) throw new Error('An add has no record yet.')
  if (intention.type === 'update') return { ...intention.record, fields: intention.fields }
  return { ...intention.record, removed: intention.type === 'remove' }
}

function fits(document: Employee | undefined, { fields, removed }: Known): boolean {
  if (!document) return removed
  return (
    !removed &&
    document.eName === fields.eName &&
    document.email === fields.email &&
    document.password === fields.password
  )
}

/** One HTTP request on a kept connection; rejects where no whole answer came. */
export function call(
  agent: Agent,
  url: string,
  method: string,
  path: string,
  cookie: string,
  fields?: unknown,
  key?: string,
): Promise<Answer> {
  const body = fields === undefined ? undefined : JSON.stringify(fields)
  const headers = {
    cookie,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(key === undefined ? {} : { [idempotencyKeyHeader]: key }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('error', reject)
      response.on('end', () => {
        const revision = Number(response.headers[revisionHeader])
        resolve({ status: response.statusCode ?? 0, revision, body: text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
