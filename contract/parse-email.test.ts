import { expect, test } from 'vitest'
import { isAccountEmail, toEmailKey } from './accounts.ts'
import { isEmail, parseEmail, removeInvisible, takeEmail, toAsciiEmail } from './employees.ts'

test('an email is taken without spaces of the web, `mailto:` and the name before it', () => {
  const email = 'ada@example.com'
  for (const text of [
    `\u00a0\u200b${email}\u2060\ufeff`,
    `mailto:${email}`,
    `SMTP:${email}`,
    `<${email}>`,
    `Ada <${email}>`,
    // From a document.
    'a\u00adda@exam\u200bple\ufeff.com',
    '\u202aada@example.com\u202c',
    'mailto:ada@ex\u00adample.com',
  ])
    expect(takeEmail(text)).toBe(email)
  expect(parseEmail(`"Ada, Countess" <${email}>`)).toEqual({ email, name: 'Ada, Countess' })
  expect(parseEmail(`A\u00adda <${email}>`)).toEqual({ email, name: 'Ada' })
  for (const text of ['', 'ada', ' ada@', 'Ada <ada>', 'mailto:']) expect(takeEmail(text)).toBe(text)
})

test('an account is found with spaces of the web around its email', () => {
  expect(toEmailKey('\u200bAda@Example.com\u2060')).toBe('ada@example.com')
  expect(isAccountEmail('\u200bada@example.com\u2060')).toBe(true)
})

test('a long run of spaces is trimmed in linear time', () => {
  const text = `a${' '.repeat(200_000)}b`
  const start = process.cpuUsage()
  expect(takeEmail(text)).toBe(text)
  expect(process.cpuUsage(start).user).toBeLessThan(500_000)
})

test.each([
  ['j@müller.example', 'j@xn--mller-kva.example'],
  ['J@MÜLLER.example', 'J@xn--mller-kva.example'],
  ['a@straße.example', 'a@xn--strae-oqa.example'],
  ['a@例え.jp', 'a@xn--r8jz45g.jp'],
])('a domain beyond ASCII is compared as mail servers do: %s', (typed, ascii) => {
  expect(toAsciiEmail(typed)).toBe(ascii)
  expect(isEmail(ascii) && isAccountEmail(typed)).toBe(true)
  expect(toEmailKey(typed)).toBe(toEmailKey(ascii))
  expect(parseEmail(` mailto:${typed}`).email).toBe(ascii)
  expect(takeEmail(typed)).toBe(typed)
})

test('what is no such domain stays as it is', () => {
  for (const text of ['ü@example.com', 'a@ü/b', 'a@ü b.example', 'ü', '', 'ada@example.com'])
    expect(toAsciiEmail(text)).toBe(text)
})

test('what nobody sees is removed, but for what scripts and emoji need', () => {
  expect(removeInvisible('\u2068Love\u00adlace\u2069 \ufeffAda\u200b\u2060')).toBe('Lovelace Ada')
  for (const text of ['نیل\u200cآرا', 'ක්\u200dෂ', '👩\u200d💻 ❤\ufe0f', 'ABC\u200f 12', '葛\u{e0100}'])
    expect(removeInvisible(text)).toBe(text)
})
