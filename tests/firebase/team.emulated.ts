import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ActivityGroup } from '../../contract/activity/activity.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import type { TeamService } from '../../web/backends/ports.ts'
import { listen } from '../contracts/documents-suite.ts'
import { connectSignedIn, newCredentials, recordChanges } from '../support/backend-client.ts'
import { type FirebaseBackend, type FirebaseClient, startBackend } from '../support/firebase/backend.ts'
import { changeRules } from '../support/firebase/rules.ts'
import { ada } from '../support/people.ts'

let backend: FirebaseBackend
beforeEach(async () => {
  backend = await startBackend()
})
afterEach(() => backend.stop())

const teamOf = ({ identity }: Pick<FirebaseClient, 'identity'>) => identity.team as TeamService

async function connect(credentials = newCredentials()) {
  const client = await connectSignedIn(backend, credentials)
  const { email, password } = credentials
  const colleagues = await teamOf(client).listColleagues()
  const { id = '' } = colleagues.find((colleague) => colleague.email === email) ?? {}
  return { ...client, email, password, id, team: teamOf(client) }
}

test('whoever has signed in is a colleague, the oldest first, then the removed ones', async () => {
  const [first, second, third] = [await connect(), await connect(), await connect()]
  await third.team.removeColleague(first.id, third.password)
  const since = expect.stringMatching(/^\d{4}-.*Z$/)
  const seen = { createdAt: since, lastSeenAt: since }
  expect(await second.team.listColleagues()).toEqual([
    { id: second.id, email: second.email, ...seen },
    { id: third.id, email: third.email, ...seen },
    {
      ...{ id: first.id, email: first.email, ...seen },
      ...{ removedAt: since, removedBy: third.email, canReturn: true },
    },
  ])
})

test('the activity has invitations, who joined with one, and links that nobody has opened in time', async () => {
  const mine = await connect()
  const { history } = mine.documents
  const list = async (kind: ActivityGroup) =>
    ((await history?.listActivity({ kind }))?.entries ?? []).map(({ id: _, at: __, ...rest }) => rest)
  const revoked = await mine.team.createInvitation()
  for (const _ of ['once', 'again']) await mine.team.revokeInvitation(revoked.id)
  await backend.admin.setSignUp('invited')
  const { token } = await mine.team.createInvitation()
  const [newcomer, { email, password }] = [await backend.connect(), newCredentials()]
  await newcomer.identity.createAccount(email, password, token)
  expect((await list('people')).slice(0, 4)).toEqual([
    { kind: 'accept-invitation', by: email, account: mine.email },
    { kind: 'invite', by: mine.email },
    { kind: 'revoke-invitation', by: mine.email },
    { kind: 'invite', by: mine.email },
  ])
  const record = await mine.documents.add(ada, newIdempotencyKey())
  await mine.team.createHandover({ record, seen: ada, sealed: 'sealed' })
  const [link] = await mine.team.listHandovers()
  await backend.admin.expireHandover(link?.id ?? '')
  const visitor = await backend.connect()
  await visitor.identity.signIn(mine.email, mine.password)
  await visitor.documents.list()
  await expect
    .poll(() => list('links'))
    .toEqual([
      { kind: 'expire-hand-over', account: mine.email, record },
      { kind: 'hand-over', by: mine.email, record },
    ])
})

test('a removal signs out at once, without a change of a record, until somebody lets in again', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  const { received } = await listen(theirs)
  await mine.team.removeColleague(theirs.id, mine.password)
  await expect.poll(() => received.ended).toBe(true)
  await expect.poll(() => theirs.documents.list().catch(({ code }) => code)).toBe('not-signed-in')
  const signIn = () => theirs.identity.signIn(theirs.email, theirs.password)
  await expect(signIn()).rejects.toMatchObject({ code: 'account-removed' })
  const wrong = theirs.identity.signIn(theirs.email, 'not the password')
  await expect(wrong).rejects.toMatchObject({ code: 'invalid-credentials' })
  await mine.team.letIn(theirs.id)
  await signIn()
  expect(await theirs.documents.list()).toEqual([])
})

