import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import type {
  BatchOutcome,
  EmployeeChange,
  EmployeeStorage,
  IdentifiedBatch,
  RecordOutcome,
  Removal,
  Storage,
  StoredEmployee,
  WriteOutcome,
} from '../../server/storage/storage.ts'
import { isNightly } from '../support/nightly.ts'
import type { TestStorage } from '../support/storage.ts'

const runCount = isNightly ? 10_000 : 300
/** Runs before a new storage is created. A short list makes comparing it cheap. */
const runsPerStorage = 100

type Write =
  | { type: 'add' | 'restore'; id: string; fields: EmployeeFields }
  | { type: 'update'; id: string; fields: EmployeeFields; seen?: EmployeeFields }
  | { type: 'remove'; id: string }
  | { type: 'restoreDeleted'; id: string }
  | { type: 'writeBatch'; batch: IdentifiedBatch }

/**
 * Compares the storage with a plain-array model: outcomes, change events, list order, removals and revisions after the
 * same random writes. Each run is a sequence of rounds; the writes of a round are sent at once.
 */
export function storageModelTest(createTestStorage: () => Promise<TestStorage>, key?: Uint8Array): void {
  it(`behaves like a plain-array model, ${key ? 'with' : 'without'} encryption`, {
    timeout: runCount * 1000,
  }, async () => {
    let session = await openSession(createTestStorage, key)
    const property = fc.asyncProperty(arbitraryRounds, async (rounds) => {
      if (session.runs >= runsPerStorage) session = await reopenNew(session)
      session.runs += 1
      try {
        await compare(session, rounds)
      } catch (error) {
        // The storage and its model may differ now, but fast-check continues with smaller inputs.
        session = await reopenNew(session)
        throw error
      }
    })
    await fc.assert(property, { numRuns: runCount / 2 }).finally(() => session.close())
  })

  async function reopenNew(session: ModelSession) {
    await session.close()
    return openSession(createTestStorage, key)
  }
}

type ModelSession = Awaited<ReturnType<typeof openSession>>

async function openSession(createTestStorage: () => Promise<TestStorage>, key: Uint8Array | undefined) {
  const testStorage = await createTestStorage()
  const storage = await testStorage.open(key ? { key } : {})
  const events: EmployeeChange[] = []
  await storage.employees.subscribe((changes) => events.push(...changes))
  return {
    runs: 0,
    storage,
    events,
    model: createModel(),
    async close() {
      await storage.close()
      await testStorage.remove()
    },
  }
}

async function compare({ runs, storage, events, model }: ModelSession, rounds: Write[][]) {
  for (const round of rounds) {
    const writes = round.map((write) => withIdPrefix(write, `${runs}-`))
    const expected = writes.map(model.apply)
    expect(await Promise.all(writes.map((write) => send(storage.employees, write)))).toMatchObject(expected)
  }
  expect(events.splice(0)).toEqual(model.takeChanges())
  expect(await loadAll(storage)).toEqual(model.list())
  expect(await storage.employees.latestRemovals(5)).toEqual(model.latestRemovals(5))
  expect(await storage.employees.head()).toMatchObject({ revision: model.revision() })
}

function send(employees: EmployeeStorage, write: Write): Promise<WriteOutcome | BatchOutcome> {
  if (write.type === 'writeBatch') return employees.writeBatch(write.batch)
  if (write.type === 'remove') return employees.remove(write.id)
  if (write.type === 'restoreDeleted') return employees.restoreDeleted(write.id)
  if (write.type === 'update') return employees.update(write.id, write.fields, write.seen)
  return employees[write.type](write.id, write.fields)
}

async function loadAll(storage: Storage): Promise<StoredEmployee[]> {
  const employees: StoredEmployee[] = []
  for await (const page of storage.employees.load()) employees.push(...page)
  return employees
}

interface ModelRow {
  id: string
  revision: number
  /** Undefined once the record is removed. */
  fields: EmployeeFields | undefined
  /** Those that it had before. */
  last?: EmployeeFields | undefined
}

