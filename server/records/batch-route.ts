import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import {
  type Batch,
  type BatchResult,
  batchLists,
  batchResultSchema,
  batchSchema,
  describeRestored,
  maxBatchBytes,
} from '../../contract/batches.ts'
import { type Employee, fieldNames } from '../../contract/employees.ts'
import { idempotencyKeyHeader, paths, repeatedHeader, revisionHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { type BodyQueueLimits, createBodyQueue } from '../http/body-queue.ts'
import { type Counter, createCounter, requireAllowed } from '../http/counters.ts'
import { gunzipBody } from '../http/json-body.ts'
import { largeBodyTimeoutMs } from '../http/limits.ts'
import { type Api, toValidationError } from '../http/validation.ts'
import type { WrittenBatch } from '../storage/storage.ts'
import { inTurns } from '../yield-to-event-loop.ts'
import { parseBatch } from './batch-body.ts'
import type { LiveList } from './live-list.ts'
import { digestContent, idFromKey, keySchema, type RecordRouteOptions } from './routes.ts'

const headersSchema = { ...keySchema, required: [idempotencyKeyHeader] } as const

/** A parsed batch of maximum size takes more than 100 MB of memory. */
const bodyQueueLimits: BodyQueueLimits = {
  maxConcurrent: 2,
  maxBytes: 4 * maxBatchBytes,
  maxBytesPerOwner: maxBatchBytes,
  getOwner: ({ session }) => session.account.uid,
}

/** Limits the uncompressed bytes of one account. Two million usual records in a minute are within it. */
const byteLimit = { maxCount: 4 * maxBatchBytes, windowSeconds: 60 }

export function batchRoute(app: Api, { employees, liveList, responses }: RecordRouteOptions): void {
  const byteCounter = createCounter(byteLimit)
  const { preParsing: queue, onSend } = createBodyQueue(bodyQueueLimits)
  app.register(async (scope: Api) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
      readBatch(request, payload, byteCounter),
    )
    scope.post(
      paths.batch,
      {
        // The parser has validated the body.
        schema: {
          summary: 'Execute many changes in one transaction',
          headers: headersSchema,
          response: { 200: batchResultSchema },
        },
        bodyLimit: maxBatchBytes,
        config: { requestTimeoutMs: largeBodyTimeoutMs, bodySchema: batchSchema },
        preParsing: [queue, gunzipBody],
        onSend,
      },
      async (request, reply) => {
        const { body, headers, session } = request
        if (body === undefined) requireValidBatch(request, body, 0)
        const { batch, content } = body as DigestedBatch
        const { uid } = session.account
        const key = headers[idempotencyKeyHeader]
        const baseId = idFromKey(uid, key)
        const add: Employee[] = []
        await inTurns(batch.add, (fields) => {
          add.push({ id: `${baseId}-${add.length.toString(36)}`, ...fields })
        })
        const written = await employees.writeBatch({
          ...batch,
          add,
          digest: digestContent(uid, key, content),
          by: uid,
        })
        if (written.outcome === 'key-reused') throw new AppError('key-reused')
        reply.header(revisionHeader, String(written.revision))
        if (written.isRepeated) reply.header(repeatedHeader, 'yes')
        // Otherwise a slow reader of the response would keep the batch in memory.
        request.body = undefined
        const result: BatchResult = { ids: add.map(({ id }) => id), kept: written.kept }
        if (batch.restore) result.restored = await placeRestored(written, liveList)
        return responses.sendBody(reply, Buffer.from(JSON.stringify(result)))
      },
    )
  })
}

/** Names the records in the order of the list, so that a client always knows the one after which it inserts another. */
async function placeRestored({ restored }: WrittenBatch, liveList: LiveList) {
  const placed: Required<BatchResult>['restored'] = []
  const byPlace = new Map(restored.map((record) => [record.seq, record]))
  const inOrder = [...byPlace].sort(([a], [b]) => a - b)
  await inTurns(inOrder, ([seq, { id, fields }]) =>
    placed.push(describeRestored(id, liveList.idBefore(seq), fields)),
  )
  return placed
}

interface DigestedBatch {
  batch: Batch
  /** Hash of the changes, however they were written as JSON. */
  content: string
}

/** Parses and validates the body. Throws an `AppError`. */
async function readBatch(
  request: FastifyRequest,
  body: Readable,
  byteCounter: Counter,
): Promise<DigestedBatch> {
  const { uid } = request.session.account
  requireAllowed([byteCounter, uid])
  const hashes = new Map(batchLists.map((name) => [name, createHash('sha256')]))
  const countedBody = countBytes(body, (bytes) => byteCounter.increment(uid, bytes)(true))
  const batch = await parseBatch(countedBody, (slice, firstIndex) => {
    requireValidBatch(request, slice, firstIndex)
    for (const [name, hash] of hashes) {
      const changes = (slice as Batch)[name] ?? []
      if (changes.length > 0) hash.update(`${JSON.stringify(changes, orderedKeys).slice(1, -1)},`)
    }
  })
  // Earlier versions know no restores: what they have hashed keeps its hash.
  if (!batch.restore?.length) hashes.delete('restore')
  return { batch, content: Array.from(hashes.values(), (hash) => hash.digest('base64url')).join() }
}

async function* countBytes(body: Readable, use: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    use(chunk.length)
    yield chunk
  }
}

/** The text that is hashed has only these keys, in this order. */
const orderedKeys = ['seen', 'fields', 'id', ...fieldNames]

/** Throws `invalid-request`, which names the field with its index: the lists begin at `firstIndex`. */
function requireValidBatch(request: FastifyRequest, batch: unknown, firstIndex: number): void {
  const validate = request.compileValidationSchema(batchSchema)
  if (validate(batch)) return
  const [error] = validate.errors ?? []
  if (!error) throw new Error('Ajv reported no error.')
  const instancePath = error.instancePath.replace(/\d+/, (index) => String(Number(index) + firstIndex))
  throw toValidationError([{ ...error, instancePath }])
}
