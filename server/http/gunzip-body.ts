import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

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