/** The rules of the storage, on an array in order of creation. */
function createModel() {
  const rows: ModelRow[] = []
  let changes: EmployeeChange[] = []
  let revision = 0

  const find = (id: string) => rows.find((row) => row.id === id)
  const seqOf = (row: ModelRow) => rows.indexOf(row) + 1

  function write(row: ModelRow, fields: EmployeeFields | undefined): RecordOutcome {
    revision += 1
    Object.assign(row, { revision, fields, last: row.fields })
    const head = { id: row.id, seq: seqOf(row), revision }
    changes.push(fields ? { type: 'saved', ...head, ...fields } : { type: 'removed', ...head })
    return { outcome: 'done', seq: head.seq, revision }
  }

  const unchanged = (row: ModelRow): RecordOutcome => ({
    outcome: 'unchanged',
    seq: seqOf(row),
    revision: row.revision,
  })

  function add(id: string, fields: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (row) return unchanged(row)
    rows.push({ id, revision: 0, fields: undefined })
    return write(rows.at(-1) as ModelRow, fields)
  }

  function replace(id: string, fields: EmployeeFields | undefined): WriteOutcome {
    const row = find(id)
    return row?.fields ? write(row, fields) : { outcome: 'not-found' }
  }

  function update(id: string, fields: EmployeeFields, seen: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (!row?.fields) return { outcome: 'not-found' }
    const merged = { ...row.fields }
    for (const name of fieldNames) {
      if (fields[name] === seen[name] || fields[name] === merged[name]) continue
      if (merged[name] !== seen[name]) return { ...unchanged(row), outcome: 'conflict', fields: row.fields }
      merged[name] = fields[name]
    }
    return { ...(isSame(merged, row.fields) ? unchanged(row) : write(row, merged)), fields: merged }
  }

  function restore(id: string, fields: EmployeeFields): WriteOutcome {
    const row = find(id)
    if (!row) return { outcome: 'not-found' }
    if (!row.fields) return write(row, fields)
    return isSame(row.fields, fields) ? unchanged(row) : { outcome: 'id-in-use' }
  }

  function restoreDeleted(id: string): WriteOutcome {
    const row = find(id)
    if (row?.fields) return unchanged(row)
    const fields = row?.last
    return row && fields ? { ...write(row, fields), fields } : { outcome: 'not-found' }
  }

  function replaceSeen(seen: Employee, fields: EmployeeFields | undefined): string[] {
    const { id, ...seenFields } = seen
    const current = find(id)?.fields
    if (isSame(current, fields)) return []
    if (!isSame(current, seenFields)) return [id]
    replace(id, fields)
    return []
  }

  function writeBatch(batch: IdentifiedBatch): BatchOutcome {
    for (const { id, ...fields } of batch.add) add(id, fields)
    const kept = [
      ...batch.update.flatMap(({ seen, fields }) => replaceSeen(seen, fields)),
      ...batch.remove.flatMap((seen) => replaceSeen(seen, undefined)),
    ]
    return { outcome: 'done', revision, kept }
  }

  return {
    apply(this: void, write: Write): WriteOutcome | BatchOutcome {
      if (write.type === 'writeBatch') return writeBatch(write.batch)
      if (write.type === 'remove') return replace(write.id, undefined)
      if (write.type === 'restoreDeleted') return restoreDeleted(write.id)
      if (write.type === 'add') return add(write.id, write.fields)
      if (write.type === 'update') {
        return write.seen ? update(write.id, write.fields, write.seen) : replace(write.id, write.fields)
      }
      return restore(write.id, write.fields)
    },
    revision: () => revision,
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
    list: (): StoredEmployee[] =>
      rows.flatMap((row) =>
        row.fields ? [{ id: row.id, seq: seqOf(row), revision: row.revision, ...row.fields }] : [],
      ),
    latestRemovals: (limit: number): Removal[] =>
      rows
        .filter(({ fields }) => !fields)
        .sort((a, b) => b.revision - a.revision)
        .slice(0, limit)
        .map((row) => ({ id: row.id, seq: seqOf(row), revision: row.revision })),
  }
}

const isSame = (a: EmployeeFields | undefined, b: EmployeeFields | undefined) =>
  JSON.stringify(a && [a.eName, a.email, a.password]) === JSON.stringify(b && [b.eName, b.email, b.password])

const fieldNames = ['eName', 'email', 'password'] as const

/** Few ids and few values, so that writes meet the same records and `seen` matches often. */
const arbitraryId = fc.constantFrom('a', 'b', 'c', 'd')
const arbitraryFields = fc.constantFrom<EmployeeFields>(
  { eName: 'Ada', email: 'ada@example.com', password: 'engine' },
  { eName: 'Ada', email: 'ada@example.com', password: 'apple' },
  { eName: 'Eve', email: 'eve@example.com', password: 'apple' },
  { eName: '\u0000', email: '', password: 'é👩‍💻' },
)
const arbitraryEmployee = fc
  .tuple(arbitraryId, arbitraryFields)
  .map(([id, fields]): Employee => ({ id, ...fields }))

const arbitraryBatch: fc.Arbitrary<IdentifiedBatch> = fc.record({
  add: fc.array(arbitraryEmployee, { maxLength: 3 }),
  update: fc.array(fc.record({ seen: arbitraryEmployee, fields: arbitraryFields }), { maxLength: 3 }),
  remove: fc.array(arbitraryEmployee, { maxLength: 3 }),
})

const arbitraryWrite: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('add' as const, 'update' as const, 'restore' as const),
      id: arbitraryId,
      fields: arbitraryFields,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('update' as const),
      id: arbitraryId,
      fields: arbitraryFields,
      seen: arbitraryFields,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('remove' as const, 'remove' as const, 'restoreDeleted' as const),
      id: arbitraryId,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('writeBatch' as const), batch: arbitraryBatch }),
  },
)

const arbitraryRounds = fc.array(fc.array(arbitraryWrite, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 8,
})

/** Gives each run ids of its own in the shared storage. */
function withIdPrefix(write: Write, prefix: string): Write {
  const rename = <T extends { id: string }>(named: T): T => ({ ...named, id: prefix + named.id })
  if (write.type !== 'writeBatch') return rename(write)
  const { add, update, remove } = write.batch
  const batch = {
    add: add.map(rename),
    update: update.map(({ seen, fields }) => ({ seen: rename(seen), fields })),
    remove: remove.map(rename),
  }
  return { type: 'writeBatch', batch }
}
