import { describe, expect, it } from 'vitest'
import type { Colleague, SignUpPolicy } from '../../../contract/accounts.ts'
import { linkTtlMs } from '../../../contract/links.ts'
import { paths } from '../../../contract/protocol.ts'
import { password, refusal } from '../../../tests/support/http-client.ts'
import { provideScenario } from '../../../tests/support/provide-server.ts'
import { startTestServer } from '../../../tests/support/server.ts'
import { defaultThrottleLimits } from '../throttle.ts'

describe('security: invitations', () => {
  const { server, ada, log, clock } = provideScenario({ signUp: 'invited' })

  const signUp = (email: string, invitation?: string) => server.connect().signUp(email, password, invitation)
  const invite = async (email?: string) =>
    (await ada.post(paths.invitations, email === undefined ? {} : { email })).body
  const check = (token: string) => server.connect().post(paths.invitationCheck, { token })
  const removeAccount = async (email: string) => {
    const account = await server.storage.accounts.findByEmailKey(email)
    await server.storage.accounts.remove(account?.uid ?? '')
  }

  it('lets one person in for 7 days, who can then invite the next', async () => {
    const { token, id, expiresAt } = await invite()
    expect(new Date(expiresAt).getTime()).toBe(clock.now + 7 * 24 * 60 * 60 * 1000)
    const { invitations } = (await ada.get(paths.invitations)).body
    expect(invitations).toEqual([{ id, expiresAt, invitedBy: 'ada@example.com' }])
    clock.now += linkTtlMs.invitation - 1
    expect(await check(token)).toMatchObject({ status: 200, body: {} })
    expect((await signUp('bob@example.com', token)).status).toBe(201)
    expect(await signUp('eve@example.com', token)).toMatchObject(refusal(410, 'invalid-link'))
    const bob = server.connect()
    await bob.signIn('bob@example.com')
    expect((await bob.post(paths.invitations, {})).status).toBe(201)
  })

  it('for an email works in any letter case of it, and is refused for one that has an account', async () => {
    const { token } = await invite(' Bob@Example.com ')
    expect((await check(token)).body).toEqual({ email: 'Bob@Example.com' })
    expect((await signUp('bob@example.com', token)).status).toBe(201)
    expect(await invite('ADA@example.com')).toMatchObject({ code: 'account-exists', field: 'email' })
    for (const email of ['nonsense', ' '])
      expect(await invite(email)).toMatchObject({ code: 'invalid-email', field: 'email' })
  })

  it('is shown to everyone with the account that it has created, also after its maker has left', async () => {
    await signUp('bob@example.com', (await invite('bob@example.com')).token)
    await signUp('eve@example.com', (await invite()).token)
    const eve = server.connect()
    await eve.signIn('eve@example.com')
    await removeAccount('ada@example.com')
    const by = 'ada@example.com'
    const { accounts } = (await eve.get(paths.accounts)).body
    const shown = accounts.map((each: Colleague) => [each.email, each.invitation])
    expect(Object.fromEntries(shown)).toEqual({
      'bob@example.com': { by, anyEmail: false },
      'eve@example.com': { by, anyEmail: true },
      'ada@example.com': { anyEmail: false },
    })
  })

  it('is not used up by a sign-up that fails', async () => {
    const { token } = await invite()
    const weak = await server.connect().signUp('bob@example.com', 'short', token)
    expect(weak).toMatchObject(refusal(400, 'weak-password'))
    expect(await signUp('ada@example.com', token)).toMatchObject(refusal(409, 'account-exists'))
    expect((await signUp('bob@example.com', token)).status).toBe(201)
  })

  it('responds identically to a link that is unknown, expired, revoked, used, or of a removed account', async () => {
    const bob = await server.signIn('bob@example.com')
    const orphaned = (await bob.post(paths.invitations, {})).body
    const [used, expired, revoked] = [await invite(), await invite(), await invite()]
    await signUp('carol@example.com', used.token)
    // Anyone who is signed in may revoke it.
    for (const status of [204, 404])
      expect((await bob.delete(paths.invitationById(revoked.id))).status).toBe(status)
    await removeAccount('bob@example.com')
    const bodies = new Set<string>()
    for (const { token } of [used, revoked, orphaned, { token: 'x' }, { token: used.id }]) {
      for (const response of [await check(token), await signUp('eve@example.com', token)]) {
        expect(response.status).toBe(410)
        bodies.add(JSON.stringify(response.body))
      }
    }
    clock.now += linkTtlMs.invitation
    expect((await check(expired.token)).status).toBe(410)
    bodies.add(JSON.stringify((await signUp('eve@example.com', expired.token)).body))
    expect(bodies.size).toBe(1)
  })

  it('is neither stored nor logged in plain text, nor is the email it is for', async () => {
    const { token } = await invite('bob@example.com')
    await check(token)
    await check(`${token}x`)
    await signUp('bob@example.com', token)
    const { token: open } = await invite()
    const [stored] = await server.storage.links.listInvitations(clock.now)
    expect(JSON.stringify(stored)).not.toContain(open)
    expect(log()).toContain('invitation created')
    for (const secret of [token, open, stored?.hash, 'bob@example.com']) expect(log()).not.toContain(secret)
  })
})

describe('security: guessing of invitations', () => {
  it('counts as sign-up: checks and attempts from one address share a limit, as do reset links', async () => {
    const throttleLimits = { ...defaultThrottleLimits, signUpsPerAddress: 4 }
    const server = await startTestServer({ signUp: 'invited', throttleLimits })
    const client = server.connect()
    const token = 'a guess'
    const guesses = [0, 1].flatMap((i) => [
      client.post(paths.invitationCheck, { token }),
      client.signUp(`e${i}@x.y`, password, token),
      client.post(paths.passwordReset, { token, newPassword: password }),
    ])
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([410, 410, 410, 410, 429, 429])
  })

  it.each<[SignUpPolicy, number]>([
    ['closed', 403],
    ['open', 201],
  ])('%s is told to anyone, ignores invitations and makes none', async (signUp, status) => {
    const server = await startTestServer({ signUp })
    const { token } = await server.links.invite(null)
    const client = server.connect()
    expect((await client.get(paths.policy)).body).toEqual({ signUp })
    expect((await client.signUp('eve@example.org', password, token)).status).toBe(status)
    if (signUp === 'open') {
      const ada = await server.signIn()
      expect((await ada.post(paths.invitations, {})).body.code).toBe('sign-up-closed')
    }
  })
})
