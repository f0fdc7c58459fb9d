import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Batch, describeRestored } from '../../contract/batches.ts'
import { type Employee, type EmployeeFields, pickFields } from '../../contract/employees.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import { ServiceError } from '../../web/backends/ports.ts'
import { choice } from '../support/arbitraries.ts'
import {
  connectSignedIn,
  type TestBackend,
  type TestClient,
  whenReachable,
} from '../support/backend-client.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, named, record, renamed } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'
import { createModel, type Write } from './model.ts'

/** A call of the port. An equal `key` of the same client is the same idempotency key. */
type Step =
  | { type: 'add'; key: string; fields: EmployeeFields }
  | { type: 'update'; target: number; fields: EmployeeFields; seen?: EmployeeFields | undefined }
  | { type: 'remove'; target: number }
  | { type: 'restore'; target: number; fields: EmployeeFields; seen?: EmployeeFields | undefined }
  | { type: 'writeBatch'; key: string; changes: BatchStep }
  | { type: 'switchClient' }

interface BatchStep {
  add: EmployeeFields[]
  update: (Seen & { fields: EmployeeFields })[]
  remove: Seen[]
  restore?: Seen[]
}

interface Seen {
  target: number
  seen: EmployeeFields
}

/** What a call has resolved or rejected with. */
interface Answer<T> {
  value?: T
  code?: string
  field?: string | undefined
  id?: string | undefined
}

type Clients = [TestClient, TestClient]

/** A backend keeps what was removed, and takes longer for each call the more that is. */
const sequencesPerBackend = 100

async function openSession(start: () => Promise<TestBackend>) {
  const backend = await start()
  const clients: Clients = [await connectSignedIn(backend), await connectSignedIn(backend)]
  return { backend, clients, sequences: 0 }
}

/**
 * Compares a document store with the model that the storage is compared with: results, errors and lists after the same
 * random calls of two clients. Each sequence begins with an empty register. `nightlyCount`: how many sequences the long form has.
 * `recognizedFor`: how many later changes of a record a service still recognizes a change of a repeated batch after.
 */
export function documentsModelTest(
  name: string,
  start: () => Promise<TestBackend>,
  { nightlyCount = 10_000, recognizedFor = Number.POSITIVE_INFINITY } = {},
): void {
  test(`document store: ${name}: any sequence of calls behaves like a plain-array model (§7)`, {
    timeout: timeouts.longTestMs,
  }, async () => {
    let session = await openSession(start)
    const property = fc.asyncProperty(arbitrarySteps, async (steps) => {
      if (session.sequences === sequencesPerBackend) {
        await session.backend.stop()
        session = await openSession(start)
      }
      session.sequences += 1
      const { clients } = session
      const sequence = createSequence(clients, recognizedFor)
      try {
        await sequence.compareList()
        for (const step of steps) await sequence.execute(step)
        await sequence.finish()
      } catch (error) {
        // fast-check continues with smaller sequences.
        const { documents } = clients[0]
        for (const { id } of await whenReachable(() => documents.list())) await documents.remove(id)
        throw error
      }
    })
    const parameters = { numRuns: isNightly ? nightlyCount : 15, examples }
    await fc.assert(property, parameters).finally(() => session.backend.stop())
  })
}

