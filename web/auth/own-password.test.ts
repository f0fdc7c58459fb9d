import { afterEach, expect, test, vi } from 'vitest'
import { forgetOwnPassword, isOwnPassword, mayBeOwnPassword } from './own-password.ts'
import { rememberOwnPassword } from './remember-own-password.ts'

const signInAs = (uid: string) =>
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ uid, email: 'me@example.com' }) })

afterEach(() => {
  forgetOwnPassword()
  vi.unstubAllGlobals()
})

test('the password of the signed-in account is recognized, and no other, until it is forgotten', async () => {
  signInAs('me')
  expect(await isOwnPassword('analytical engine')).toBe(false)
  await rememberOwnPassword('analytical engine')
  expect(await isOwnPassword('analytical engine')).toBe(true)
  for (const other of ['analytical engin', 'Analytical engine', 'analytical engine ', ''])
    expect(await isOwnPassword(other)).toBe(false)
  await rememberOwnPassword('difference engine')
  expect(await isOwnPassword('analytical engine')).toBe(false)
  forgetOwnPassword()
  expect(await isOwnPassword('difference engine')).toBe(false)
})

test('it is not the password of an account that has signed in since', async () => {
  signInAs('me')
  await rememberOwnPassword('analytical engine')
  signInAs('another')
  expect(await isOwnPassword('analytical engine')).toBe(false)
})

test('hardly any other text is hashed slowly', async () => {
  signInAs('me')
  await rememberOwnPassword('analytical engine')
  const texts = Array.from({ length: 5_000 }, (_, i) => `password ${i}`)
  expect(texts.filter(mayBeOwnPassword).length).toBeLessThan(100)
})

test('without WebCrypto, as on plain HTTP, nothing is remembered', async () => {
  signInAs('me')
  vi.stubGlobal('crypto', {})
  await rememberOwnPassword('analytical engine')
  expect(mayBeOwnPassword('analytical engine')).toBe(false)
})
