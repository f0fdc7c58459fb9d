import { expect, test } from 'vitest'
import type { Colleague } from '../../contract/accounts.ts'
import { markLookAlikes } from './mark-look-alikes.ts'

const colleague = (id: string, email: string, more: object = {}): Colleague => ({
  ...{ id, email, createdAt: '2026-01-01T00:00:00.000Z' },
  ...more,
})
const mark = (...colleagues: Colleague[]) => markLookAlikes(colleagues).map(({ looksLike }) => looksLike)

test('of two present accounts with the same email, each looks like the other', () => {
  const [ada, other] = ['ada@example.com', 'Ada@example.com']
  expect(mark(colleague('1', ada), colleague('2', other), colleague('3', 'bob@example.com'))).toEqual([
    ...[other, ada],
    undefined,
  ])
})

test('an account does not look like a removed one with its email', () => {
  const removed = { removedAt: '2026-02-01T00:00:00.000Z' }
  expect(mark(colleague('1', 'ada@example.com', removed), colleague('2', 'ada@example.com'))).toEqual([
    ...[undefined, undefined],
  ])
})
