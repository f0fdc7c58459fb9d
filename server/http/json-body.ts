import { isUtf8 } from 'node:buffer'
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
