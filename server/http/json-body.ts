import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyBodyParser, preParsingHookHandler } from 'fastify'
import { toTimestamp } from '../../contract/accounts.ts'
import { AppError } from '../app-error.ts'

/** A sheet of 500 hand-overs has a depth of 4 and some thousand values. */
const maxDepth = 16
const maxValues = 50_000

const [quote, backslash, comma] = Buffer.from('"\\,')
const [openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('{}[]')

/**
 * Whether parsing takes not much longer than copying: `JSON.parse` holds the event loop for most of a second with 4 MB of nested
 * lists, or of small objects.
 */
function isCheap(bytes: Buffer): boolean {
  let [depth, values, isInString] = [0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isInString && byte === backslash) at++
    else if (byte === quote) isInString = !isInString
    else if (isInString) continue
    else if (byte === openBrace || byte === openBracket) {
      depth++
      values++
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if (byte === comma) values++
    if (depth > maxDepth || values > maxValues) return false
  }
  return true
}

/**
 * Parses JSON, with or without a byte order mark. Throws `invalid-request` unless it is valid UTF-8 and valid JSON, with a depth and
 * number of values that requests have.
 */
export function parseJsonBytes(bytes: Buffer): unknown {
  if (!isCheap(bytes)) throw new AppError('invalid-request')
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
export const parseJsonBody: FastifyBodyParser<Buffer> = ({ headers }, bytes, done) => {
  try {
    requireUnpacked(bytes, headers['content-encoding'])
    done(null, bytes.length === 0 ? undefined : parseJsonBytes(bytes))
  } catch (error) {
    done(error as AppError)
  }
}

/** Only some routes unpack a body: see `gunzipBody`. */
function requireUnpacked(bytes: Buffer, encoding = 'identity'): void {
  const isPacked = encoding === 'gzip' ? bytes[0] === 0x1f && bytes[1] === 0x8b : encoding !== 'identity'
  if (!isPacked) return
  const message = 'Please send this JSON uncompressed.'
  throw new AppError('unsupported-media-type', { field: 'content-encoding', message })
}

type NullableNames<Row> = {
  [Name in keyof Row]: Row[Name] & (null | undefined) extends never ? never : Name
}[keyof Row]

type ResponseOf<Row> = {
  [Name in keyof Row]: Row[Name] extends number | null | undefined
    ? Name extends 'at' | 'since' | 'until' | `${string}At`
      ? string
      : NonNullable<Row[Name]>
    : NonNullable<Row[Name]>
}

/**
 * Returns what a response says of a row of the storage: times in ISO 8601, which the storage has in milliseconds since 1970, and
 * nothing that is null or undefined.
 */
export function toResponse<Row extends object>(row: Row) {
  const entries = Object.entries(row).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const isTime = typeof value === 'number' && (name.endsWith('At') || timeNames.includes(name))
    return [[name, isTime ? toTimestamp(value) : value]]
  })
  return Object.fromEntries(entries) as Omit<ResponseOf<Row>, NullableNames<Row>> &
    Partial<Pick<ResponseOf<Row>, NullableNames<Row>>>
}

const timeNames = ['at', 'since', 'until']

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
