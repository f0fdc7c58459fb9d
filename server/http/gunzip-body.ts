import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

/** For a route whose body may come compressed by gzip. The route's `bodyLimit` holds for what it unpacks to. */
export const gunzipBody: preParsingHookHandler = ({ headers }, _reply, payload, done) => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return done(null, payload)
  if (encoding !== 'gzip') {
    const message = 'Please send JSON, as it is or compressed by gzip.'
    return done(new AppError('unsupported-media-type', { field: 'content-encoding', message }))
  }
  // Fastify compares this with the content length.
  const decompressed = Object.assign(createGunzip(), { receivedEncodedLength: 0 })
  payload.on('data', (bytes: Buffer) => {
    decompressed.receivedEncodedLength += bytes.length
  })
  // Who has refused the request for another reason no longer listens, and an error that nobody hears ends the process.
  decompressed.on('error', () => {})
  // An error is the unpacked stream's, and with it the request's.
  pipeline(payload, decompressed, () => {})
  done(null, decompressed)
}
