import { readFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { afterAll, describe, expect, it, test } from 'vitest'
import { passwordLength } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { password } from '../../tests/support/http-client.ts'
import { provideServer } from '../../tests/support/provide-server.ts'
import { cheapHashCost, startTestServer } from '../../tests/support/server.ts'
import { createPasswordHasher } from './password-hash.ts'
import { createPasswordPool } from './password-pool.ts'

const pool = createPasswordPool({ maxConcurrent: 1, maxWaiting: 2 })
afterAll(() => pool.close())

describe('security: passwords', () => {
  it('are stored as argon2id at the recommended cost with a unique salt', async () => {
    const hasher = createPasswordHasher(pool)
    const [one, other] = [await hasher.hash(password), await hasher.hash(password)]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).not.toBe(one)
    expect(await hasher.verify(password, one)).toBe(true)
    expect(await hasher.verify(`${password}x`, one)).toBe(false)
  })

  it('are hashed again at sign-in if their hash has another cost, without ending sessions', async () => {
    const server = await startTestServer()
    const { accounts } = server.storage
    const client = server.connect()
    const { uid } = (await client.signUp('ada@example.com')).body
    await client.signIn('ada@example.com')
    const outdated = await createPasswordHasher(pool, { memory: 128, passes: 2 }).hash(password)
    await accounts.setPasswordHash(uid, outdated)
    const storedHash = async () => (await accounts.findByEmailKey('ada@example.com'))?.passwordHash
    expect((await client.signIn('ada@example.com', 'a wrong guess')).status).toBe(401)
    expect(await storedHash()).toBe(outdated)
    const others = Array.from({ length: 5 }, () => server.connect())
    for (const { status } of await Promise.all(others.map((other) => other.signIn('ada@example.com'))))
      expect(status).toBe(200)
    expect(await storedHash()).toContain(`$m=${cheapHashCost.memory},t=${cheapHashCost.passes},`)
    for (const { call } of [client, ...others]) expect((await call('GET', paths.session)).status).toBe(200)
    expect((await client.signIn('ada@example.com')).status).toBe(200)
  })

  it('do not let in a sign-in whose password is replaced while its hash is renewed', async () => {
    const server = await startTestServer()
    const { accounts } = server.storage
    const client = server.connect()
    const { uid } = (await client.signUp('ada@example.com')).body
    const hasher = createPasswordHasher(pool, { memory: 128, passes: 2 })
    await accounts.setPasswordHash(uid, await hasher.hash(password))
    const { setPasswordHash } = accounts
    accounts.setPasswordHash = async (...args) => {
      await setPasswordHash(uid, await hasher.hash('a new and good one'))
      return setPasswordHash(...args)
    }
    expect((await client.signIn('ada@example.com')).status).toBe(401)
    accounts.setPasswordHash = setPasswordHash
  })

  describe('at sign-up', () => {
    const server = provideServer()

    it.each([
      ['Password123', /too common/],
      ['iloveyou1', /too common/],
      ['Grace.Hopper', /isn’t your email/],
      ['grace.hopper@example.com', /isn’t your email/],
      ['staffbook', /name of this product/],
      ['Staffbook1', /name of this product/],
      ['2026-STAFFBOOK!', /name of this product/],
      ['staffbookStaffbook', /name of this product/],
      ['staffbook on the quay', /^$/],
    ])('%s is refused with a reason, unless it has enough other characters', async (password, reason) => {
      const { body } = await server.connect().signUp('grace.hopper@example.com', password)
      const { code, field, message = '' } = body
      expect([code, field]).toEqual(message ? ['weak-password', 'password'] : [undefined, undefined])
      expect(message).toMatch(reason)
    })
  })
})

test('common-passwords.txt is the list of @zxcvbn-ts/language-common, without those that are too short', () => {
  const expected = dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min)
  const file = readFileSync(new URL('../../contract/common-passwords.txt', import.meta.url), 'utf8')
  expect(file.trimEnd().split(/\r?\n/)).toEqual(expected)
})