/** The model derives the id of a record from its client and key. */
function createSequence(clients: Clients, recognizedFor: number) {
  const model = createModel()
  /** The service's ids by those of the model. */
  const ids = new Map([[unknownId, 'unknown0000000000000']])
  const keys = new Map<string, string>()
  const batches = new Map<string, Batch>()
  /** How many changes each record has had, now and after each change of a batch. */
  const changeCounts = new Map<string, number>()
  const doneByBatch = new Map<string, Map<string, number>>()
  let index: 0 | 1 = 0
  let { documents } = clients[index]

  const toRealId = (id: string): string => ids.get(id) ?? `no answer named ${id}`
  const toRealIdOrNull = (id: string | undefined) => (id === undefined ? null : toRealId(id))
  const withRealId = (employee: Employee): Employee => ({ ...employee, id: toRealId(employee.id) })
  const pick = (target: number) => [...ids.keys()][target % ids.size] as string

  /** A rejected call uses up no key: Firestore orders records by the first call. */
  function keyOf(id: string, invalid: Answer<never> | undefined): string {
    const key = keys.get(id) ?? newIdempotencyKey()
    if (!invalid) keys.set(id, key)
    return key
  }

  function learnId(id: string, realId: string | undefined) {
    if (realId && !ids.has(id) && !ids.values().some((used) => used === realId)) ids.set(id, realId)
  }

  function apply(write: Write) {
    const written = model.apply(write)
    for (const { id } of model.takeChanges()) changeCounts.set(id, (changeCounts.get(id) ?? 0) + 1)
    return written
  }

  /** A client that begins or goes on has to read the list, since its answers depend on what it knows. */
  async function compareList() {
    const expected = model.list().map(({ id, ...fields }) => ({ id: toRealId(id), ...pickFields(fields) }))
    expect(await whenReachable(() => documents.list())).toEqual(expected)
  }

  /** The other client goes on. */
  function switchClient(): Promise<void> {
    index = index === 0 ? 1 : 0
    documents = clients[index].documents
    return compareList()
  }

  async function add(id: string, fields: EmployeeFields) {
    const invalid = findInvalid(fields)
    const callKey = keyOf(id, invalid)
    const answer = await settle(() => documents.add(fields, callKey))
    if (invalid) return expect(answer).toEqual(invalid)
    apply({ type: 'add', id, fields })
    // A service may tell that the fields of the first call were others; it names the record too.
    const realId = answer.code === 'key-reused' ? answer.id : answer.value
    learnId(id, realId)
    expect(realId).toBe(toRealId(id))
  }

  async function update(id: string, fields: EmployeeFields, seen?: EmployeeFields) {
    const answer = await settle(() => documents.update(toRealId(id), fields, seen))
    expect(answer).toEqual(findInvalid(fields) ?? expectUpdated({ type: 'update', id, fields, seen }))
  }

  function expectUpdated(write: Write & { fields: EmployeeFields }): Answer<EmployeeFields> {
    const written = apply(write)
    if (written.outcome === 'not-found' || written.outcome === 'conflict') return { code: written.outcome }
    return { value: 'fields' in written && written.fields ? written.fields : write.fields }
  }

  async function remove(id: string) {
    expect(await settle(() => documents.remove(toRealId(id)))).toEqual({ value: undefined })
    apply({ type: 'remove', id })
  }

  async function restore(id: string, fields: EmployeeFields, seen?: EmployeeFields) {
    // Not in the contract: a service that keeps no trace of removed records can't know which ids never existed.
    if (id === unknownId) return
    const answer = await settle(() => documents.restore({ id: toRealId(id), ...fields }, seen))
    expect(answer).toEqual(findInvalid(fields) ?? expectRestored({ type: 'restore', id, fields, seen }))
  }

  function expectRestored(write: Extract<Write, { seen?: unknown }>): Answer<unknown> {
    const written = apply(write)
    if (written.outcome === 'id-in-use') return { code: 'id-in-use' }
    const { id, fields } = write
    const restored = 'fields' in written && written.fields ? written.fields : fields
    const listed = model.list().map((record) => record.id)
    const after = toRealIdOrNull(listed[listed.indexOf(id) - 1])
    return { value: { document: { id: toRealId(id), ...restored }, after } }
  }

  async function writeBatch(baseId: string, batch: Batch) {
    const { add, update, remove, restore = [] } = batch
    const invalid = findInvalidInBatch(batch)
    const callKey = keyOf(baseId, invalid)
    const sent = {
      add,
      update: update.map(({ seen, fields }) => ({ seen: withRealId(seen), fields })),
      remove: remove.map(withRealId),
      restore: restore.map(withRealId),
    }
    const answer = await settle(() => documents.writeBatch(sent, callKey))
    if (invalid) return expect(answer).toEqual(invalid)
    const withIds = add.map((fields, row) => ({ id: `${baseId}${row}`, ...fields }))
    for (const [row, { id }] of withIds.entries()) learnId(id, answer.value?.ids[row])
    const isRepeated = doneByBatch.has(baseId)
    const rest = leaveOutDone(baseId, batch)
    const before = new Map(changeCounts)
    const written = apply({ type: 'writeBatch', batch: { ...rest, add: withIds } })
    const changed = [...changeCounts].filter(([id, count]) => count !== before.get(id))
    doneByBatch.set(baseId, new Map([...(doneByBatch.get(baseId) ?? []), ...changed]))
    const { kept, restored } = 'kept' in written ? written : { kept: [], restored: [] }
    const expected = { ids: withIds.map(({ id }) => toRealId(id)), kept: kept.map(toRealId) }
    // What a repeated batch has restored may have changed since. The page reads the list.
    if (isRepeated) return expect(answer).toMatchObject({ value: expected })
    const listed = model.list().map((record) => record.id)
    const placed = listed.flatMap((id, i) => {
      const found = restored.findLast((each) => each.id === id)
      return found ? [describeRestored(toRealId(id), toRealIdOrNull(listed[i - 1]), found.fields)] : []
    })
    expect(answer).toEqual({ value: { ...expected, restored: placed } })
  }

  /** What the batch with this key has done is not done again, also if it was undone since. */
  function leaveOutDone(baseId: string, { add, update, remove, restore = [] }: Batch): Batch {
    const done = doneByBatch.get(baseId)
    const isLeft = (id: string) => {
      const count = done?.get(id)
      return count === undefined || (changeCounts.get(id) ?? 0) - count >= recognizedFor
    }
    return {
      add,
      update: update.filter(({ seen }) => isLeft(seen.id)),
      remove: remove.filter(({ id }) => isLeft(id)),
      restore: restore.filter(({ id }) => isLeft(id)),
    }
  }

  /** A batch that names a record twice is not repeated: services recognize its changes in different ways. */
  function toBaseId(key: string): string {
    const baseId = `${index}${key}`
    const { update = [], remove = [], restore = [] } = batches.get(baseId) ?? {}
    const named = [...update.map(({ seen }) => seen.id), ...[...remove, ...restore].map(({ id }) => id)]
    return new Set(named).size < named.length ? `${baseId}-${batches.size}-` : baseId
  }

  /** Repeats the batch with this key, if there is one. */
  function toBatch(baseId: string, { add, update, remove, restore = [] }: BatchStep): Batch {
    const toSeen = ({ target, seen }: Seen): Employee => ({ id: pick(target), ...seen })
    const batch = batches.get(baseId) ?? {
      add,
      update: update.map(({ fields, ...seen }) => ({ seen: toSeen(seen), fields })),
      remove: remove.map(toSeen),
      // As for a restore of one record, what ids never existed is not in the contract.
      restore: restore.map(toSeen).filter(({ id }) => id !== unknownId),
    }
    batches.set(baseId, batch)
    return batch
  }

  return {
    compareList,
    async execute(step: Step): Promise<void> {
      if (step.type === 'switchClient') return switchClient()
      if (step.type === 'add') return add(`${index}${step.key}`, step.fields)
      if (step.type === 'writeBatch') {
        const baseId = toBaseId(step.key)
        return writeBatch(baseId, toBatch(baseId, step.changes))
      }
      const id = pick(step.target)
      if (step.type === 'update') return update(id, step.fields, step.seen)
      if (step.type === 'remove') return remove(id)
      return restore(id, step.fields, step.seen)
    },
    /** Compares the lists of both clients, then removes all records. */
    async finish(): Promise<void> {
      await compareList()
      await switchClient()
      const remove = model.list().map(({ seq: _, revision: __, ...seen }) => seen)
      await writeBatch('finish', { add: [], update: [], remove })
    },
  }
}

