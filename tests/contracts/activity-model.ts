import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ActivityEntry, type ActivityGroup, activityGroups } from '../../contract/activity/activity.ts'
import type { EmployeeFields } from '../../contract/employees.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import {
  connectSignedIn,
  newCredentials,
  type TestBackend,
  type TestClient,
} from '../support/backend-client.ts'
import { isNightly } from '../support/nightly.ts'
import { record } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'

const runCount = isNightly ? 100 : 2

const weights = {
  add: 3,
  import: 2,
  update: 4,
  'update in a batch': 2,
  remove: 2,
  'remove in a batch': 2,
  restore: 2,
  'restore what was deleted': 2,
  reveal: 2,
  export: 1,
  'hand over': 2,
  revoke: 1,
  open: 1,
  'remove or let in somebody': 2,
  switch: 3,
}
type StepType = keyof typeof weights

const types = Object.entries(weights).flatMap(([type, weight]) =>
  Array<StepType>(weight).fill(type as StepType),
)
const arbitraryStep = fc.record({ type: fc.constantFrom(...types), target: fc.nat(3) })
type Step = typeof arbitraryStep extends fc.Arbitrary<infer S> ? S : never

/** What an entry says, without its id and time. A batch of one may have its record or the number 1. */
interface Told {
  kind: ActivityEntry['kind']
  by?: string
  account?: string
  record?: string | undefined
  count?: number
  isReported?: true
}

interface ModelRecord {
  exists: boolean
  fields: EmployeeFields
}

/** Each has three people, and a server lets 100 an hour sign up from an address. */
const sequencesPerBackend = 20

/** Predicts the activity after any sequence of acts of two members: all of it, each kind, and what each of them did. */
export function activityModelTest(name: string, start: () => Promise<TestBackend>): void {
  test(`activity: ${name}: it is as a model predicts: ${runCount} sequences`, {
    timeout: timeouts.longTestMs,
  }, async () => {
    let backend = await start()
    let sequences = 0
    const runSteps = fc.asyncProperty(
      fc.array(arbitraryStep, { minLength: 6, maxLength: 16 }),
      async (steps) => {
        if (sequences === sequencesPerBackend) {
          await backend.stop()
          backend = await start()
          sequences = 0
        }
        sequences += 1
        const team = await startTeam(backend)
        for (const step of steps) await team.execute(step)
        await team.compare()
      },
    )
    await fc.assert(runSteps, { numRuns: runCount, endOnFailure: true }).finally(() => backend.stop())
  })
}

