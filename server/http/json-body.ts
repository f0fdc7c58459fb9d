import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser } from 'fastify'
import { AppError } from '../app-error.ts'

/** Parses JSON, with or without a byte order mark. Throws `invalid-request` unless it is valid UTF-8 and valid JSON. */
export function parseJsonBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('invalid-request', { message: 'The body is not valid UTF-8.' })
  try {
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ''))
  } catch {
    throw new AppError('invalid-request')
  }
}

/**
 * Parses the body of a request; none becomes undefined, because programs send the content type also without a body. Schemas
 * with `additionalProperties: false` reject `__proto__`.
 */
export const parseJsonBody: FastifyBodyParser<Buffer> = (_request, bytes, done) => {
  try {
    done(null, bytes.length === 0 ? undefined : parseJsonBytes(bytes))
  } catch (error) {
    done(error as AppError)
  }
}
