import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newCredentials, type TestBackend } from '../support/backend-client.ts'

/** What every identity service promises the page; each adapter runs it against its real backend. */
export function identitySuite(name: string, start: () => Promise<TestBackend>) {
  describe(`identity service: ${name}`, () => {
    let backend: TestBackend
    beforeAll(async () => {
      backend = await start()
    })
    afterAll(() => backend.stop())

    test('7 create account, then sign in: the user, with uid and email', async () => {
      const { identity } = await backend.connect()
      const { email, password } = newCredentials()
      const created = await identity.createAccount(email, password)
      expect(created.email).toBe(email)
      const user = await identity.signIn(email, password)
      expect(user.email).toBe(email)
      expect(user.uid).toBe(created.uid)
      expect(user.uid).not.toBe('')
    })

    test('3 the user object carries neither the password nor a token', async () => {
      const { identity } = await backend.connect()
      const { email, password } = newCredentials()
      await identity.createAccount(email, password)
      const kept = JSON.stringify(await identity.signIn(email, password))
      expect(kept).not.toContain(password)
      expect(kept).not.toMatch(/token|apiKey|hash/i)
    })

    test('8 sign-up with an email that has an account, in whatever case: account-exists', async () => {
      const { identity } = await backend.connect()
      const { email, password } = newCredentials()
      await identity.createAccount(email, password)
      await expect(identity.createAccount(email.toUpperCase(), password)).rejects.toMatchObject({
        code: 'account-exists',
      })
    })

    test.each([
      ['invalid-email', 'not an address', 'long enough'],
      ['invalid-email', '', 'long enough'],
      ['weak-password', 'weak@example.com', 'short'],
      ['weak-password', 'weak@example.com', ''],
      ['weak-password', 'weak@example.com', 'Staffbook2026'],
    ])('5 sign-up is refused with %s for "%s" and "%s"', async (code, email, password) => {
      const { identity } = await backend.connect()
      await expect(identity.createAccount(email, password)).rejects.toMatchObject({ code })
    })

    test('8 a wrong password and an unknown account fail alike', async () => {
      const { identity } = await backend.connect()
      const { email, password } = newCredentials()
      await identity.createAccount(email, password)
      const wrong = await identity.signIn(email, 'not the password').catch((error) => error)
      const unknown = await identity.signIn(`no-${email}`, password).catch((error) => error)
      expect(wrong).toMatchObject({ name: 'ServiceError', code: 'invalid-credentials' })
      expect({ code: unknown.code, message: unknown.message }).toEqual({
        code: wrong.code,
        message: wrong.message,
      })
    })

    test('8 an error has words for a person, and says nothing of the machinery', async () => {
      const { identity } = await backend.connect()
      const error = await identity.signIn('nobody@example.com', 'whatever it is').catch((error) => error)
      expect(error.message).toMatch(/^[A-Z].*\.$/)
      expect(error.message).not.toMatch(/firebase|auth\/|http|fetch/i)
    })

    test('7 sign out: the records are closed, and signing in opens them again', async () => {
      const { identity, documents } = await backend.connect()
      const { email, password } = newCredentials()
      await identity.createAccount(email, password)
      await identity.signIn(email, password)
      await documents.list()
      await identity.signOut()
      await expect(documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
      await identity.signIn(email, password)
      await expect(documents.list()).resolves.toBeInstanceOf(Array)
    })

    test('a new password takes the place of the old one, and the session goes on', async () => {
      const { identity, documents } = await backend.connect()
      const { email, password } = newCredentials()
      await identity.createAccount(email, password)
      await identity.signIn(email, password)
      const newPassword = `${password}, and another`
      await identity.changePassword(password, newPassword)
      await expect(documents.list()).resolves.toBeInstanceOf(Array)
      await identity.signOut()
      await expect(identity.signIn(email, password)).rejects.toMatchObject({ code: 'invalid-credentials' })
      await expect(identity.signIn(email, newPassword)).resolves.toMatchObject({ email })
    })

    test.each([
      ['a wrong present one', 'not the password', 'another good one', 'invalid-credentials', 'password'],
      ['a weak new one', '', 'short', 'weak-password', 'newPassword'],
      ['a new one that everybody guesses', '', 'Staffbook2026', 'weak-password', 'newPassword'],
    ])(
      'a new password is refused with %s, and the field is named',
      async (_, wrong, newPassword, code, field) => {
        const { identity } = await backend.connect()
        const { email, password } = newCredentials()
        await identity.createAccount(email, password)
        await identity.signIn(email, password)
        await expect(identity.changePassword(wrong || password, newPassword)).rejects.toMatchObject({
          code,
          field,
        })
        await identity.signOut()
        await expect(identity.changePassword(password, 'another good one')).rejects.toMatchObject({
          code: 'not-signed-in',
        })
        await expect(identity.signIn(email, password)).resolves.toMatchObject({ email })
      },
    )

    test('8 without a network, each call fails as offline', async () => {
      const client = await backend.connect()
      const { email, password } = newCredentials()
      await client.identity.createAccount(email, password)
      await client.cutNetwork()
      await expect(client.identity.createAccount(`x${email}`, password)).rejects.toMatchObject({
        code: 'offline',
      })
      await expect(client.identity.signIn(email, password)).rejects.toMatchObject({ code: 'offline' })
      await client.restoreNetwork()
      await expect(client.identity.signIn(email, password)).resolves.toMatchObject({ email })
    })
  })
}
