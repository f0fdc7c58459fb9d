import { describe, expect, test } from 'vitest'
import { cleanEmail, type Employee } from '../../contract/employees.ts'
import type { NewHandover } from '../../contract/handovers.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import {
  connectSignedIn,
  newCredentials,
  type TestBackend,
  type TestClient,
  whenReachable,
} from '../support/backend-client.ts'
import { forward } from '../support/forward.ts'
import { ada, grace, makeEmployees, renamed } from '../support/people.ts'
import { provideBackend, provideTwoClients } from './documents-suite.ts'

const sealed = 'what-only-the-link-can-open'
const changed = { ...ada, password: 'changed' }

/** The contract of the hand-overs of `TeamService`. */
export function handoversSuite(name: string, start: () => Promise<TestBackend>) {
  describe(`security, hand-overs: ${name}`, () => {
    const backend = provideBackend(start)
    const { mine, theirs, me, them } = provideTwoClients(backend)
    const teamOf = ({ identity }: TestClient) => identity.team as TeamService
    const team = forward(() => teamOf(mine))
    const history = forward(() => mine.documents.history as HistoryService)
    const invalid = { code: 'invalid-link' }

    const add = async (fields = ada): Promise<Employee> => ({
      id: await mine.documents.add(fields, key()),
      ...fields,
    })
    const newHandover = ({ id, ...seen }: Employee): NewHandover => ({ record: id, seen, sealed })
    const handOver = (employee: Employee) => team.createHandover(newHandover(employee))
    const take = async (token: string) => teamOf(await backend.connect()).takeHandover(token, key())
    const isListed = async (id: string) => (await team.listHandovers()).some((link) => link.id === id)

    test('an email that imitates another one is marked in the team, and where it hands over', async () => {
      const { email, password } = newCredentials()
      const [name] = email.split('@')
      await connectSignedIn(backend, { email: `${name}@example.com`, password })
      const typed = `${name}@ex\u0430mple.com`
      const imitator = await connectSignedIn(backend, { email: typed, password })
      const by = cleanEmail(typed)
      const { token } = await teamOf(imitator).createHandover(newHandover(await add()))
      expect(await take(token)).toEqual({ sealed, by, isLookAlike: true })
      const colleagues = await team.listColleagues()
      const find = (wanted: string) => colleagues.find((colleague) => colleague.email === wanted)
      expect(find(by)).toMatchObject({ looksLike: `${name}@example.com` })
      expect(find(me.email)).not.toHaveProperty('looksLike')
    })

    test('a link is opened once, by one of several at once, without an account, and a record says when', async () => {
      const employee = await add()
      const { id, token } = await handOver(employee)
      const [listed] = (await teamOf(theirs).listHandovers()).filter((link) => link.id === id)
      const time = expect.stringMatching(/^\d{4}-.*Z$/)
      expect(listed).toEqual({ id, record: employee.id, by: me.email, createdAt: time, expiresAt: time })
      const [{ handedOverAt, openedAt } = {}] = await history.details([employee.id])
      expect([handedOverAt, openedAt]).toEqual([listed?.createdAt, undefined])
      const clients = await Promise.all(Array.from({ length: 8 }, () => backend.connect()))
      const taken = await Promise.allSettled(clients.map((each) => teamOf(each).takeHandover(token, key())))
      const opened = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(opened).toEqual([{ sealed, by: me.email }])
      await expect(take(token)).rejects.toMatchObject(invalid)
      expect(await isListed(id)).toBe(false)
      expect(await history.details([employee.id])).toMatchObject([{ handedOverAt, openedAt: time }])
      const events = await history.listEvents(employee.id)
      expect(events.map(({ kind, by }) => [kind, by])).toEqual([
        ['open-hand-over', undefined],
        ['hand-over', me.email],
        ['add', me.email],
      ])
    })

    test('who has opened a link can repeat that with the same key, and nobody else', async () => {
      const { token } = await handOver(await add())
      const [opener, first] = [teamOf(await backend.connect()), key()]
      for (const _ of ['opened', 'repeated'])
        expect(await opener.takeHandover(token, first)).toEqual({ sealed, by: me.email })
      await expect(opener.takeHandover(token, key())).rejects.toMatchObject(invalid)
    })

    test('who is signed in opens a link too, and stays signed in', async () => {
      const employee = await add()
      const { token } = await handOver(employee)
      expect(await teamOf(theirs).takeHandover(token, key())).toEqual({ sealed, by: me.email })
      await theirs.documents.update(employee.id, changed)
      expect(await history.details([employee.id])).toMatchObject([{ changedBy: them.email }])
    })

    test('an unknown link, and one that a colleague has revoked, open nothing', async () => {
      const employee = await add()
      const { id, token } = await handOver(employee)
      for (const _ of ['revoked', 'again']) await teamOf(theirs).revokeHandover(id)
      expect(await isListed(id)).toBe(false)
      await expect(take(token)).rejects.toMatchObject(invalid)
      await expect(take('unknown')).rejects.toMatchObject(invalid)
      const [latest] = await history.listEvents(employee.id)
      expect(latest).toMatchObject({ kind: 'revoke-hand-over', by: them.email })
    })

    test.each<[string, (employee: Employee) => Promise<unknown>]>([
      ['its password was changed', ({ id }) => mine.documents.update(id, changed)],
      ['it was deleted', ({ id }) => mine.documents.remove(id)],
    ])(
      'a link is void once %s, also if that is undone, but not once its record was renamed',
      async (_, end) => {
        const employee = await add()
        const { id, token } = await handOver(employee)
        await mine.documents.update(employee.id, renamed('Ada King'))
        expect(await isListed(id)).toBe(true)
        await end(employee)
        expect(await isListed(id)).toBe(false)
        await history.restoreDeleted(employee.id)
        await mine.documents.update(employee.id, ada)
        expect(await isListed(id)).toBe(false)
        await expect(take(token)).rejects.toMatchObject(invalid)
        const later = await handOver(employee)
        expect(await take(later.token)).toMatchObject({ sealed })
      },
    )

    test('a link is void once its maker was removed, also if they are let in again', async () => {
      const maker = newCredentials()
      const client = await connectSignedIn(backend, maker)
      const { uid } = await client.identity.signIn(maker.email, maker.password)
      const [employee, other] = [await add(), await add(grace)]
      await client.documents.list()
      const { id, token } = await teamOf(client).createHandover(newHandover(employee))
      const second = await teamOf(client).createHandover(newHandover(other))
      expect(await isListed(id)).toBe(true)
      await team.removeColleague(uid, me.password)
      expect(await isListed(id)).toBe(false)
      await expect(take(token)).rejects.toMatchObject(invalid)
      await team.letIn(uid)
      expect(await isListed(id)).toBe(false)
      await expect(take(second.token)).rejects.toMatchObject(invalid)
    })

    test('a link is made to an existing record only, as its maker saw it, and only with a session', async () => {
      const employee = await add()
      await mine.documents.update(employee.id, changed)
      await expect(handOver(employee)).rejects.toMatchObject({ code: 'conflict' })
      await mine.documents.remove(employee.id)
      await expect(handOver(employee)).rejects.toMatchObject({ code: 'not-found' })
      const stranger = teamOf(await backend.connect())
      const calls = [
        () => stranger.createHandover(newHandover(employee)),
        () => stranger.createSheet([newHandover(employee)]),
        () => stranger.listHandovers(),
        () => stranger.listSheets(),
        () => stranger.revokeHandover('unknown'),
        () => stranger.revokeSheet('unknown'),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not-signed-in' })
    })

    test('a sheet has a link to each record that has not changed, is listed with what was opened, and revoked as one', async () => {
      const fields = makeEmployees(22)
      const { ids } = await mine.documents.writeBatch({ add: fields, update: [], remove: [] }, key())
      const employees = fields.map((each, i): Employee => ({ id: ids[i] ?? '', ...each }))
      const [first, second, gone] = employees as [Employee, Employee, Employee]
      await mine.documents.update(second.id, changed)
      await mine.documents.remove(gone.id)
      const sheet = await whenReachable(() => team.createSheet(employees.map(newHandover)))
      expect(sheet.tokens.map((token) => token !== null)).toEqual(employees.map((_, i) => i !== 1 && i !== 2))
      const find = async () => (await teamOf(theirs).listSheets()).find(({ id }) => id === sheet.id)
      const { id, expiresAt } = sheet
      expect(await find()).toMatchObject({ id, expiresAt, by: me.email, open: 20, opened: 0 })
      expect((await team.listHandovers()).filter((link) => link.sheet === id)).toHaveLength(20)
      expect(await take(sheet.tokens[0] ?? '')).toMatchObject({ sealed })
      expect(await find()).toMatchObject({ open: 19, opened: 1 })
      expect(await history.details([first.id])).toMatchObject([{ openedAt: expect.any(String) }])
      for (const _ of ['revoked', 'again']) await teamOf(theirs).revokeSheet(id)
      expect(await find()).toBeUndefined()
      await expect(take(sheet.tokens[3] ?? '')).rejects.toMatchObject(invalid)
    })

    test('a sheet ends the open links of its records on other sheets, not single ones', async () => {
      const [employee, other] = [await add(), await add(grace)]
      const single = await handOver(employee)
      const earlier = await whenReachable(() => team.createSheet([employee, other].map(newHandover)))
      const later = await whenReachable(() => teamOf(theirs).createSheet([newHandover(employee)]))
      const sheets = (await team.listSheets()).map(({ id, open }) => [id, open])
      expect(sheets).toContainEqual([earlier.id, 1])
      expect(sheets).toContainEqual([later.id, 1])
      await expect(take(earlier.tokens[0] ?? '')).rejects.toMatchObject(invalid)
      for (const token of [earlier.tokens[1], later.tokens[0], single.token])
        expect(await take(token ?? '')).toMatchObject({ sealed })
    })
  })
}
