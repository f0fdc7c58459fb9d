import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Batch, type BatchResult, batchSchema, maxBatchBytes } from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths, revisionHeader } from '../../contract/protocol.ts'
import { createBodyQueue } from '../http/body-queue.ts'
import { gunzipBody } from '../http/gunzip-body.ts'
import { largeBodyTimeoutMs } from '../http/limits.ts'
import { type JsonSchemaTypes, toValidationError } from '../http/validation.ts'
import type { EmployeeStorage } from '../storage/storage.ts'
import { parseBatch } from './batch-body.ts'
import { idempotencyKeySchema, idFromKey } from './ids.ts'

const headersSchema = {
  type: 'object',
  required: [idempotencyKeyHeader],
  properties: { [idempotencyKeyHeader]: idempotencyKeySchema },
} as const

/** A parsed batch of maximum size takes more than 100 MB of memory. */
const bodyQueueLimits = { maxConcurrent: 2, maxBytes: 4 * maxBatchBytes }

/** Applies many changes in one transaction. */
export function batchRoute(app: FastifyInstance, employees: EmployeeStorage): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
      parseBatch(payload, (batch, firstIndex) => requireValidBatch(request, batch, firstIndex)),
    )
    scope.withTypeProvider<JsonSchemaTypes>().post(
      paths.batch,
      {
        // The parser has validated the body.
        schema: { headers: headersSchema },
        bodyLimit: maxBatchBytes,
        config: { requestTimeoutMs: largeBodyTimeoutMs },
        preParsing: [createBodyQueue(bodyQueueLimits), gunzipBody],
      },
      async (request, reply): Promise<BatchResult> => {
        const { body, headers, session } = request
        if (body === undefined) requireValidBatch(request, body, 0)
        const { add, update, remove } = body as Batch
        const baseId = idFromKey(session.account.uid, headers[idempotencyKeyHeader])
        const added = add.map((fields, i) => ({ id: `${baseId}-${i.toString(36)}`, ...fields }))
        const { revision, kept } = await employees.writeBatch({ add: added, update, remove })
        reply.header(revisionHeader, String(revision))
        return { ids: added.map(({ id }) => id), kept }
      },
    )
  })
}

/** Throws `invalid-request`, which names the field with its index: the lists begin at `firstIndex`. */
function requireValidBatch(request: FastifyRequest, batch: unknown, firstIndex: number): void {
  const validate = request.compileValidationSchema(batchSchema)
  if (validate(batch)) return
  const [error] = validate.errors ?? []
  if (!error) throw new Error('Ajv reported no error.')
  const instancePath = error.instancePath.replace(/\d+/, (index) => String(Number(index) + firstIndex))
  throw toValidationError([{ ...error, instancePath }])
}
