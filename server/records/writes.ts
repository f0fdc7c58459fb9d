import { hash, randomFillSync } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { employeeSchema } from '../../contract/employees.ts'
import { objectOf } from '../../contract/json-schema.ts'
import { revisionHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import type { WriteOutcome } from '../storage/storage.ts'

export const idParamsSchema = objectOf({ id: employeeSchema.properties.id })

export const idempotencyKeySchema = { type: 'string', pattern: '^[!-~]{1,128}$' } as const

/** Derives the id from account and key, so that a retry finds its record. 20 characters. */
export function idFromKey(uid: string, key: string): string {
  return hash('sha256', `${uid}\n${key}`, 'base64url').slice(0, 20)
}

/**
 * Identifies the content of a request with this key. It is of no use for guessing the content of removed records, because
 * keys are stored nowhere, and clients choose random ones.
 */
export function digestContent(uid: string, key: string, content: string): string {
  return hash('sha256', `${uid}\n${key}\n${content}`, 'base64url').slice(0, 22)
}

/** Sets the `revision` header. Throws an `AppError` if there is no record to write; it names the `id`, if given. */
export function requireWritten(write: WriteOutcome, reply: FastifyReply, id?: string) {
  if (!('seq' in write)) throw new AppError(write.outcome, id === undefined ? {} : { id })
  reply.header(revisionHeader, String(write.revision))
  return write
}

const timeBytes = 6
const randomBytesPerId = 9
/** Filled at once, because a system call for each id takes a tenth of the time of a durable add. */
const randomPool = Buffer.alloc(400 * randomBytesPerId)
let poolOffset = randomPool.length

/** Creates an id of 20 characters: 48 bits of time, so that inserts into the index are adjacent, and 72 random bits. */
export function createId(): string {
  if (poolOffset === randomPool.length) {
    randomFillSync(randomPool)
    poolOffset = 0
  }
  const bytes = Buffer.allocUnsafe(timeBytes + randomBytesPerId)
  bytes.writeUIntBE(Date.now(), 0, timeBytes)
  randomPool.copy(bytes, timeBytes, poolOffset, poolOffset + randomBytesPerId)
  poolOffset += randomBytesPerId
  return bytes.toString('base64url')
}