test('a removal needs the own password and somebody else, who is there', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  const remove = (id: string, password: string) => mine.team.removeColleague(id, password)
  const wrong = { code: 'invalid-credentials', field: 'password' }
  await expect(remove(theirs.id, 'not the password')).rejects.toMatchObject(wrong)
  for (const id of [mine.id, 'unknown'])
    await expect(remove(id, mine.password)).rejects.toMatchObject({ code: 'not-found' })
  await expect(mine.team.letIn(theirs.id)).rejects.toMatchObject({ code: 'not-found' })
  await remove(theirs.id, mine.password)
  await expect(remove(theirs.id, mine.password)).rejects.toMatchObject({ code: 'not-found' })
})

test('of two who remove each other at the same moment, one stays', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  await Promise.allSettled([
    mine.team.removeColleague(theirs.id, mine.password),
    theirs.team.removeColleague(mine.id, theirs.password),
  ])
  const codes = [mine, theirs].map(({ identity, email, password }) =>
    identity.signIn(email, password).then(
      () => 'in',
      ({ code }) => code,
    ),
  )
  expect((await Promise.all(codes)).sort()).toEqual(['account-removed', 'in'])
})

test('a member whose document changes all the time can be removed, and let in', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  let isOver = false
  const writing = (async () => {
    while (!isOver) await backend.admin.setLastSeen(theirs.email, new Date().toISOString())
  })()
  try {
    await mine.team.removeColleague(theirs.id, mine.password)
    await mine.team.letIn(theirs.id)
  } finally {
    isOver = true
    await writing
  }
})

test('a member can be removed with more invitations than one transaction deletes', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  await backend.admin.createInvitations(theirs.email, 21)
  await mine.team.removeColleague(theirs.id, mine.password)
  await expect.poll(backend.admin.countInvitations).toBe(0)
})

test('expired invitations are deleted by who opens the team, some at a time, and no others', async () => {
  const mine = await connect()
  await backend.admin.createInvitations(mine.email, 21, -1000)
  await mine.team.createInvitation()
  for (const rest of [2, 1]) {
    expect(await mine.team.listInvitations()).toHaveLength(1)
    await expect.poll(backend.admin.countInvitations).toBe(rest)
  }
})

test('an account whose email changes is refused, and told why, until the console has entered it for the member', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  const { email } = newCredentials()
  await backend.admin.changeEmail(theirs.email, email)
  const { identity, documents } = await backend.connect()
  // On a busy machine, signing in does not wait for Firestore.
  const signIn = () =>
    identity.signIn(email, theirs.password).catch(({ code, message }) => `${code} ${message}`)
  await expect.poll(signIn).toMatch(/^not-allowed .* has changed/)
  await expect(documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
  expect((await mine.team.listColleagues()).map((colleague) => colleague.email)).not.toContain(email)
  await backend.admin.makeMember(email)
  await identity.signIn(email, theirs.password)
  await documents.add(ada, newIdempotencyKey())
  // A page that was open reads with a new token, or Firebase has ended its session.
  const read = theirs.documents.list().then(
    () => 'read',
    ({ code }) => code,
  )
  expect(['read', 'not-signed-in']).toContain(await read)
  expect((await mine.team.listColleagues()).map((colleague) => colleague.email)).toContain(email)
})

