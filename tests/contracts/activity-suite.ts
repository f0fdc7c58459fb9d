import { beforeEach, describe, expect, test } from 'vitest'
import { type ActivityEntry, type ActivityQuery, maxActivityPage } from '../../contract/activity/activity.ts'
import { minDeletion } from '../../contract/history.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import { connectSignedIn, newCredentials, type TestClient } from '../support/backend-client.ts'
import { forward } from '../support/forward.ts'
import { ada, grace, makeEmployees, renamed } from '../support/people.ts'
import { activityModelTest } from './activity-model.ts'
import { provideBackend, provideTwoClients } from './documents-suite.ts'
import type { HistoryTestBackend } from './history-suite.ts'

/** The contract of `listActivity`, for the backends that have it. */
export function activitySuite(name: string, start: () => Promise<HistoryTestBackend>) {
  describe(`activity: ${name}`, () => {
    const backend = provideBackend(start)
    const { mine, theirs, me, them } = provideTwoClients(backend)
    const historyOf = ({ documents }: TestClient) => documents.history as HistoryService
    const history = forward(() => historyOf(mine))
    let latest: string | undefined

    beforeEach(async () => {
      latest = (await history.listActivity({})).entries[0]?.id
    })

    /** What has happened since the test began, the latest first. */
    async function list(query: ActivityQuery = {}): Promise<ActivityEntry[]> {
      const { entries } = await history.listActivity({ ...query, ...(latest && { after: latest }) })
      return entries
    }

    const withoutIds = (entries: ActivityEntry[]) => entries.map(({ id: _, at: __, ...rest }) => rest)
    const idOf = async (email: string) =>
      (await mine.identity.team?.listColleagues())?.find((each) => each.email === email)?.id ?? ''

    test('it has who has done what to which record, and never a field', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.update(id, renamed('Ada King'))
      await theirs.documents.remove(id)
      await historyOf(mine).restoreDeleted(id)
      const entries = await list({ kind: 'records' })
      expect(withoutIds(entries)).toEqual([
        { kind: 'restore', by: me.email, record: id },
        { kind: 'delete', by: them.email, record: id },
        { kind: 'change', by: them.email, record: id },
        { kind: 'add', by: me.email, record: id },
      ])
      expect(entries.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 60_000)).toBe(true)
      expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${ada.password}|King`))
    })

    test('an import is one entry or a few, with the number of its records', async () => {
      const add = makeEmployees(minDeletion)
      const { ids } = await mine.documents.writeBatch({ add, update: [], remove: [] }, key())
      for (const kind of ['records', 'files'] as const) {
        const entries = await list({ kind })
        expect(entries.every((entry) => entry.kind === 'import' && entry.by === me.email)).toBe(true)
        expect(entries.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(add.length)
        // By its time and author the history of a record finds it.
        const events = await history.listEvents(ids[0] ?? '')
        expect(entries.some(({ at }) => events.some((event) => event.at === at))).toBe(true)
      }
    })

    test('it has what pages report, and says that they have', async () => {
      const id = await mine.documents.add(ada, key())
      await history.report({ kind: 'reveal', ids: [id] })
      await history.report({ kind: 'export', count: 3 })
      await history.report({ kind: 'export-passwords', count: 3 })
      await history.report({ kind: 'emergency', count: 4 })
      const reported = { by: me.email, isReported: true }
      expect(withoutIds(await list({ kind: 'secrets' }))).toEqual([
        { kind: 'reveal', record: id, ...reported },
      ])
      expect(withoutIds(await list({ kind: 'files' }))).toEqual([
        { kind: 'emergency', count: 4, ...reported },
        { kind: 'export-passwords', count: 3, ...reported },
        { kind: 'export', count: 3, ...reported },
      ])
    })

    test('it is narrowed by person, and read in pages from any entry on', async () => {
      const id = await mine.documents.add(ada, key())
      for (const name of ['a', 'b', 'c']) await theirs.documents.update(id, renamed(name))
      await mine.documents.add(grace, key())
      expect((await list({ by: await idOf(them.email) })).map(({ kind }) => kind)).toEqual(
        Array(3).fill('change'),
      )
      const mineOnly = await list({ by: await idOf(me.email), kind: 'records' })
      expect(mineOnly.map(({ kind }) => kind)).toEqual(['add', 'add'])
      expect(await list({ by: 'nobody' })).toEqual([])
      const all = await list({ kind: 'records' })
      const before = all[1]?.id as string
      expect((await history.listActivity({ kind: 'records', before })).entries.slice(0, 3)).toEqual(
        all.slice(2),
      )
      expect(await list({ kind: 'records', before })).toEqual(all.slice(2))
    })

    /** Reads as many pages as there are: one of a search may be short. */
    async function search(query: ActivityQuery): Promise<ActivityEntry[]> {
      const found: ActivityEntry[] = []
      let before: string | undefined
      do {
        const page = await history.listActivity({
          ...query,
          ...(latest && { after: latest }),
          ...(before && { before }),
        })
        found.push(...page.entries)
        before = page.next
      } while (before !== undefined)
      return found
    }

    test('it is searched for what was done to records, also among others, and by or to people', async () => {
      const id = await mine.documents.add(ada, key())
      const { ids } = await theirs.documents.writeBatch(
        { add: makeEmployees(3), update: [], remove: [] },
        key(),
      )
      const [imported = ''] = ids
      await theirs.documents.update(id, renamed('Ada King'))
      await mine.documents.remove(ids[1] ?? '')
      const team = mine.identity.team as TeamService
      const { token } = await team.createHandover({
        ...{ record: id, seen: renamed('Ada King'), sealed: 'sealed' },
      })
      await (await backend.connect()).identity.team?.takeHandover(token, key())
      const told = async (query: ActivityQuery) =>
        (await search(query)).map((entry) => [entry.kind, entry.by, entry.record])
      const opened = ['open-hand-over', undefined, id]
      const handed = ['hand-over', me.email, id]
      const changed = ['change', them.email, id]
      const added = ['add', me.email, id]
      const batch = ['import', them.email, undefined]
      expect(await told({ records: [id] })).toEqual([opened, handed, changed, added])
      expect(await told({ records: [imported] })).toEqual([batch])
      expect(await told({ records: [imported, id], kind: 'records' })).toEqual([changed, batch, added])
      expect(await told({ records: [id], by: await idOf(them.email) })).toEqual([changed])
      expect(await told({ people: [await idOf(them.email)] })).toEqual([changed, batch])
      expect(await told({ people: [await idOf(me.email)], kind: 'links' })).toEqual([opened, handed])
      expect(await told({ records: ['nothing'], people: ['nobody'] })).toEqual([])
      const leaver = newCredentials()
      await connectSignedIn(backend, leaver)
      await team.removeColleague(await idOf(leaver.email), me.password)
      const ofLeaver = await search({ people: [await idOf(leaver.email)], kind: 'people' })
      expect(withoutIds(ofLeaver)).toMatchObject([
        { kind: 'remove-account', by: me.email, account: leaver.email },
        { kind: 'sign-up', by: leaver.email },
      ])
    })

    test('a search goes on where a page of it ends', async () => {
      const id = await mine.documents.add(ada, key())
      const count = maxActivityPage + 10
      await Promise.all(Array.from({ length: count }, () => history.report({ kind: 'copy', ids: [id] })))
      const found = await search({ records: [id] })
      expect(found.map(({ kind }) => kind)).toEqual([...Array(count).fill('copy'), 'add'])
      expect(new Set(found.map((entry) => entry.id)).size).toBe(count + 1)
    })

    test('it has who joined, was removed and was let in', async () => {
      const team = mine.identity.team as TeamService
      const leaver = newCredentials()
      await connectSignedIn(backend, leaver)
      const id = await idOf(leaver.email)
      await team.removeColleague(id, me.password)
      await expect(team.removeColleague(id, me.password)).rejects.toMatchObject({ code: 'not-found' })
      await team.letIn(id)
      expect(withoutIds(await list({ kind: 'people' }))).toMatchObject([
        { kind: 'let-in-account', by: me.email, account: leaver.email },
        { kind: 'remove-account', by: me.email, account: leaver.email },
        { kind: 'sign-up', by: leaver.email },
      ])
    })

    test('it has the links to credentials that were made, revoked and opened', async () => {
      const record = await mine.documents.add(ada, key())
      const handover = { record, seen: ada, sealed: 'sealed' }
      const team = theirs.identity.team as TeamService
      await team.createHandover(handover)
      const [open] = (await team.listHandovers()).filter((link) => link.record === record)
      await (mine.identity.team as TeamService).revokeHandover(open?.id ?? '')
      const { token } = await team.createHandover(handover)
      const guest = await backend.connect()
      await guest.identity.team?.takeHandover(token, key())
      expect(withoutIds(await list({ kind: 'links' }))).toEqual([
        { kind: 'open-hand-over', account: them.email, record },
        { kind: 'hand-over', by: them.email, record },
        { kind: 'revoke-hand-over', by: me.email, record },
        { kind: 'hand-over', by: them.email, record },
      ])
    })

    test('it has sign-ins and new passwords', async () => {
      const client = await backend.connect()
      await client.identity.signIn(them.email, them.password)
      const password = 'another long password'
      await client.identity.changePassword?.(them.password, password)
      await expect
        .poll(async () => (await list({ kind: 'sign-ins' })).map(({ kind, by }) => [kind, by]))
        .toEqual([
          ['change-password', them.email],
          ['sign-in', them.email],
        ])
      await client.identity.changePassword?.(password, them.password)
    })

    test('a removed colleague reads none of it', async () => {
      const leaver = newCredentials()
      const removed = await connectSignedIn(backend, leaver)
      await historyOf(removed).listActivity({})
      await mine.identity.team?.removeColleague(await idOf(leaver.email), me.password)
      const refused = historyOf(removed).listActivity({})
      await expect(refused).rejects.toMatchObject({
        code: expect.stringMatching(/^not-(signed-in|allowed)$/),
      })
    })

    test('nobody reads it without a session', async () => {
      const stranger = historyOf(await backend.connect())
      await expect(stranger.listActivity({})).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })

  activityModelTest(name, start)
}
