import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import { Refusal } from '../app-error.ts'

/** For a route whose body may come compressed by gzip. The route's `bodyLimit` holds for what it unpacks to. */
export const gunzipBody: preParsingHookHandler = ({ headers }, _reply, payload, done) => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return done(null, payload)
  if (encoding !== 'gzip') {
    const message = 'Please send JSON, as it is or compressed by gzip.'
    return done(new Refusal('unsupported-media-type', { field: 'content-encoding', message }))
  }
  // Fastify compares this with the content length.
  const unpacked = Object.assign(createGunzip(), { receivedEncodedLength: 0 })
  payload.on('data', (bytes: Buffer) => {
    unpacked.receivedEncodedLength += bytes.length
  })
  // Who has refused the request for another reason no longer listens, and an error that nobody hears ends the process.
  unpacked.on('error', () => {})
  // An error is the unpacked stream's, and with it the request's.
  pipeline(payload, unpacked, () => {})
  done(null, unpacked)
}