test('links of a member whose email has changed open under the one that they were made with, until the member is removed', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  const open = async (token: string) =>
    teamOf(await backend.connect()).takeHandover(token, newIdempotencyKey())
  const join = async (token: string) => {
    const [{ identity }, { email, password }] = [await backend.connect(), newCredentials()]
    await identity.createAccount(email, password, token)
    return (await mine.team.listColleagues()).find((colleague) => colleague.email === email)?.invitation
  }
  const links = await Promise.all([1, 2, 3].map(() => handOver(theirs)))
  const invitations = await Promise.all([1, 2, 3].map(() => theirs.team.createInvitation()))
  const tokens = invitations.map(({ token }, i) => [token, links[i]?.token ?? ''] as const)
  await backend.admin.setSignUp('invited')
  const { email } = newCredentials()
  await backend.admin.changeEmail(theirs.email, email)
  const [changed, entered, removed] = tokens as [(typeof tokens)[0], (typeof tokens)[0], (typeof tokens)[0]]
  expect(await join(changed[0])).toEqual({ anyEmail: true, by: theirs.email })
  expect(await open(changed[1])).toMatchObject({ by: theirs.email })
  await backend.admin.makeMember(email)
  expect(await join(entered[0])).toEqual({ anyEmail: true, by: theirs.email })
  expect(await open(entered[1])).toMatchObject({ by: theirs.email })
  await mine.team.removeColleague(theirs.id, mine.password)
  for (const use of [join(removed[0]), open(removed[1])])
    await expect(use).rejects.toMatchObject({ code: 'invalid-link' })
})

test('a token from before a change of the email reads until the console has entered the new one for the member', async () => {
  const { email, password } = await connect()
  const read = await backend.admin.signIn(email, password)
  expect(await read('books')).toBe(200)
  const { email: newEmail } = newCredentials()
  await backend.admin.changeEmail(email, newEmail)
  expect(await read('books')).toBe(200)
  await backend.admin.makeMember(newEmail)
  expect(await read('books')).toBe(403)
  const readAgain = await backend.admin.signIn(newEmail, password)
  expect(await readAgain('books')).toBe(200)
})

test('a member can be removed although the invitations can’t be deleted, and none is listed', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  await theirs.team.createInvitation()
  expect(await mine.team.listInvitations()).toHaveLength(1)
  await backend.admin.setRules(
    changeRules('allow delete: if isUsedUp(hash) || ', 'allow delete: if false && '),
  )
  await mine.team.removeColleague(theirs.id, mine.password)
  expect(await mine.team.listInvitations()).toEqual([])
  await mine.team.letIn(theirs.id)
  expect(await mine.team.listInvitations()).toEqual([])
})

test('an invitation for an email with a domain beyond ASCII lets that email join', async () => {
  const mine = await connect()
  await backend.admin.setSignUp('invited')
  const { token, email } = await mine.team.createInvitation('grace@müller.example')
  expect(email).toBe('grace@xn--mller-kva.example')
  const { identity } = await backend.connect()
  await identity.createAccount('Grace@müller.example', newCredentials().password, token)
})

test('where nobody may sign up, an account is a member when the console has made it one', async () => {
  const { email, password } = newCredentials()
  await backend.admin.setSignUp('closed')
  await backend.admin.createAccount(email, password)
  const { identity, documents } = await backend.connect()
  await identity.signIn(email, password)
  await expect(documents.list()).rejects.toMatchObject({ code: 'not-allowed' })
  await backend.admin.makeMember(email)
  expect(await documents.list()).toEqual([])
})

test('an account that was signed in before the rules knew members becomes one when its tabs read the records', async () => {
  await backend.admin.setRules(
    'service cloud.firestore { match /databases/{name}/documents { match /none { allow read: if false; } } }',
  )
  const { email, password } = newCredentials()
  const client = await connectSignedIn(backend, { email, password })
  const tabs = await Promise.all([1, 2, 3].map(() => backend.connect()))
  for (const { identity } of tabs) await identity.signIn(email, password)
  const list = () =>
    Promise.all([client, ...tabs].map(({ documents }) => documents.list().catch(({ code }) => code)))
  expect(await list()).toEqual(Array(4).fill('not-allowed'))
  await backend.admin.setSignUp('open')
  expect(await list()).toEqual(Array(4).fill([]))
  await client.documents.add(ada, newIdempotencyKey())
  expect(await teamOf(client).listColleagues()).toHaveLength(1)
  expect(await client.identity.policy?.()).toEqual({ signUp: 'open' })
})

