import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import { readTexts } from '../../scripts/catalogs.ts'
import { setCatalog, t } from '../language/translate.ts'
import { translateError } from './messages.ts'

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  setCatalog(readTexts())
})
afterEach(() => {
  setCatalog(null)
  vi.unstubAllGlobals()
})

test('in other languages, each error of the service has the translation of its own message', () => {
  const elsewhere = /^(sso-(?!only)|confirmation-needed$)/
  for (const [code, { message }] of Object.entries(errors).filter(([code]) => !elsewhere.test(code)))
    expect(translateError(code as ErrorCode, 'of the service')).toBe(message)
})

test('an error that the page does not know is an error on the server', () => {
  expect(translateError('unknown' as ErrorCode, 'of the service')).toBe(errors['server-error'].message)
})

test('what a partial catalog lacks is English, with its plural forms, or the message of the service', () => {
  vi.stubGlobal('document', { documentElement: { lang: 'ja' } })
  setCatalog(readTexts().map(() => null))
  expect(t('{count, plural, one {# record} other {# records}}', { count: 1 })).toBe('1 record')
  expect(translateError('not-found', 'of the service')).toBe('of the service')
})
