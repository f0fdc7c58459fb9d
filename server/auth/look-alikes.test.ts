import { describe, expect, it } from 'vitest'
import type { Colleague } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { password, refusal } from '../../tests/support/http-client.ts'
import { ada as record } from '../../tests/support/people.ts'
import { provideScenario } from '../../tests/support/provide-server.ts'

const adasEmail = 'ada@example.com'

describe('security: emails that look like another one', () => {
  const { server, ada } = provideScenario()

  const listed = async (): Promise<Colleague[]> => (await ada.get(paths.accounts)).body.accounts

  it.each([
    ['a Cyrillic letter', 'ada@ex\u0430mple.com', 'ada@xn--exmple-4nf.com'],
    ['an upper-case I', 'ada@exampIe.com', 'ada@exampIe.com'],
  ])('with %s are told apart in the team, and a hand-over says so', async (_, typed, email) => {
    const { id } = (await ada.add(record)).body
    const other = await server.signIn(typed)
    expect(await listed()).toMatchObject([
      { email: adasEmail, looksLike: email },
      { email, looksLike: adasEmail },
    ])
    const { body } = await other.post(paths.handovers, { record: id, seen: record, sealed: 'x' })
    const taken = await server.connect().post(paths.handoverTake, { token: body.token })
    expect(taken.body).toEqual({ sealed: 'x', by: email, isLookAlike: true })
  })

  it('nobody is told of a difference between emails that look different', async () => {
    await server.signIn('bob@example.com')
    for (const colleague of await listed()) expect(colleague).not.toHaveProperty('looksLike')
  })

  it('are stored without invisible characters, and sign in with them', async () => {
    const invisible = '\ufe0f\u034f'.repeat(300)
    const typed = `eve@exam${invisible}ple.org`
    const client = await server.signIn(typed)
    expect((await client.get(paths.session)).body.email).toBe('eve@example.org')
    expect((await server.connect().signIn('eve@example.org')).status).toBe(200)
    expect((await server.connect().signIn(typed)).status).toBe(200)
    const again = await server.connect().signUp('eve@example.org')
    expect(again).toMatchObject(refusal(409, 'account-exists', 'email'))
    expect((await client.put(paths.password, { password, newPassword: 'a new and good one' })).status).toBe(
      204,
    )
  })
})

describe('security: an invitation for an email beyond ASCII', () => {
  const { server, ada } = provideScenario({ signUp: 'invited' })

  it('is listed as its account will be', async () => {
    const { body } = await ada.post(paths.invitations, { email: 'ada@ex\u0430mple.com' })
    expect(body.email).toBe('ada@xn--exmple-4nf.com')
    const { status } = await server.connect().signUp('ADA@ex\u0430mple.com', password, body.token)
    expect(status).toBe(201)
  })
})
