import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EmployeeFields } from '../../contract/employees.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import { connectSignedIn, newCredentials } from '../support/backend-client.ts'
import { startBackend } from '../support/firebase/backend.ts'
import { isNightly } from '../support/nightly.ts'
import { record } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'

const runCount = isNightly ? 200 : 8

/** Few targets and passwords, so that a change often sets one that is or was there. */
interface Step {
  type: 'add' | 'import' | 'update' | 'batch' | 'remove' | 'undo' | 'restore' | 'switch' | 'leave'
  target: number
  password: string
}

const weights: Record<Step['type'], number> = {
  add: 3,
  import: 2,
  update: 6,
  batch: 3,
  remove: 3,
  undo: 2,
  restore: 2,
  switch: 2,
  leave: 2,
}
const types = Object.entries(weights).flatMap(([type, weight]) => Array<string>(weight).fill(type))
const step = fc.record({
  type: fc.constantFrom(...(types as Step['type'][])),
  target: fc.nat(3),
  password: fc.constantFrom('apple', 'bread', 'cheese'),
})

interface ModelRecord {
  exists: boolean
  fields: EmployeeFields
  changedBy: string
  /** Those that it had while the leaver could read them. */
  known: Set<string>
}

test(`who knows what, who has last changed what and what is deleted is as in a model: ${runCount} sequences`, {
  timeout: timeouts.longTestMs,
}, async () => {
  const backend = await startBackend()
  const people = [newCredentials(), newCredentials()] as const
  const clients = [
    await connectSignedIn(backend, people[0]),
    await connectSignedIn(backend, people[1]),
  ] as const

  const runSteps = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    const leaver = newCredentials()
    await connectSignedIn(backend, leaver)
    const colleagues = (await clients[0].identity.team?.listColleagues()) ?? []
    const { id: leaverId = '' } = colleagues.find(({ email }) => email === leaver.email) ?? {}
    const records = new Map<string, ModelRecord>()
    let who: 0 | 1 = 0
    let hasLeft = false

    function save(id: string, fields: EmployeeFields) {
      const known = records.get(id)?.known ?? new Set()
      if (!hasLeft) known.add(fields.password)
      records.set(id, { exists: true, fields, changedBy: people[who].email, known })
    }

    async function execute({
      type,
      target,
      password,
    }: typeof step extends fc.Arbitrary<infer S> ? S : never) {
      const { documents, identity } = clients[who]
      const fields = record({ password })
      const key = newIdempotencyKey()
      if (type === 'add') return save(await documents.add(fields, key), fields)
      if (type === 'import') {
        const { ids } = await documents.writeBatch({ add: [fields, fields], update: [], remove: [] }, key)
        for (const id of ids) save(id, fields)
        return
      }
      if (type === 'switch') {
        who = who === 0 ? 1 : 0
        return
      }
      if (type === 'leave') {
        if (hasLeft) return
        await (identity.team as TeamService).removeColleague(leaverId, people[who].password)
        hasLeft = true
        return
      }
      const [id, stored] = [...records][target % Math.max(records.size, 1)] ?? []
      if (!id || !stored) return
      if (!stored.exists) {
        if (type === 'undo') await documents.restore({ id, ...fields })
        if (type === 'restore') await (documents.history as HistoryService).restoreDeleted(id)
        if (type === 'undo' || type === 'restore') save(id, type === 'undo' ? fields : stored.fields)
      } else if (type === 'update') {
        await documents.update(id, fields)
        if (fields.password !== stored.fields.password) save(id, fields)
      } else if (type === 'batch') {
        const update = [{ seen: { id, ...stored.fields }, fields }]
        await documents.writeBatch({ add: [], update, remove: [] }, key)
        if (fields.password !== stored.fields.password) save(id, fields)
      } else if (type === 'remove') {
        await documents.remove(id)
        records.set(id, { ...stored, exists: false, changedBy: people[who].email })
      }
    }

    for (const each of steps) await execute(each)
    const existing = [...records].filter(([, { exists }]) => exists)
    const ids = existing.map(([id]) => id).sort()
    for (const { documents } of clients) {
      const history = documents.history as HistoryService
      await documents.list()
      const details = await history.details()
      const changed = details.map(({ id, changedBy }) => [id, changedBy]).sort()
      expect(changed).toEqual(existing.map(([id, { changedBy }]) => [id, changedBy]).sort())
      const deleted = (await history.listDeleted()).documents.filter(({ id }) => records.has(id))
      const gone = [...records].filter(([, { exists }]) => !exists)
      expect(deleted.map(({ id, password, deletedBy }) => [id, password, deletedBy]).sort()).toEqual(
        gone.map(([id, { fields, changedBy }]) => [id, fields.password, changedBy]).sort(),
      )
      const known = existing.filter(([, { fields, known }]) => known.has(fields.password))
      const exposed = hasLeft
        ? { ids: known.map(([id]) => id).sort(), canSignIn: false }
        : { ids, canSignIn: true }
      expect(await history.listExposed(leaverId)).toEqual(exposed)
    }
    for (const [id] of existing) await clients[0].documents.remove(id)
  })
  await fc.assert(runSteps, { numRuns: runCount, endOnFailure: true }).finally(() => backend.stop())
})
