import type { FastifyReply, preHandlerAsyncHookHandler } from 'fastify'
import { revisionHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import type { EmployeeStorage, WriteOutcome } from '../storage/storage.ts'

/** A hook that waits for what other servers have written, if there may be any. */
export function createCatchUp({ catchUp }: Pick<EmployeeStorage, 'catchUp'>): preHandlerAsyncHookHandler[] {
  return catchUp ? [async () => catchUp()] : []
}

/** Sets the `revision` header. Throws an `AppError` if there is no record to write; it names the `id`, if given. */
export function requireWritten(write: WriteOutcome, reply: FastifyReply, id?: string) {
  if (!('seq' in write)) throw new AppError(write.outcome, id === undefined ? {} : { id })
  reply.header(revisionHeader, String(write.revision))
  return write
}
