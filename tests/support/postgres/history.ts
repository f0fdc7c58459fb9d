import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BookList, paths } from '../../../contract/protocol.ts'
import { type HttpResult, sendWrite } from '../faults/writers.ts'
import { named, namesOf } from '../people.ts'

/** Version of a record that has been removed; the next one restores it, and is the last. */
const removedVersion = 7

/**
 * Clients that write and read through a balancer, and compare every list with what was acknowledged before they
 * asked for it. Each record has one writer, so its versions are in order.
 */
export function createHistory(url: string, cookie: string) {
  const anomalies: string[] = []
  const acknowledged = new Map<number, number>()
  /** The latest version that was sent. */
  const sent = new Map<number, number>()
  let latestRevision = 0
  let isEnded = false
  let [writes, lists] = [0, 0]

  async function send(method: string, path: string, fields?: unknown, key?: string): Promise<HttpResult> {
    for (;;) {
      // A connection of its own: the balancer gives it to the next server.
      const result = await sendWrite(new Agent(), url, method, path, cookie, fields, key).catch(
        () => undefined,
      )
      if (result && result.status < 500) return result
      // A server or the database is away. All writes can be repeated.
      await sleep(20)
    }
  }

  function sendVersion(record: number, id: string, version: number) {
    const fields = named(String(record), { password: String(version) })
    if (version === 1) return send('POST', paths.books, fields, `record-${record}`)
    if (version === removedVersion) return send('DELETE', paths.book(id))
    return send(version > removedVersion ? 'PUT' : 'PATCH', paths.book(id), fields)
  }

  async function runClient() {
    while (!isEnded) {
      const record = sent.size
      let id = ''
      for (let version = 1; version <= removedVersion + 1 && !isEnded; version++) {
        sent.set(record, version)
        const { status, body, revision } = await sendVersion(record, id, version)
        // The first attempt may have removed it.
        const isRepeatedRemoval = version === removedVersion && status === 404
        if (status >= 300 && !isRepeatedRemoval)
          throw new Error(`write of ${record}/${version}: ${status} ${body}`)
        if (version === 1) id = JSON.parse(body).id
        acknowledged.set(record, version)
        if (!isRepeatedRemoval) latestRevision = Math.max(latestRevision, revision)
        writes++
        await readList()
      }
    }
  }

  async function readList() {
    const [expected, expectedRevision] = [new Map(acknowledged), latestRevision]
    const { body } = await send('GET', paths.books)
    const { documents, revision }: BookList = JSON.parse(body)
    lists++
    latestRevision = Math.max(latestRevision, revision)
    if (revision < expectedRevision) anomalies.push(`stale: a list of ${revision} after ${expectedRevision}`)
    const found = new Map(documents.map((document) => [namesOf([document])[0], Number(document.password)]))
    if (found.size !== documents.length) anomalies.push(`doubled: ${documents.length - found.size} records`)
    for (const [record, version] of expected) {
      const newest = sent.get(record) as number
      const isRemoved = version === removedVersion || newest >= removedVersion
      const current = found.get(String(record))
      if (current === undefined ? !isRemoved : current < version || current > newest)
        anomalies.push(
          `lost or reverted: ${record} is ${current} after ${version}, in a list of ${revision} after ${expectedRevision}`,
        )
    }
  }

  return {
    anomalies,
    get counts() {
      return { writes, lists }
    },
    /** Runs the clients until `during` resolves. */
    async run(clientCount: number, during: () => Promise<void>) {
      const clients = Promise.all(Array.from({ length: clientCount }, runClient))
      await during().finally(() => {
        isEnded = true
      })
      await clients
      await readList()
    },
  }
}
