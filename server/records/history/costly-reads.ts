import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LargeResponses } from '../../http/large-responses.ts'
import { chooseEncoding, encodingHeaders } from '../../http/negotiation.ts'
import { createMutex, startTurn } from '../../yield-to-event-loop.ts'
import type { LiveList } from '../live-list.ts'

const gzipAsync = promisify(gzip)

/** Fast: a body is compressed for its readers only once per revision. */
const gzipLevel = 1
const minGzipBytes = 100 * 1024

/** Limits one account, whose page waits for each answer. */
export const maxWaiting = 20
const maxKept = 4
const maxKeptBytes = 64 * 2 ** 20
/** What has been wiped must not stay in memory. */
const keptMs = 60_000

type JsonParts = AsyncIterable<string> | Iterable<string>

interface CostlyRead {
  name: string
  /** The body may change without a new revision, or is too rarely read to be kept. */
  isKept?: boolean
  /** Returns what the body depends on besides the revision. Takes one connection at a time, as does `read`. */
  findVersion?: () => Promise<unknown>
  read: () => JsonParts | Promise<JsonParts>
}

/**
 * Returns a function that sends what takes long to read. It builds a body once per revision and encoding: one at a time, and one
 * after the other for each account, so that nobody keeps others waiting. All together take two connections to the database, so that
 * others remain for sessions.
 * Throws `busy`, and `too-many-requests` if too many requests of the account are waiting.
 */
export function createCostlyReads(liveList: Pick<LiveList, 'revision'>, { sendBody }: LargeResponses) {
  const kept = new Map<string, { revision: number; body: Buffer; timer: NodeJS.Timeout }>()
  const forAccount = createMutex(maxWaiting)
  const forAll = createMutex(Number.POSITIVE_INFINITY)

  function findKept(key: string) {
    const found = kept.get(key)
    return found?.revision === liveList.revision ? found.body : undefined
  }

  async function keep(key: string, build: () => Promise<Buffer>) {
    const { revision } = liveList
    const body = await build()
    forget(key)
    kept.set(key, { revision, body, timer: setTimeout(forget, keptMs, key).unref() })
    const isOver = () => kept.values().reduce((sum, { body }) => sum + body.length, 0) > maxKeptBytes
    for (const oldest of kept.keys()) if (kept.size > maxKept || isOver()) forget(oldest)
    return body
  }

  function forget(key: string) {
    clearTimeout(kept.get(key)?.timer)
    kept.delete(key)
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, isKept = true, findVersion, read }: CostlyRead,
  ) => {
    const { uid } = request.session.account
    const encoding = chooseEncoding(request, ['gzip'])
    const build = async () => {
      const body = await join(await read())
      return encoding === 'gzip' && body.length > minGzipBytes ? gzipAsync(body, { level: gzipLevel }) : body
    }
    const body = await forAccount(uid, async () => {
      if (!isKept) return forAll('body', build)
      const version = findVersion && (await forAll('version', findVersion))
      const key = `${encoding} ${name} ${version}`
      return findKept(key) ?? forAll('body', async () => findKept(key) ?? keep(key, build))
    })
    const isGzip = body[0] === gzipMagic
    return sendBody(reply, body, encodingHeaders[isGzip ? 'gzip' : 'identity'])
  }
}

/** The first byte of a compressed body; JSON begins with a brace. */
const gzipMagic = 0x1f

async function join(parts: JsonParts): Promise<Buffer> {
  const pieces: Buffer[] = []
  const turn = startTurn()
  for await (const part of parts) {
    pieces.push(Buffer.from(part))
    if (turn.isOver()) await turn.next()
  }
  return Buffer.concat(pieces)
}
