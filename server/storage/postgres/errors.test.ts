import { describe, expect, it } from 'vitest'
import { throwReadError, throwWriteError } from './errors.ts'

describe('reliability: errors of PostgreSQL', () => {
  const kindOf = (handle: (error: unknown) => never, error: unknown) => {
    try {
      return handle(error)
    } catch (thrown) {
      return (thrown as { kind?: string }).kind
    }
  }

  it.each(['ECONNRESET', 'EPIPE', undefined])(
    'a network error (%s) is unavailable for a read and uncertain for a write',
    (code) => {
      const error = Object.assign(new Error('the network'), { code })
      expect([kindOf(throwReadError, error), kindOf(throwWriteError, error)]).toEqual([
        'unavailable',
        'uncertain',
      ])
    },
  )
})