const unknownId = 'unknown'

/**
 * Repeats the call until the service has answered, which changes no answer, except for a batch that names a record twice
 * and has been written without an answer.
 */
async function settle<T>(call: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await whenReachable(call) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { code: error.code, field: error.field, id: error.id }
  }
}

const findInvalid = ({ password }: EmployeeFields, path = ''): Answer<never> | undefined =>
  password === '' ? { code: 'invalid-request', field: `${path}password` } : undefined

function findInvalidInBatch({ add, update, restore = [] }: Batch): Answer<never> | undefined {
  const errors = [
    ...add.map((fields, i) => findInvalid(fields, `add/${i}/`)),
    ...update.map(({ fields }, i) => findInvalid(fields, `update/${i}/fields/`)),
    ...restore.map((fields, i) => findInvalid(fields, `restore/${i}/`)),
  ]
  return errors.find((error) => error !== undefined)
}

const eve = named('Eve', { password: 'apple' })
const add = (key: string, fields: EmployeeFields): Step => ({ type: 'add', key, fields })
const remove = (target: number): Step => ({ type: 'remove', target })
const restore = (target: number, fields: EmployeeFields): Step => ({ type: 'restore', target, fields })
const writeBatch = (changes: Partial<BatchStep>): Step => ({
  type: 'writeBatch',
  key: 'x',
  changes: { add: [], update: [], remove: [], ...changes },
})