async function startTeam(backend: TestBackend) {
  const people = [newCredentials(), newCredentials(), newCredentials()]
  const clients: TestClient[] = []
  for (const credentials of people) clients.push(await connectSignedIn(backend, credentials))
  const [first] = clients as [TestClient]
  const colleagues = (await first.identity.team?.listColleagues()) ?? []
  const ids = people.map((person) => colleagues.find(({ email }) => email === person.email)?.id ?? '')
  const begin = (await (first.documents.history as HistoryService).listActivity({})).entries[0]?.id

  const records = new Map<string, ModelRecord>()
  /** The latest first. */
  const told: Told[] = []
  const links: { id: string; token: string; record: string; by: string }[] = []
  let [who, passwords, isThirdRemoved] = [0, 0, false]

  /** Each text is new, so that every change is one. */
  const newFields = () => record({ password: `password ${passwords++}` })
  const emailOf = (index: number) => people[index]?.email ?? ''
  const tell = (entry: Told) => told.unshift({ by: emailOf(who), ...entry })

  function save(id: string, fields: EmployeeFields, exists = true) {
    // A changed or deleted password ends its links.
    for (let i = links.length; i-- > 0; ) if (links[i]?.record === id) links.splice(i, 1)
    records.set(id, { exists, fields })
  }

  async function actOnAll({ type }: Step): Promise<boolean> {
    const { documents, identity } = clients[who] as TestClient
    const team = identity.team as TeamService
    const fields = newFields()
    switch (type) {
      case 'switch':
        who = 1 - who
        return true
      case 'add': {
        const id = await documents.add(fields, key())
        save(id, fields)
        tell({ kind: 'add', record: id })
        return true
      }
      case 'import': {
        const add = [fields, newFields()]
        const made = await documents.writeBatch({ add, update: [], remove: [] }, key())
        for (const [i, id] of made.ids.entries()) save(id, add[i] as EmployeeFields)
        tell({ kind: 'import', count: 2 })
        return true
      }
      case 'export':
        await documents.history?.report({ kind: 'export-passwords', count: 7 })
        tell({ kind: 'export-passwords', count: 7, isReported: true })
        return true
      case 'remove or let in somebody': {
        const [id = '', account = ''] = [ids[2], emailOf(2)]
        await (isThirdRemoved ? team.letIn(id) : team.removeColleague(id, people[who]?.password ?? ''))
        tell({ kind: isThirdRemoved ? 'let-in-account' : 'remove-account', account })
        isThirdRemoved = !isThirdRemoved
        return true
      }
      case 'revoke':
      case 'open': {
        const link = links.pop()
        if (!link) return true
        if (type === 'revoke') await team.revokeHandover(link.id)
        else await (await backend.connect()).identity.team?.takeHandover(link.token, key())
        const about = { record: link.record }
        if (type === 'revoke') tell({ kind: 'revoke-hand-over', ...about })
        else told.unshift({ kind: 'open-hand-over', account: link.by, ...about })
        return true
      }
      default:
        return false
    }
  }

  async function actOnPresent(type: StepType, id: string, seen: EmployeeFields) {
    const { documents, identity } = clients[who] as TestClient
    const fields = newFields()
    switch (type) {
      case 'update':
        await documents.update(id, fields)
        save(id, fields)
        return tell({ kind: 'change', record: id })
      case 'update in a batch':
        await documents.writeBatch(
          { add: [], update: [{ seen: { id, ...seen }, fields }], remove: [] },
          key(),
        )
        save(id, fields)
        return tell({ kind: 'change', count: 1 })
      case 'remove':
        await documents.remove(id)
        save(id, seen, false)
        return tell({ kind: 'delete', record: id })
      case 'remove in a batch':
        await documents.writeBatch({ add: [], update: [], remove: [{ id, ...seen }] }, key())
        save(id, seen, false)
        return tell({ kind: 'delete', count: 1 })
      case 'reveal':
        await documents.history?.report({ kind: 'reveal', ids: [id] })
        return tell({ kind: 'reveal', record: id, isReported: true })
      case 'hand over': {
        const team = identity.team as TeamService
        const made = await team.createHandover({ record: id, seen, sealed: 'sealed' })
        links.push({ ...made, record: id, by: emailOf(who) })
        return tell({ kind: 'hand-over', record: id })
      }
    }
  }

  async function actOnDeleted(type: StepType, id: string, last: EmployeeFields) {
    const { documents } = clients[who] as TestClient
    if (type === 'restore') await documents.restore({ id, ...last })
    else if (type === 'restore what was deleted') await documents.history?.restoreDeleted(id)
    else return
    save(id, last)
    tell({ kind: 'restore', record: id })
  }

  async function expectActivity(kind: ActivityGroup | undefined, author: number | undefined) {
    const groups: readonly string[] | undefined = kind && activityGroups[kind]
    const expected = told.filter(
      (entry) =>
        (!groups || groups.includes(entry.kind)) && (author === undefined || entry.by === emailOf(author)),
    )
    const query = { ...(kind && { kind }), ...(author !== undefined && { by: ids[author] ?? '' }) }
    for (const { documents } of clients.slice(0, 2)) {
      const { entries } = await (documents.history as HistoryService).listActivity({
        ...query,
        ...(begin && { after: begin }),
      })
      expect(entries.map(normalize), JSON.stringify(query)).toEqual(expected.map(normalize))
    }
  }

  return {
    async execute(step: Step) {
      if (await actOnAll(step)) return
      const [id, known] = [...records][step.target % Math.max(records.size, 1)] ?? []
      if (!id || !known) return
      await (known.exists ? actOnPresent : actOnDeleted)(step.type, id, known.fields)
    },
    async compare() {
      await expectActivity(undefined, undefined)
      for (const kind of ['records', 'secrets', 'links', 'people', 'files'] as const)
        await expectActivity(kind, undefined)
      for (const author of [0, 1]) await expectActivity(undefined, author)
      for (const [id, { exists }] of records) if (exists) await first.documents.remove(id)
    },
  }
}

function normalize({ kind, by, account, record, count, isReported }: Told): Told {
  // Firestore names the only record of a batch.
  const about =
    record !== undefined && (kind === 'change' || kind === 'delete') ? { count: 1 } : { record, count }
  return JSON.parse(JSON.stringify({ kind, by, account, isReported, ...about }))
}
