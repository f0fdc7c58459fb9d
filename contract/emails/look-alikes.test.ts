import { domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { cleanEmail } from '../employees.ts'
import { findLookAlikes, imitatesAscii } from './look-alikes.ts'

const ada = 'ada@example.com'
const find = (...emails: string[]) => [...findLookAlikes(emails.map(cleanEmail), domainToUnicode)]

test.each([
  'ada@ex\u0430mple.com',
  'ada@\u0435\u0445\u0430mple.com',
  'ada@exampIe.com',
  'ada@examp1e.com',
  'Ada@exarnple.com',
  'ada@exa\u217fple.com',
])('%s looks like ada@example.com, and the other way round', (email) => {
  const other = cleanEmail(email)
  // What the domain's own rules turn into the same text is the same account.
  expect(find(ada, email)).toEqual(
    other === ada
      ? []
      : [
          [ada, other],
          [other, ada],
        ],
  )
})

test.each([
  ['kim@example.com', '\u212aim@example.com'],
  ['ida@example.com', '\u0130da@example.com'],
  ['ida@example.com', 'i\u0307da@example.com'],
])('%s and %s, which differ before the domain, look alike', (...emails) => {
  expect(find(...emails)).toEqual([emails, emails.toReversed()])
})

test.each([
  [ada, 'Ada@Example.com'],
  [ada, ada],
  [ada, 'bob@example.com'],
  [ada, 'ada@example.org'],
  ['a@müller.de', 'a@muller.de'],
])('%s and %s do not look alike', (...emails) => expect(find(...emails)).toEqual([]))

test.each([
  ['ada@ex\u0430mple.com', true],
  ['ad\u0430@example.com', true],
  [ada, false],
  ['ada@examp1e.com', false],
  ['ada@m\u00fcller.example', false],
  ['ada@\u4f8b\u3048.example', false],
])('%s imitates an email of ASCII letters: %s', (email, expected) => {
  expect(imitatesAscii(cleanEmail(email), domainToUnicode)).toBe(expected)
})

test('of several, each names the first other one', () => {
  const [second, third] = ['ada@examp1e.com', 'ada@exarnple.com']
  expect(find(ada, 'bob@example.com', second, third)).toEqual([
    [ada, second],
    [second, ada],
    [third, ada],
  ])
})

test('thousands of accounts are compared fast', () => {
  const emails = Array.from(
    { length: 10_000 },
    (_, i) => `employee.number${i}@department${i % 50}.example.com`,
  )
  const start = process.cpuUsage()
  findLookAlikes(emails, domainToUnicode)
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})
