import { describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { password, refusal } from '../../tests/support/http-client.ts'
import { provideServer } from '../../tests/support/provide-server.ts'

describe('protocol: identity', () => {
  const server = provideServer()

  it('POST accounts returns 201 and the user without secrets', async () => {
    const { status, body, headers } = await server.connect().signUp('Ada.L@Example.com')
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect([status, body]).toEqual([201, { uid: expect.any(String), email: 'Ada.L@Example.com', createdAt }])
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('POST accounts refuses an email that is in use, ignoring case', async () => {
    await server.connect().signUp('taken@example.com')
    const again = await server.connect().signUp(' TAKEN@example.COM ')
    expect(again).toMatchObject(refusal(409, 'account-exists', 'email'))
  })

  it.each(['ada', 'a@', '@b', 'a b@c', 'a@b@c', 'e\0@b.c', '', `${'x'.repeat(251)}@b.c`])(
    'POST accounts refuses the email "%s"',
    async (email) => {
      expect(await server.connect().signUp(email)).toMatchObject(refusal(400, 'invalid-email', 'email'))
    },
  )

  it.each([
    ['seven characters', 'p4$$wör'],
    ['129 characters', 'x'.repeat(129)],
    ['seven characters that are two code units each', '🔑🐘🚀🌋🥝🎺🧊'],
    ['eight letters that are seven once composed', 'p4$$wo\u0308r'],
  ])('POST accounts refuses a password of %s', async (_, password) => {
    const response = await server.connect().signUp('weak@example.com', password)
    expect(response).toMatchObject(refusal(400, 'weak-password', 'password'))
  })

  it('POST accounts accepts passwords of 8 to 128 characters in any script, and sign-in in any normalization form', async () => {
    const client = server.connect()
    const passwords = ['пароль-мой', '🔑🐘🚀🌋🥝🎺🧊🪁', `longest ${'xy'.repeat(60)}`, 'Zoe\u0308 und Zoë']
    for (const [i, password] of passwords.entries()) {
      expect((await client.signUp(`script${i}@example.com`, password)).status).toBe(201)
      const signedIn = await client.signIn(`script${i}@example.com`, password.normalize('NFD'))
      expect(signedIn.status).toBe(200)
    }
  })

  it('POST session returns the user and an HttpOnly, SameSite=Strict cookie; GET returns the user', async () => {
    const client = server.connect()
    const { body: user } = await client.signUp('cookie@example.com')
    const { status, body, headers } = await client.signIn('COOKIE@example.com')
    expect([status, body]).toEqual([200, user])
    expect(headers.get('set-cookie')).toMatch(
      /^session-[\w-]{8}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(await client.get(paths.session)).toMatchObject({ status: 200, body: user })
  })

  it('POST session creates a new session and ends the one in the request', async () => {
    const client = await server.signIn('fresh@example.com')
    const before = client.cookie
    await client.signIn('fresh@example.com')
    expect(client.cookie).not.toBe(before)
    expect((await client.get(paths.session)).status).toBe(200)
    const ended = await server.connect(before).get(paths.session)
    expect(ended).toMatchObject(refusal(401, 'not-signed-in'))
  })

  it('DELETE session ends only this session, immediately, and clears the cookie', async () => {
    const here = await server.signIn('two@example.com')
    const there = await server.signIn('two@example.com')
    const { cookie } = here
    const { status, headers } = await here.delete(paths.session)
    expect([status, headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^session-[\w-]{8}=; Max-Age=0;/),
    ])
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
    for (const path of [paths.accounts, paths.session])
      expect(await server.connect().post(path, credentials)).toMatchObject(
        refusal(400, 'invalid-request', field),
      )
  })
})
