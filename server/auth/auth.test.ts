import { describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { password } from '../../tests/support/http-client.ts'
import { provideServer } from '../../tests/support/provide-server.ts'

describe('protocol: identity', () => {
  const server = provideServer()

  it('POST accounts returns 201 and the user without secrets', async () => {
    const client = server.connect()
    const { status, body, headers } = await client.signUp('Ada.L@Example.com')
    expect(status).toBe(201)
    expect(body).toEqual({
      uid: expect.any(String),
      email: 'Ada.L@Example.com',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('POST accounts refuses an email that is in use, ignoring case', async () => {
    const client = server.connect()
    await client.signUp('taken@example.com')
    const { status, body } = await client.signUp(' TAKEN@example.COM ')
    expect([status, body.code, body.field]).toEqual([409, 'account-exists', 'email'])
  })

  it.each(['ada', 'a@', '@b', 'a b@c', 'a@b@c', 'e\0@b.c', '', `${'x'.repeat(251)}@b.c`])(
    'POST accounts refuses the email "%s"',
    async (email) => {
      const { status, body } = await server.connect().signUp(email)
      expect([status, body.code, body.field]).toEqual([400, 'invalid-email', 'email'])
    },
  )

  it.each([
    ['seven characters', 'p4$$wör'],
    ['129 characters', 'x'.repeat(129)],
    ['seven characters that are two code units each', '🔑🐘🚀🌋🥝🎺🧊'],
    ['eight letters that are seven once composed', 'p4$$wo\u0308r'],
  ])('POST accounts refuses a password of %s', async (_, password) => {
    const account = { email: 'weak@example.com', password }
    const { status, body } = await server.connect().post(paths.accounts, account)
    expect([status, body.code, body.field]).toEqual([400, 'weak-password', 'password'])
  })

  it('POST accounts accepts passwords of 8 to 128 characters in any script, and sign-in in any normalization form', async () => {
    const client = server.connect()
    const passwords = ['пароль-мой', '🔑🐘🚀🌋🥝🎺🧊🪁', `longest ${'xy'.repeat(60)}`, 'Zoe\u0308 und Zoë']
    for (const [i, password] of passwords.entries()) {
      const email = `script${i}@example.com`
      expect((await client.post(paths.accounts, { email, password })).status).toBe(201)
      const otherForm = { email, password: password.normalize('NFD') }
      expect((await client.post(paths.session, otherForm)).status).toBe(200)
    }
  })

  it('POST session returns the user and an HttpOnly, SameSite=Strict cookie', async () => {
    const client = server.connect()
    const { body: user } = await client.signUp('cookie@example.com')
    const { status, body, headers } = await client.signIn('COOKIE@example.com')
    expect([status, body]).toEqual([200, user])
    expect(headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  it('POST session creates a new session and ends the one in the request', async () => {
    const client = await server.signIn('fresh@example.com')
    const before = client.cookie
    await client.signIn('fresh@example.com')
    expect(client.cookie).not.toBe(before)
    expect((await client.get(paths.session)).status).toBe(200)
    expect((await server.connect(before).get(paths.session)).status).toBe(401)
  })

  it('GET session returns the user, or 401 without a session', async () => {
    const client = await server.signIn('me@example.com')
    const { status, body } = await client.get(paths.session)
    expect([status, body.email]).toEqual([200, 'me@example.com'])
    const anonymous = await server.connect().get(paths.session)
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'not-signed-in'])
  })

  it('DELETE session ends only this session, immediately, and clears the cookie', async () => {
    const here = await server.signIn('two@example.com')
    const there = await server.signIn('two@example.com')
    const { cookie } = here
    const { status, headers } = await here.delete(paths.session)
    expect(status).toBe(204)
    expect(headers.get('set-cookie')).toMatch(/^session=; Max-Age=0;/)
    expect((await server.connect(cookie).get(paths.session)).status).toBe(401)
    expect((await there.get(paths.session)).status).toBe(200)
    expect((await server.connect().delete(paths.session)).status).toBe(204)
  })

  it('stores neither passwords nor tokens in plain text', async () => {
    const client = await server.signIn('stored@example.com')
    const account = await server.storage.accounts.findByEmailKey('stored@example.com')
    expect(account?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/)
    const sessions = await server.storage.sessions.listByAccount(account?.uid as string)
    expect(JSON.stringify([account, sessions])).not.toContain(password)
    expect(JSON.stringify(sessions)).not.toContain(client.cookie.split('=')[1])
  })

  it.each([
    ['no password', { email: 'a@b' }, 'password'],
    ['a further field', { email: 'a@b', password, admin: true }, 'admin'],
    ['a number', { email: 5, password }, 'email'],
    ['too long a password', { email: 'a@b', password: 'x'.repeat(1001) }, 'password'],
  ])('a body with %s returns 400 and names the field', async (_, credentials, field) => {
    for (const path of [paths.accounts, paths.session]) {
      const { status, body } = await server.connect().post(path, credentials)
      expect([status, body.code, body.field]).toEqual([400, 'invalid-request', field])
    }
  })
})
