import type { FastifyInstance } from 'fastify'
import {
  type Batch,
  type BatchResult,
  batchSchema,
  maxBatchBytes,
  maxBatchSize,
  sizeOf,
} from '../../contract/batches.ts'
import { idempotencyKeyHeader, paths, revisionHeader } from '../../contract/protocol.ts'
import { Refusal } from '../app-error.ts'
import { createIntake } from '../http/body-queue.ts'
import { gunzipBody } from '../http/gunzip-body.ts'
import { longestArrival } from '../http/limits.ts'
import { requireWellFormed } from '../http/validation.ts'
import type { BookStorage } from '../storage/storage.ts'
import { idempotencyKey, idFor } from './ids.ts'

const headers = {
  type: 'object',
  required: [idempotencyKeyHeader],
  properties: { [idempotencyKeyHeader]: idempotencyKey },
} as const

/** A batch may take some hundred MB while it is read. */
const intake = { atOnce: 2, bytes: 4 * maxBatchBytes }

/** Many changes in one transaction. */
export function batchRoute(app: FastifyInstance, books: BookStorage): void {
  app.post<{ Body: Batch }>(
    paths.batch,
    {
      schema: { body: batchSchema, headers },
      bodyLimit: maxBatchBytes,
      config: { arrival: longestArrival },
      preParsing: [createIntake(intake), gunzipBody],
    },
    async ({ body, headers, found }, reply): Promise<BatchResult> => {
      requireGood(body)
      const { add, update, remove } = body
      const id = idFor(found.account.uid, headers[idempotencyKeyHeader] as string)
      const added = add.map((fields, i) => ({ id: `${id}-${i.toString(36)}`, ...fields }))
      const { revision, kept } = await books.writeBatch({ add: added, update, remove })
      reply.header(revisionHeader, String(revision))
      return { ids: added.map(({ id }) => id), kept }
    },
  )
}

function requireGood(batch: Batch): void {
  if (sizeOf(batch) > maxBatchSize) {
    throw new Refusal('too-large', { message: `A batch may hold ${maxBatchSize} changes.` })
  }
  for (const [i, fields] of batch.add.entries()) requireWellFormed(fields, `add/${i}/`)
  for (const [i, { fields }] of batch.update.entries()) {
    requireWellFormed(fields, `update/${i}/fields/`)
  }
}
