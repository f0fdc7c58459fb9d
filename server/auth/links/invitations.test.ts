import { beforeEach, describe, expect, it } from 'vitest'
import type { Colleague, SignUpPolicy } from '../../../contract/accounts.ts'
import { paths } from '../../../contract/protocol.ts'
import { password, type TestClient } from '../../../tests/support/http-client.ts'
import { recordLog, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { defaultThrottleLimits } from '../throttle.ts'
import { createLinks, linkLimits } from './links.ts'

describe('security: invitations', () => {
  let server: TestServer
  let now = Date.now()
  let log: () => string
  let ada: TestClient

  beforeEach(async () => {
    now = Date.now()
    const { logger, text } = recordLog()
    log = text
    server = await startTestServer({ now: () => now, logger, signUp: 'invited' })
    const operator = createLinks({ storage: server.storage.links, accounts: server.storage.accounts })
    const { token } = await operator.invite(null, 'ada@example.com')
    await signUp('ada@example.com', token)
    ada = server.connect()
    await ada.signIn('ada@example.com')
  })

  function signUp(email: string, invitation?: string) {
    const body = invitation === undefined ? { email, password } : { email, password, invitation }
    return server.connect().post(paths.accounts, body)
  }
  const invite = async (email?: string) =>
    (await ada.post(paths.invitations, email === undefined ? {} : { email })).body
  const check = (token: string) => server.connect().post(paths.invitationCheck, { token })
  const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  it('lets one person in for 7 days, who can then invite the next', async () => {
    const { token, id, expiresAt } = await invite()
    expect(new Date(expiresAt).getTime()).toBe(now + 7 * 24 * 60 * 60 * 1000)
    const { invitations } = (await ada.get(paths.invitations)).body
    expect(invitations).toEqual([{ id, expiresAt, invitedBy: 'ada@example.com' }])
    now += linkLimits.invitationTtlMs - 1
    expect(await check(token)).toMatchObject({ status: 200, body: {} })
    expect((await signUp('bob@example.com', token)).status).toBe(201)
    expect(codeOf(await signUp('eve@example.com', token))).toEqual([410, 'invalid-link'])
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
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    const eve = server.connect()
    await eve.signIn('eve@example.com')
    await server.storage.accounts.remove(account?.uid ?? '')
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
    const weak = { email: 'bob@example.com', password: 'short', invitation: token }
    const client = server.connect()
    expect(codeOf(await client.post(paths.accounts, weak))).toEqual([400, 'weak-password'])
    expect(codeOf(await signUp('ada@example.com', token))).toEqual([409, 'account-exists'])
    expect((await signUp('bob@example.com', token)).status).toBe(201)
  })

  it('responds identically to a link that is unknown, expired, revoked, used, or of a removed account', async () => {
    const bob = server.connect()
    await signUp('bob@example.com', (await invite()).token)
    await bob.signIn('bob@example.com')
    const orphaned = (await bob.post(paths.invitations, {})).body
    const [used, expired, revoked] = [await invite(), await invite(), await invite()]
    await signUp('carol@example.com', used.token)
    // Anyone who is signed in may revoke it.
    expect((await bob.delete(paths.invitationById(revoked.id))).status).toBe(204)
    expect((await bob.delete(paths.invitationById(revoked.id))).status).toBe(404)
    const account = await server.storage.accounts.findByEmailKey('bob@example.com')
    await server.storage.accounts.remove(account?.uid ?? '')
    const bodies = new Set<string>()
    for (const { token } of [used, revoked, orphaned, { token: 'x' }, { token: used.id }]) {
      for (const response of [await check(token), await signUp('eve@example.com', token)]) {
        expect(response.status).toBe(410)
        bodies.add(JSON.stringify(response.body))
      }
    }
    now += linkLimits.invitationTtlMs
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
    const [stored] = await server.storage.links.listInvitations(now)
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
    const [token, invitation] = ['a guess', 'a guess']
    const guesses = [0, 1].flatMap((i) => [
      client.post(paths.invitationCheck, { token }),
      client.post(paths.accounts, { email: `e${i}@x.y`, password, invitation }),
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
    const { links: storage, accounts } = server.storage
    const { token } = await createLinks({ storage, accounts }).invite(null)
    const client = server.connect()
    expect((await client.get(paths.policy)).body).toEqual({ signUp })
    const account = { email: 'eve@example.org', password, invitation: token }
    expect((await client.post(paths.accounts, account)).status).toBe(status)
    if (signUp === 'open') {
      const ada = await server.signIn()
      expect((await ada.post(paths.invitations, {})).body.code).toBe('sign-up-closed')
    }
  })
})
