import { describe, expect, test } from 'vitest'
import type { TeamService } from '../../web/backends/ports.ts'
import { newCredentials, type TestBackend } from '../support/backend-client.ts'
import { listen, provideBackend } from './documents-suite.ts'

/** The contract of `IdentityService`. Every adapter runs it against its real backend. */
export function identitySuite(name: string, start: () => Promise<TestBackend>) {
  describe(`identity service: ${name}`, () => {
    const backend = provideBackend(start)

    /** Connects a client, and creates an account. */
    async function connectNew() {
      const [client, credentials] = [await backend.connect(), newCredentials()]
      const created = await client.identity.createAccount(credentials.email, credentials.password)
      return { ...client, ...credentials, created }
    }

    test('creating an account and signing in return the user with uid and email (§7)', async () => {
      const { identity, created, email, password } = await connectNew()
      const user = await identity.signIn(email, password)
      expect([created.email, user.email, user.uid]).toEqual([email, email, created.uid])
      expect(user.uid).not.toBe('')
    })

    test('the user object contains neither the password nor a token (§3)', async () => {
      const { identity, email, password } = await connectNew()
      const { uid: _random, ...user } = await identity.signIn(email, password)
      expect(JSON.stringify(user)).not.toContain(password)
      expect(JSON.stringify(user)).not.toMatch(/token|apiKey|hash/i)
    })

    test('sign-up with the email of an existing account, in any letter case, rejects with account-exists (§8)', async () => {
      const { identity, email, password } = await connectNew()
      const again = identity.createAccount(email.toUpperCase(), password)
      await expect(again).rejects.toMatchObject({ code: 'account-exists' })
    })

    test.each([
      ['k', '\u212a'],
      ['i', '\u0130'],
      ['i', '\u0131'],
    ])(
      'of an email with %s, one with %s creates no account, and signs in to no other',
      async (ours, theirs) => {
        const { identity } = await backend.connect()
        const { email, password } = newCredentials()
        const { uid } = await identity.createAccount(`${ours}${email}`, password)
        const imitation = identity.createAccount(`${theirs}${email}`, password)
        await expect(imitation).rejects.toMatchObject({ code: 'invalid-email' })
        const signedIn = await identity
          .signIn(`${theirs}${email}`, password)
          .catch(({ code }) => ({ uid: code }))
        expect([uid, 'invalid-credentials']).toContain(signedIn.uid)
      },
    )

    test.each([
      ['invalid-email', 'not an address', 'long enough'],
      ['invalid-email', '', 'long enough'],
      ['weak-password', 'weak@example.com', 'short'],
      ['weak-password', 'weak@example.com', ''],
      ['weak-password', 'weak@example.com', 'Staffbook2026'],
    ])('sign-up rejects with %s the email "%s" and the password "%s" (§5)', async (code, email, password) => {
      const { identity } = await backend.connect()
      await expect(identity.createAccount(email, password)).rejects.toMatchObject({ code })
    })

    test('a wrong password and an unknown account produce the same error, a sentence without technical terms (§8)', async () => {
      const { identity, email, password } = await connectNew()
      const wrong = await identity.signIn(email, 'not the password').catch((error) => error)
      const unknown = await identity.signIn(`no-${email}`, password).catch((error) => error)
      expect(wrong).toMatchObject({ name: 'ServiceError', code: 'invalid-credentials' })
      expect([unknown.code, unknown.message]).toEqual([wrong.code, wrong.message])
      expect(wrong.message).toMatch(/^[A-Z].*\.$/)
      expect(wrong.message).not.toMatch(/firebase|auth\/|http|fetch/i)
    })

    test('signing out blocks access to the records until the next sign-in (§7)', async () => {
      const { identity, documents, email, password } = await connectNew()
      await identity.signIn(email, password)
      await documents.list()
      await identity.signOut()
      await expect(documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
      await identity.signIn(email, password)
      await expect(documents.list()).resolves.toBeInstanceOf(Array)
    })

    test('changing the password keeps the session and invalidates the old password', async () => {
      const { identity, documents, email, password } = await connectNew()
      await identity.signIn(email, password)
      const newPassword = `${password}, and another`
      await identity.changePassword(password, newPassword)
      await expect(documents.list()).resolves.toBeInstanceOf(Array)
      await identity.signOut()
      await expect(identity.signIn(email, password)).rejects.toMatchObject({ code: 'invalid-credentials' })
      await expect(identity.signIn(email, newPassword)).resolves.toMatchObject({ email })
    })

    test.each([
      ['a wrong current password', 'not the password', 'another good one', 'invalid-credentials', 'password'],
      ['a weak new password', '', 'short', 'weak-password', 'newPassword'],
      ['a common new password', '', 'Staffbook2026', 'weak-password', 'newPassword'],
    ])('changing the password rejects %s and names the field', async (_, wrong, newPassword, code, field) => {
      const { identity, email, password } = await connectNew()
      await identity.signIn(email, password)
      const change = (current: string, next: string) => identity.changePassword(current, next)
      await expect(change(wrong || password, newPassword)).rejects.toMatchObject({ code, field })
      await identity.signOut()
      await expect(change(password, 'another good one')).rejects.toMatchObject({ code: 'not-signed-in' })
      await expect(identity.signIn(email, password)).resolves.toMatchObject({ email })
    })

    test('without a network every call rejects with offline (§8)', async () => {
      const { identity, email, password, cutNetwork, restoreNetwork } = await connectNew()
      await cutNetwork()
      const offline = { code: 'offline' }
      await expect(identity.createAccount(`x${email}`, password)).rejects.toMatchObject(offline)
      await expect(identity.signIn(email, password)).rejects.toMatchObject(offline)
      await restoreNetwork()
      await expect(identity.signIn(email, password)).resolves.toMatchObject({ email })
    })
  })
}

/** The optional parts of `IdentityService` that adapters of our own server have. */
export function optionalIdentitySuite(name: string, start: () => Promise<TestBackend>) {
  describe(`identity service, optional parts: ${name}`, () => {
    const backend = provideBackend(start)

    test('the policy tells without a session who may create an account', async () => {
      const { identity } = await backend.connect()
      expect(await identity.policy?.()).toEqual({ signUp: 'open' })
    })

    test('lists all accounts with when they were last seen, also after signing out, to those who are signed in', async () => {
      const [mine, theirs] = [await backend.connect(), await backend.connect()]
      const [me, them, newcomer] = [newCredentials(), newCredentials(), newCredentials()]
      for (const { email, password } of [me, them]) await mine.identity.createAccount(email, password)
      const { uid: id } = await mine.identity.createAccount(newcomer.email, newcomer.password)
      await theirs.identity.signIn(them.email, them.password)
      await theirs.identity.signOut()
      const { team } = mine.identity
      await expect(team?.listColleagues()).rejects.toMatchObject({ code: 'not-signed-in' })
      await mine.identity.signIn(me.email, me.password)
      const listed = (await team?.listColleagues()) ?? []
      const find = (email: string) => listed.find((colleague) => colleague.email === email)
      for (const { email } of [me, them]) {
        const { createdAt = '', lastSeenAt = '' } = find(email) ?? {}
        expect(lastSeenAt >= createdAt && createdAt !== '').toBe(true)
      }
      expect(find(newcomer.email)).toEqual({ id, email: newcomer.email, createdAt: expect.any(String) })
    })

    test('lists the sessions of the account, and ends one or all others', async () => {
      const [here, there, third] = [await backend.connect(), await backend.connect(), await backend.connect()]
      const { email, password } = newCredentials()
      await here.identity.createAccount(email, password)
      for (const { identity } of [here, there, third]) await identity.signIn(email, password)
      const listed = await here.identity.sessions?.list()
      expect(listed?.map(({ current }) => current).sort()).toEqual([false, false, true])
      expect(new Set(listed?.map(({ id }) => id)).size).toBe(3)
      const theirs = (await there.identity.sessions?.list())?.find(({ current }) => current)
      const { received } = await listen(there)
      await here.identity.sessions?.end(theirs?.id ?? '')
      await expect.poll(() => received.ended).toBe(true)
      await here.identity.sessions?.end(theirs?.id ?? '')
      expect(await here.identity.sessions?.list()).toHaveLength(2)
      await here.identity.sessions?.endOthers()
      await expect(third.documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
      expect(await here.identity.sessions?.list()).toMatchObject([{ current: true }])
      await expect(here.documents.list()).resolves.toBeInstanceOf(Array)
    })
  })
}

/** Invitations, on a service where only invited people may sign up. `invite` makes the first one, and returns its token. */
export function invitationsSuite(
  name: string,
  start: () => Promise<TestBackend & { invite(): Promise<string> }>,
) {
  describe(`identity service, invitations: ${name}`, () => {
    const backend = provideBackend(start)

    async function connectInvited() {
      const client = await backend.connect()
      const { email, password } = newCredentials()
      await client.identity.createAccount(email, password, await backend.invite())
      await client.identity.signIn(email, password)
      return { ...client, email, invitations: client.identity.team as TeamService }
    }

    test('the policy tells that only invited people may sign up, and nobody else can', async () => {
      const { identity } = await backend.connect()
      expect(await identity.policy?.()).toEqual({ signUp: 'invited' })
      const { email, password } = newCredentials()
      await expect(identity.createAccount(email, password)).rejects.toMatchObject({ code: 'sign-up-closed' })
    })

    test('a link for an email tells it, and creates one account, with no other email', async () => {
      const { email: invitedBy, invitations } = await connectInvited()
      const [{ email, password }, other] = [newCredentials(), newCredentials()]
      const { id, token, expiresAt } = await invitations.createInvitation(email)
      expect(await invitations.listInvitations()).toContainEqual({ id, email, expiresAt, invitedBy })
      const { identity } = await backend.connect()
      expect(await identity.team?.checkInvitation(token)).toEqual({ email })
      const creating = identity.createAccount(other.email, other.password, token)
      await expect(creating).rejects.toMatchObject({ code: 'invalid-email' })
      expect(await identity.createAccount(email, password, token)).toMatchObject({ email })
      const checking = identity.team?.checkInvitation(token)
      await expect(checking).rejects.toMatchObject({ code: 'invalid-link' })
      expect((await invitations.listInvitations()).map((invitation) => invitation.id)).not.toContain(id)
    })

    test('a revoked link creates no account, and revoking it again does nothing', async () => {
      const [mine, theirs] = [await connectInvited(), await connectInvited()]
      const { id, token } = await mine.invitations.createInvitation()
      await theirs.invitations.revokeInvitation(id)
      await mine.invitations.revokeInvitation(id)
      await expect(mine.invitations.checkInvitation(token)).rejects.toMatchObject({ code: 'invalid-link' })
    })
  })
}
