import { expect, it } from 'vitest'
import { throwReadError, throwWriteError } from './errors.ts'

it.each(['ECONNRESET', 'EPIPE', undefined])(
  'reliability: a network error of PostgreSQL (%s) is unavailable for a read and uncertain for a write',
  (code) => {
    const error = Object.assign(new Error('the network'), { code })
    expect(() => throwReadError(error)).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(() => throwWriteError(error)).toThrow(expect.objectContaining({ kind: 'uncertain' }))
  },
)
