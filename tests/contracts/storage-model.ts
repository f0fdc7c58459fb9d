import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Employee, EmployeeFields } from '../../contract/employees.ts'
import type {
  BatchOutcome,
  EmployeeChange,
  EmployeeStorage,
  IdentifiedBatch,
  WriteOutcome,
} from '../../server/storage/storage.ts'
import { choice } from '../support/arbitraries.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, named, record, renamed } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'
import { createModel, type Write } from './model.ts'
import { type CreateTestStorage, collect } from './provide-storage.ts'

const runCount = isNightly ? 10_000 : 100
/** Runs before a new storage is created. A short list makes comparing it cheap. */
const runsPerStorage = 100
const runsPerOpening = 25

/**
 * Compares the storage with a plain-array model: outcomes, change events, list order, removed records and revisions after the
 * same random writes, also after reopening. Each run is a sequence of rounds; the writes of a round are sent at once.
 */
export function storageModelTest(createTestStorage: CreateTestStorage, key?: Uint8Array): void {
  it(`behaves like a plain-array model, ${key ? 'with' : 'without'} encryption`, {
    timeout: timeouts.longTestMs,
  }, async () => {
    let session = await openSession(createTestStorage, key)
    const property = fc.asyncProperty(arbitraryRounds, async (rounds) => {
      if (session.runs >= runsPerStorage) session = await reopenNew(session)
      session.runs += 1
      try {
        if (session.runs % runsPerOpening === 0) await session.reopen()
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

async function openSession(createTestStorage: CreateTestStorage, key: Uint8Array | undefined) {
  const testStorage = await createTestStorage()
  const events: EmployeeChange[] = []
  const open = async () => {
    const storage = await testStorage.open({ key })
    await storage.employees.subscribe((changes) => events.push(...changes))
    return storage
  }
  let storage = await open()
  return {
    runs: 0,
    get storage() {
      return storage
    },
    events,
    model: createModel(),
    async reopen() {
      await storage.close()
      storage = await open()
    },
    close: () => storage.close(),
  }
}

async function compare({ runs, storage, events, model }: ModelSession, rounds: Write[][]) {
  expect(await collect(storage.employees.load())).toEqual(model.list())
  for (const round of rounds) {
    const writes = round.map((write) => withIdPrefix(write, `${runs}-`))
    const expected = writes.map(model.apply)
    expect(await Promise.all(writes.map((write) => send(storage.employees, write)))).toMatchObject(expected)
  }
  expect(events.splice(0)).toEqual(model.takeChanges())
  expect(await collect(storage.employees.load())).toEqual(model.list())
  expect(await storage.employees.latestRemovals(5)).toEqual(model.latestRemovals(5))
  expect(await storage.history.listDeleted(5)).toMatchObject(model.listDeleted(5))
  expect(await storage.employees.head()).toMatchObject({ revision: model.revision() })
}

function send(employees: EmployeeStorage, write: Write): Promise<WriteOutcome | BatchOutcome> {
  if (write.type === 'writeBatch') return employees.writeBatch(write.batch)
  if (write.type === 'remove') return employees.remove(write.id)
  if (write.type === 'restoreDeleted') return employees.restoreDeleted(write.id)
  if (write.type === 'add') return employees.add(write.id, write.fields)
  return employees[write.type](write.id, write.fields, write.seen)
}

/** Few ids and few values, so that writes meet the same records and `seen` matches often. */
const arbitraryId = fc.constantFrom('a', 'b', 'c', 'd')
const arbitraryFields = fc.constantFrom<EmployeeFields>(
  ada,
  record({ password: 'apple' }),
  named('Eve', { password: 'apple' }),
  renamed('\u0000 Zoë 👩🏽‍💻 "\\\n', record({ email: '', password: '\u200b\u202e' })),
)
const arbitraryEmployee = fc
  .tuple(arbitraryId, arbitraryFields)
  .map(([id, fields]): Employee => ({ id, ...fields }))

const arbitraryBatch: fc.Arbitrary<IdentifiedBatch> = fc.record({
  add: fc.array(arbitraryEmployee, { maxLength: 3 }),
  update: fc.array(fc.record({ seen: arbitraryEmployee, fields: arbitraryFields }), { maxLength: 3 }),
  remove: fc.array(arbitraryEmployee, { maxLength: 3 }),
  restore: fc.array(arbitraryEmployee, { maxLength: 3 }),
})

const oneOf = fc.constantFrom<Write['type'][]>
const [id, fields] = [arbitraryId, arbitraryFields]
const arbitraryWrite = fc.oneof(
  choice(5, { type: oneOf('add', 'update', 'restore'), id, fields }),
  choice(3, { type: oneOf('update', 'restore'), id, fields, seen: fields }),
  choice(3, { type: oneOf('remove', 'remove', 'restoreDeleted'), id }),
  choice(3, { type: oneOf('writeBatch'), batch: arbitraryBatch }),
) as fc.Arbitrary<Write>

const arbitraryRound = fc.array(arbitraryWrite, { minLength: 1, maxLength: 5 })
const arbitraryRounds = fc.array(arbitraryRound, { minLength: 1, maxLength: 8 })

/** Gives each run ids of its own in the shared storage. */
function withIdPrefix(write: Write, prefix: string): Write {
  const rename = <T extends { id: string }>(named: T): T => ({ ...named, id: prefix + named.id })
  if (write.type !== 'writeBatch') return rename(write)
  const { add, update, remove, restore } = write.batch
  const batch = {
    add: add.map(rename),
    update: update.map(({ seen, fields }) => ({ seen: rename(seen), fields })),
    remove: remove.map(rename),
    restore: restore?.map(rename) ?? [],
  }
  return { type: 'writeBatch', batch }
}