test('an invitation ends with the removal of who made it, and a retried sign-up goes on', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  await backend.admin.setSignUp('invited')
  const { token: voided } = await theirs.team.createInvitation()
  const { token } = await mine.team.createInvitation()
  await mine.team.removeColleague(theirs.id, mine.password)
  const { identity } = await backend.connect()
  const { email, password } = newCredentials()
  const signUp = (secret: string) => identity.createAccount(email, password, secret)
  await expect(signUp(voided)).rejects.toMatchObject({ code: 'invalid-link' })
  // The account was created, but not the member: the page was closed between.
  await backend.admin.createAccount(email, password)
  await signUp(token)
  await expect(signUp(token)).rejects.toMatchObject({ code: 'invalid-link' })
  await identity.signIn(email, password)
  const colleagues = await mine.team.listColleagues()
  const invitation = { anyEmail: true, by: mine.email }
  expect(colleagues.find((colleague) => colleague.email === email)).toMatchObject({ invitation })
})

test('a visit is told once a day', async () => {
  const { team, email, documents } = await connect()
  const lastSeen = async () => (await team.listColleagues())[0]?.lastSeenAt
  const joined = await lastSeen()
  await backend.admin.setLastSeen(email, '2026-01-01T00:00:00Z')
  await recordChanges(documents)
  await expect.poll(lastSeen).toSatisfy((time: string) => time >= (joined ?? ''))
})

const handOver = async ({ documents, team }: Awaited<ReturnType<typeof connect>>) => {
  const record = await documents.add(ada, newIdempotencyKey())
  return team.createHandover({ record, seen: ada, sealed: 'sealed' })
}

test('the account that opens a link is deleted with what the link showed, as is that of a link of no use', async () => {
  const mine = await connect()
  const { id, token } = await handOver(mine)
  for (const code of [undefined, 'invalid-link']) {
    const opening = teamOf(await backend.connect()).takeHandover(token, newIdempotencyKey())
    expect(
      await opening.then(
        () => undefined,
        (error) => error.code,
      ),
    ).toBe(code)
  }
  await expect.poll(backend.admin.countAnonymous).toBe(0)
  expect(await backend.admin.exists(`handovers/${id}`)).toBe(true)
  expect(await backend.admin.exists(`sealed/${id}`)).toBe(false)
})

test('who has lost the response can open the link again, and nobody else', async () => {
  const { token } = await handOver(await connect())
  const [opener, key] = [await backend.connect(), newIdempotencyKey()]
  // Loads Firestore.
  await expect(teamOf(opener).takeHandover('unknown', key)).rejects.toMatchObject({ code: 'invalid-link' })
  await opener.pauseGuest()
  await expect(teamOf(opener).takeHandover(token, key)).rejects.toMatchObject({ code: 'offline' })
  const other = teamOf(await backend.connect())
  await expect(other.takeHandover(token, key)).rejects.toMatchObject({ code: 'invalid-link' })
  await opener.resumeGuest()
  expect(await teamOf(opener).takeHandover(token, key)).toMatchObject({ sealed: 'sealed' })
})

test('a visit wipes what expired links would have shown', async () => {
  const mine = await connect()
  const { id } = await handOver(mine)
  await backend.admin.expireHandover(id)
  const { documents } = await connect()
  await documents.list()
  await expect.poll(() => backend.admin.exists(`sealed/${id}`)).toBe(false)
  expect(await mine.team.listHandovers()).toEqual([])
})

test('a reset link can’t be made: the service sends an email to who asks for it', async () => {
  const [mine, theirs] = [await connect(), await connect()]
  const making = mine.team.createPasswordReset(theirs.id, mine.password)
  await expect(making).rejects.toMatchObject({ message: expect.stringContaining('Forgot your password?') })
  await expect(mine.team.checkPasswordReset('x')).rejects.toMatchObject({ code: 'invalid-link' })
})
