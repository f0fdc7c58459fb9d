import { expect, test } from 'vitest'
import { parseFirstEmail } from '../first-email.ts'
import { parseText } from '../text/parse-text.ts'
import { decodeMimeWords } from './mime.ts'

test.each([
  ['=?utf-8?Q?Zo=C3=AB_L=C3=B6we?=', 'Zoë Löwe'],
  ['=?UTF-8?B?Wm/Dqw==?= =?utf-8?b?IEzDtndl?=', 'Zoë Löwe'],
  ['=?iso-8859-1?q?J=FCrgen?= Groß', 'Jürgen Groß'],
  ['=?windows-1251*ru?Q?=C0=ED=ED=E0?=', 'Анна'],
  ['=?utf-8?B?%%%?= x', '=?utf-8?B?%%%?= x'],
  ['a=?b?c', 'a=?b?c'],
])('a name that is written as in mails is decoded: %s', (text, name) => {
  expect(decodeMimeWords(text)).toBe(name)
})

test('recipients, emails with names and contacts have decoded names', () => {
  const word = '=?utf-8?Q?Zo=C3=AB?='
  expect(parseFirstEmail(`${word} <zoe@a.org>`)).toEqual({ name: 'Zoë', email: 'zoe@a.org', count: 1 })
  const { rows } = parseText(`"${word}" <zoe@a.org>; ${word} <z@a.org>`)
  expect(rows.slice(1).map(({ cells }) => cells)).toEqual([
    ['Zoë', 'zoe@a.org'],
    ['Zoë', 'z@a.org'],
  ])
  expect(parseText(`BEGIN:VCARD\nFN:${word}\nEMAIL:z@a.org\nEND:VCARD`).rows[1]?.cells).toEqual([
    'Zoë',
    'z@a.org',
  ])
})
