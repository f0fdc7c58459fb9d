import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Colleague } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { password, refusal, type TestClient } from '../../tests/support/http-client.ts'
import { ada as record } from '../../tests/support/people.ts'
import { provideScenario } from '../../tests/support/provide-server.ts'
import { StorageError } from '../storage/storage.ts'
import { defaultThrottleLimits } from './throttle.ts'

const bobsEmail = 'bob@example.com'

describe('security: removing a colleague', () => {
  const { server, ada, log } = provideScenario()
  let bob: TestClient
  let bobsId = ''

  beforeEach(async () => {
    bob = await server.signIn(bobsEmail)
    bobsId = await bob.uid()
  })

  const remove = (id = bobsId, own = password) => ada.put(paths.accountRemoval(id), { password: own })
  const letIn = (id = bobsId) => ada.delete(paths.accountRemoval(id))
  const makeResetLink = (id = bobsId, own = password) =>
    ada.post(paths.accountResetLink(id), { password: own })
  const signInAs = (email: string, chosen?: string) => server.connect().signIn(email, chosen)
  const listed = async (): Promise<Colleague[]> => (await ada.get(paths.accounts)).body.accounts
  const findBob = async () => (await listed()).find(({ id }) => id === bobsId)

  it('ends sessions and streams, is told after the right password only, and can be undone', async () => {
    const { body } = await ada.add(record)
    const stream = await bob.openChangeStream()
    expect((await remove()).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
    expect((await bob.list()).status).toBe(401)
    const right = await signInAs('BOB@example.com')
    expect(right).toMatchObject(refusal(403, 'account-removed'))
    expect(right.headers.get('set-cookie')).toBeNull()
    const wrong = await signInAs(bobsEmail, 'wrong')
    const unknown = await signInAs('nobody@example.com', 'wrong')
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
    expect(await findBob()).toMatchObject({ removedBy: 'ada@example.com', canReturn: true })
    const exposed = await ada.get(`${paths.exposed}?account=${bobsId}`)
    expect(exposed.body).toEqual({ ids: [body.id], canSignIn: false })
    expect([(await letIn()).status, (await letIn()).status]).toEqual([204, 404])
    expect((await signInAs(bobsEmail)).status).toBe(200)
    expect(log()).toMatch(/account removed.*account let back in/s)
  })

  it.each([
    ['a list that took long', 'listDeleted', () => paths.deleted],
    ['previous passwords that did', 'listPrevious', paths.previousPasswords],
  ] as const)('responds to no earlier request of the account with %s', async (_, read, pathOf) => {
    const { id } = (await ada.add(record)).body
    const blocked = Promise.withResolvers<void>()
    const spy = vi.spyOn(server.storage.history, read).mockImplementationOnce(async () => {
      await blocked.promise
      return []
    })
    const response = bob.get(pathOf(id))
    await expect.poll(() => spy.mock.calls.length).toBeGreaterThan(0)
    await remove()
    blocked.resolve()
    expect(await response).toMatchObject(refusal(401, 'not-signed-in'))
  })

  it('is done even if its confirmation cannot be stored, which is logged', async () => {
    vi.spyOn(server.storage.accounts, 'confirmRemoval').mockRejectedValue(new StorageError('full', 'full'))
    expect([(await remove()).status, (await bob.list()).status]).toEqual([204, 401])
    expect(log()).toContain('removal not confirmed')
  })

  it.each(['👩'.repeat(128), 'a/b', 'a\\b', '?#%2e', ' .. '])(
    'removes an imported account with the id %j',
    async (id) => {
      const account = { uid: id, email: 'eve@x.y', emailKey: 'eve@x.y', passwordHash: '' }
      await server.storage.accounts.add({ ...account, createdAt: new Date(0).toISOString() })
      expect((await remove(id)).status).toBe(204)
    },
  )

  it('needs the caller’s password and session, and refuses the caller’s account, unknown ones and malformed ids', async () => {
    expect(await remove(bobsId, 'wrong')).toMatchObject(refusal(401, 'invalid-credentials', 'password'))
    expect((await makeResetLink(bobsId, 'wrong')).body.code).toBe('invalid-credentials')
    for (const id of [await ada.uid(), 'unknown', '%2e%2e'])
      for (const response of [await remove(id), await makeResetLink(id)])
        expect(response.body.code).toBe('not-found')
    for (const { body } of [await remove('\0'), await letIn('\0'), await makeResetLink('\0')])
      expect(body).toMatchObject({ code: 'invalid-request', field: 'id' })
    const anonymous = server.connect()
    for (const [method, path] of [
      ['PUT', paths.accountRemoval(bobsId)],
      ['DELETE', paths.accountRemoval(bobsId)],
      ['POST', paths.accountResetLink(bobsId)],
    ] as const)
      expect((await anonymous.call(method, path, { password })).body.code).toBe('not-signed-in')
    expect((await listed()).filter(({ removedAt }) => removedAt)).toEqual([])
  })

  it('counts wrong passwords of the caller like sign-ins', async () => {
    for (let i = 0; i < defaultThrottleLimits.failuresPerPair; i++) await remove(bobsId, `wrong ${i}`)
    expect((await remove()).body.code).toBe('too-many-requests')
    expect((await makeResetLink()).body.code).toBe('too-many-requests')
    expect((await signInAs('ada@example.com')).body.code).toBe('too-many-requests')
  })

  it('a reset link sets a new password; the next sign-ins tell who has made it, and the log has no token', async () => {
    expect((await signInAs(bobsEmail)).body).not.toHaveProperty('resetLink')
    const { status, body } = await makeResetLink()
    expect([status, body]).toEqual([201, { token: expect.any(String), expiresAt: expect.any(String) }])
    const reset = { token: body.token, newPassword: 'a new and good one' }
    expect((await ada.post(paths.passwordReset, reset)).status).toBe(204)
    expect((await bob.list()).status).toBe(401)
    const signedIn = await signInAs(bobsEmail, reset.newPassword)
    const made = { by: 'ada@example.com', at: expect.any(String) }
    expect(signedIn.body).toMatchObject({ resetLink: made, resetLinks: [made] })
    expect(log()).toContain('reset link created')
    expect(log()).not.toContain(body.token)
  })

  it('tells the owner of an account of everyone who has made a reset link, also after others have used it', async () => {
    const reset = async (client: TestClient, own: string, newPassword: string) => {
      const { body } = await client.post(paths.accountResetLink(bobsId), { password: own })
      expect((await client.post(paths.passwordReset, { token: body.token, newPassword })).status).toBe(204)
    }
    const eve = await server.signIn('eve@example.com')
    await reset(eve, password, 'chosen by eve')
    const asBob = server.connect()
    await asBob.signIn(bobsEmail, 'chosen by eve')
    const ownLink = await asBob.post(paths.accountResetLink(bobsId), { password: 'chosen by eve' })
    expect(ownLink).toMatchObject(refusal(404, 'not-found'))
    await reset(ada, password, 'chosen by bob')
    const makers = async () => {
      const { body } = await signInAs(bobsEmail, 'chosen by bob')
      return body.resetLinks.map(({ by }: { by: string }) => by)
    }
    expect(await makers()).toEqual(['ada@example.com', 'eve@example.com'])
    await ada.put(paths.accountRemoval(await eve.uid()), { password })
    expect(await makers()).toEqual(['ada@example.com', 'eve@example.com'])
  })
})
