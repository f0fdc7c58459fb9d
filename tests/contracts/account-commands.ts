import { expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { toPublicId } from '../../server/storage/storage.ts'
import { type Authenticator, addPasskey, createAuthenticator, publicUrl } from '../support/authenticator.ts'
import { runCommandHere } from '../support/faults/command-line.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { password } from '../support/http-client.ts'

/** The commands for accounts, on any database. `environment` names it. */
export function accountCommandsTest(environment: () => Record<string, string>): void {
  it('manages accounts before the first start, and while the server runs and sign-up is closed', async () => {
    const staffbook = (args: string[], input = '') =>
      runCommandHere(args, { input, environment: environment() })
    const email = 'ada@example.com'
    expect((await staffbook(['account', 'add', email], `${password}\n`)).failure).toBe('')
    const settings = { SIGN_UP: 'closed', PUBLIC_URL: publicUrl.origin }
    const server = await startServerProcess({ ...environment(), ...settings })
    const client = server.connect()
    const signIn = async (password: string) => (await client.post(paths.session, { email, password })).status
    const expectSignedOut = () => expect.poll(async () => (await client.list()).status).toBe(401)
    expect((await client.signUp('eve@example.com')).body.code).toBe('sign-up-closed')
    expect(await signIn(password)).toBe(200)
    const stream = await client.openChangeStream()

    const listed = await staffbook(['--json', 'account', 'list'])
    expect(listed.json()).toEqual([
      { uid: expect.any(String), email, createdAt: expect.any(String), hasPassword: true, sessions: 1 },
    ])
    expect(listed.out).not.toContain('argon2')
    expect((await staffbook(['account', 'disconnect', email])).err).toMatch(/Nobody signs in to/)
    expect((await staffbook(['sso', 'check'])).err).toMatch(/OIDC_ISSUER is not set/)
    expect((await staffbook(['account', 'revoke-sessions', 'ADA@example.com'])).out).toBe(
      'Sessions of ada@example.com ended: 1.',
    )
    expect(await stream.next()).toBeUndefined()
    await expectSignedOut()

    await signIn(password)
    const next = 'a new and good one'
    expect((await staffbook(['account', 'reset-password', email], next)).failure).toBe('')
    await expectSignedOut()
    expect([await signIn(password), await signIn(next)]).toEqual([401, 200])

    const { out: link } = await staffbook(['account', 'reset-link', email, '--url', server.url])
    const token = link.slice(`${server.url}/signin#reset=`.length)
    const reset = { token, newPassword: 'yet another good one' }
    expect((await client.post(paths.passwordReset, reset)).status).toBe(204)
    expect((await client.post(paths.passwordReset, reset)).status).toBe(410)
    expect((await staffbook(['account', 'reset-link', 'eve@example.com'])).err).toMatch(/There is no account/)
    expect(await signIn(reset.newPassword)).toBe(200)

    expect((await staffbook(['account', 'add', 'eve@example.com'], `${password}\n`)).failure).toBe('')
    const eve = server.connect()
    await eve.signIn('eve@example.com')
    const uid = await client.uid()
    expect((await eve.put(paths.accountRemoval(uid), { password })).status).toBe(204)
    expect(await signIn(reset.newPassword)).toBe(403)
    expect((await staffbook(['account', 'let-in', email])).out).toBe(`${email} can sign in again.`)
    expect((await staffbook(['account', 'let-in', email])).err).toMatch(/has an account/)
    expect(await signIn(reset.newPassword)).toBe(200)

    const passkeys = () => staffbook(['--json', 'account', 'passkeys', email])
    expect((await passkeys()).json()).toEqual({ email, passkeys: [], removed: false })
    const keys = [createHyphenatedAuthenticator(), createAuthenticator()]
    await client.post(paths.session, { email, password: reset.newPassword })
    for (const key of keys) await addPasskey(client, key, 'Laptop', reset.newPassword)
    const [first, second] = (await passkeys()).json().passkeys
    const info = { id: expect.any(String), name: 'Laptop', createdAt: expect.any(String), isBackedUp: false }
    expect([first, second]).toEqual([info, info])
    expect((await staffbook(['account', 'passkeys', email, 'x'])).err).toMatch(/has no passkey x/)
    const removed = await staffbook(['account', 'passkeys', email, first.id, '--remove'])
    expect(removed.out).toBe(`Passkeys of ${email} removed: 1.\n${first.id}  ${first.createdAt}  Laptop`)
    expect((await passkeys()).json().passkeys).toEqual([second])

    expect((await staffbook(['account', 'remove', email])).failure).toBe('')
    await expectSignedOut()
  })
}

/** The id that the commands print for its passkey looks like an option: it begins with a hyphen, as one id of 64 does. */
function createHyphenatedAuthenticator(): Authenticator {
  const created = createAuthenticator()
  return toPublicId(created.id).startsWith('-') ? created : createHyphenatedAuthenticator()
}
