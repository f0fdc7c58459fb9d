import type { FastifyInstance } from 'fastify'
import {
  type BatchResult,
  batchSchema,
  countChanges,
  maxBatchBytes,
  maxBatchSize,
} from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths, revisionHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { createBodyQueue } from '../http/body-queue.ts'
import { gunzipBody } from '../http/gunzip-body.ts'
import { largeBodyTimeoutMs } from '../http/limits.ts'
import type { JsonSchemaTypes } from '../http/validation.ts'
import type { EmployeeStorage } from '../storage/storage.ts'
import { idempotencyKeySchema, idFromKey } from './ids.ts'

const headersSchema = {
  type: 'object',
  required: [idempotencyKeyHeader],
  properties: { [idempotencyKeyHeader]: idempotencyKeySchema },
} as const

/** Parsing a batch of maximum size takes several hundred MB of memory. */
const bodyQueueLimits = { maxConcurrent: 2, maxBytes: 4 * maxBatchBytes }

/** Applies many changes in one transaction. */
export function batchRoute(app: FastifyInstance, employees: EmployeeStorage): void {
  app.withTypeProvider<JsonSchemaTypes>().post(
    paths.batch,
    {
      schema: { body: batchSchema, headers: headersSchema },
      bodyLimit: maxBatchBytes,
      config: { requestTimeoutMs: largeBodyTimeoutMs },
      preParsing: [createBodyQueue(bodyQueueLimits), gunzipBody],
    },
    async ({ body, headers, session }, reply): Promise<BatchResult> => {
      if (countChanges(body) > maxBatchSize) {
        throw new AppError('too-large', { message: `A batch may hold ${maxBatchSize} changes.` })
      }
      const { add, update, remove } = body
      const baseId = idFromKey(session.account.uid, headers[idempotencyKeyHeader])
      const added = add.map((fields, i) => ({ id: `${baseId}-${i.toString(36)}`, ...fields }))
      const { revision, kept } = await employees.writeBatch({ add: added, update, remove })
      reply.header(revisionHeader, String(revision))
      return { ids: added.map(({ id }) => id), kept }
    },
  )
}
