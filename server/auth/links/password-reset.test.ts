import { describe, expect, it } from 'vitest'
import { linkTtlMs } from '../../../contract/links.ts'
import { paths } from '../../../contract/protocol.ts'
import { password } from '../../../tests/support/http-client.ts'
import { provideScenario } from '../../../tests/support/provide-server.ts'

const newPassword = 'a new and good one'

describe('security: reset links', () => {
  const { server, ada, log, clock } = provideScenario()

  const createToken = async () => {
    const account = await server.storage.accounts.findByEmailKey('ada@example.com')
    return (await server.links.createReset(account?.uid ?? '')).token
  }
  const post = (path: string, body: unknown) => server.connect().post(path, body)
  const check = (token: string) => post(paths.passwordResetCheck, { token })
  const reset = (token: string, chosen = newPassword) =>
    post(paths.passwordReset, { token, newPassword: chosen })
  const signIn = (chosen: string) => server.connect().signIn('ada@example.com', chosen)

  it('set a new password for an hour, and end all sessions and streams of the account', async () => {
    const stream = await ada.openChangeStream()
    const token = await createToken()
    clock.now += linkTtlMs.reset - 1
    expect(await check(token)).toMatchObject({ status: 200, body: { email: 'ada@example.com' } })
    const response = await reset(token)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([204, null])
    expect(await stream.next()).toBeUndefined()
    expect((await ada.list()).status).toBe(401)
    expect([(await signIn(password)).status, (await signIn(newPassword)).status]).toEqual([401, 200])
  })

  it('respond identically if unknown, expired, used, replaced, or void because the password was changed', async () => {
    const replaced = await createToken()
    const used = await createToken()
    await reset(used)
    const changed = await createToken()
    await ada.signIn('ada@example.com', newPassword)
    await ada.put(paths.password, { password: newPassword, newPassword: password })
    const expired = await createToken()
    clock.now += linkTtlMs.reset
    const bodies = new Set<string>()
    for (const token of [replaced, used, changed, expired, 'x', '']) {
      for (const { status, body } of [await check(token), await reset(token), await reset(token, 'weak')]) {
        expect(status).toBe(410)
        bodies.add(JSON.stringify(body))
      }
    }
    expect(bodies.size).toBe(1)
    expect((await signIn(password)).status).toBe(200)
  })

  it.each(['short', 'ada@example.com', 'Staffbook2026'])(
    'refuse the weak password %s and stay usable',
    async (weak) => {
      const token = await createToken()
      expect((await reset(token, weak)).body).toMatchObject({ code: 'weak-password', field: 'newPassword' })
      expect((await reset(token)).status).toBe(204)
    },
  )

  it('do not work as invitations, nor invitations as reset links', async () => {
    const token = await createToken()
    expect((await post(paths.invitationCheck, { token })).status).toBe(410)
    const invitation = await server.links.invite(null)
    expect((await reset(invitation.token)).status).toBe(410)
  })

  it('are neither stored nor logged in plain text, nor is the password', async () => {
    const token = await createToken()
    await check(token)
    await reset(`${token}x`)
    await reset(token)
    expect(log()).toContain('password reset')
    for (const secret of [token, newPassword, 'ada@example.com']) expect(log()).not.toContain(secret)
  })
})
