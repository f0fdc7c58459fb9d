import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyBodyParser, preParsingHookHandler } from 'fastify'
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

/** Returns the properties that are neither null nor undefined, for a body in which the others are missing. */
export function withoutNulls<T extends object>(properties: T) {
  const present = Object.entries(properties).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as { [Name in keyof T]?: NonNullable<T[Name]> }
}

/** Decompresses gzip bodies. The parser must limit the decompressed size. */
export const gunzipBody: preParsingHookHandler = ({ headers }, _reply, payload, done) => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return done(null, payload)
  if (encoding !== 'gzip') {
    const message = 'Please send JSON, uncompressed or compressed with gzip.'
    return done(new AppError('unsupported-media-type', { field: 'content-encoding', message }))
  }
  const decompressed = createGunzip()
  // If the request was already rejected nobody handles `error`, and an unhandled `error` event would crash the process.
  decompressed.on('error', () => {})
  // Errors destroy the decompressed stream, which the parser reads; no callback needed.
  pipeline(payload, decompressed, () => {})
  done(null, decompressed)
}