/** Few keys, targets and values, so that calls meet the same records and `seen` matches often. */
const key = fc.constantFrom('a', 'b', 'c')
const target = fc.nat(7)
const unusual = renamed('\u0000', record({ password: 'é👩‍💻' }))
const seen = fc.constantFrom(ada, record({ password: 'apple' }), eve, unusual)
const fields = fc.oneof(
  { weight: 15, arbitrary: seen },
  { weight: 1, arbitrary: fc.constant(record({ password: '' })) },
)

const arbitraryBatch: fc.Arbitrary<BatchStep> = fc.record({
  add: fc.array(fields, { maxLength: 3 }),
  update: fc.array(fc.record({ target, seen, fields }), { maxLength: 3 }),
  remove: fc.array(fc.record({ target, seen }), { maxLength: 3 }),
  restore: fc.array(fc.record({ target, seen: fields }), { maxLength: 3 }),
})

const is = fc.constant<Step['type']>
const arbitraryStep = fc.oneof(
  choice(5, { type: is('add'), key, fields }),
  choice(2, { type: is('update'), target, fields }),
  choice(3, { type: is('update'), target, fields, seen }),
  choice(2, { type: is('remove'), target }),
  choice(1, { type: is('restore'), target, fields }),
  choice(2, { type: is('restore'), target, fields, seen }),
  choice(3, { type: is('writeBatch'), key: fc.constantFrom('x', 'y'), changes: arbitraryBatch }),
  choice(2, { type: is('switchClient') }),
) as fc.Arbitrary<Step>

const arbitrarySteps = fc.array(arbitraryStep, { minLength: 1, maxLength: 12 })

/** What random sequences seldom have: restores of a present record, and after a batch that has skipped some changes. */
const examples: [Step[]][] = [
  [[add('a', ada), restore(1, ada), restore(1, eve)]],
  [
    [
      ...[add('a', ada), add('b', eve), add('c', ada), remove(3), remove(2)],
      writeBatch({ update: [{ target: 2, seen: eve, fields: ada }], remove: [{ target: 1, seen: eve }] }),
      restore(3, ada),
    ],
  ],
  [
    [
      ...[add('a', ada), add('b', eve), remove(2)],
      writeBatch({ remove: [eve, ada].map((seen) => ({ target: 1, seen })) }),
      restore(2, eve),
    ],
  ],
]
