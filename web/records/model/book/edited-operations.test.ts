import { describe, expect, test, vi } from 'vitest'
import {
  changedNames,
  type EmployeeFields,
  emptyFields,
  hasSameFields,
} from '../../../../contract/employees.ts'
import { connectSignedIn } from '../../../../tests/support/backend-client.ts'
import { createMemoryBackend } from '../../../../tests/support/memory-services.ts'
import { ada, renamed } from '../../../../tests/support/people.ts'
import { createServiceError } from '../../../backends/service-error.ts'
import { addEdited, updateEdited } from './edited-operations.ts'
import type { Operation, OwnChanges, SentFields } from './operation.ts'

const edited = renamed('Ada King')
const editedAgain = { ...edited, email: 'king@example.com' }
const withTheirPassword = (fields: EmployeeFields) => ({ ...fields, password: 'theirs' })

interface Case {
  /** What the attempts have sent, of which `stored` has succeeded; none if it is undefined. */
  sent: EmployeeFields[] | undefined
  stored?: EmployeeFields
  /** What a colleague has made of it since. */
  theirs?: EmployeeFields
  fields: EmployeeFields
}

async function addAgain({ sent, stored, theirs, fields }: Case, isDeleted = false) {
  const backend = createMemoryBackend()
  const [mine, other] = [await connectSignedIn(backend), await connectSignedIn(backend)]
  if (stored) {
    const id = await mine.documents.add(stored, 'k')
    if (theirs) await other.documents.update(id, theirs, stored)
    if (isDeleted) await other.documents.remove(id)
  }
  const update = vi.spyOn(mine.documents, 'update')
  const adding = addEdited(mine.documents, { kind: 'add', fields, key: 'k', mayExist: true, sent })
  const added = await adding.then(
    ({ type, ...added }) => ('document' in added ? added.document : type),
    (error) => error,
  )
  const [employee, ...others] = await other.documents.list()
  expect(others).toEqual([])
  return { added, employee, updateCount: update.mock.calls.length }
}

const saved: [string, Case, EmployeeFields][] = [
  ['no attempt has succeeded', { sent: [ada], fields: edited }, edited],
  ['an attempt has added it with other fields', { sent: [ada], stored: ada, fields: edited }, edited],
  [
    'the first of two attempts has succeeded',
    { sent: [ada, edited], stored: ada, fields: editedAgain },
    editedAgain,
  ],
  [
    'the second of two attempts has succeeded',
    { sent: [ada, edited], stored: edited, fields: editedAgain },
    editedAgain,
  ],
  [
    'a colleague has changed another field',
    { sent: [ada], stored: ada, theirs: withTheirPassword(ada), fields: edited },
    withTheirPassword(edited),
  ],
  [
    'a colleague has changed another field after the first of two attempts',
    { sent: [ada, edited], stored: ada, theirs: withTheirPassword(ada), fields: editedAgain },
    withTheirPassword(editedAgain),
  ],
  [
    'a colleague has changed it, and its author has taken their edit back after two attempts',
    { sent: [ada, edited], stored: ada, theirs: withTheirPassword(ada), fields: ada },
    withTheirPassword(ada),
  ],
  [
    'a colleague has changed the same field in the same way',
    { sent: [ada], stored: ada, theirs: edited, fields: edited },
    edited,
  ],
]

const theirs = renamed('Ada Byron')

const savedBefore: [string, Case][] = [
  ['nobody has changed it', { sent: [ada], stored: edited, fields: edited }],
  ['a colleague has changed it', { sent: [ada], stored: edited, theirs, fields: edited }],
  [
    'after two attempts a colleague has changed it',
    { sent: [ada, edited], stored: edited, theirs, fields: edited },
  ],
  ['a colleague has changed it, and nothing was edited', { sent: [ada], stored: ada, theirs, fields: ada }],
]

test.each(savedBefore)(
  'an addition that an attempt has added as it is now is not sent as a change: %s',
  async (_, example) => {
    const { added, employee, updateCount } = await addAgain(example)
    expect(employee).toEqual({ id: employee?.id, ...(example.theirs ?? example.fields) })
    expect(added).toEqual({ id: employee?.id, ...example.fields })
    expect(updateCount).toBe(0)
  },
)

test.each(savedBefore)('and stays deleted if somebody has deleted it: %s', async (_, example) => {
  const { added, employee } = await addAgain(example, true)
  expect(employee).toBeUndefined()
  expect(added).toMatchObject(example.fields)
})

test('an edited addition that finds what it wants changes nothing', async () => {
  const { added, employee, updateCount } = await addAgain({
    sent: [ada],
    stored: ada,
    theirs: edited,
    fields: edited,
  })
  expect(added).toEqual({ id: employee?.id, ...edited })
  // It reads the record.
  expect(updateCount).toBe(1)
})

test.each(saved)('an edited addition is merged with what is stored: %s', async (_, example, expected) => {
  const { added, employee } = await addAgain(example)
  expect(employee).toEqual({ id: employee?.id, ...expected })
  expect(added).toEqual(employee)
})

test.each(saved.filter(([, { stored }]) => stored))(
  'and restored if the record was deleted: %s',
  async (_, example, expected) => {
    const { added, employee } = await addAgain(example, true)
    expect(employee).toEqual({ id: employee?.id, ...expected })
    expect(added).toEqual(employee)
  },
)

test.each<[string, Case, EmployeeFields]>([
  ['has edited', { sent: [ada], stored: ada, theirs, fields: editedAgain }, ada],
  ['has edited and sent before', { sent: [ada, edited], stored: edited, theirs, fields: editedAgain }, ada],
  [
    'has edited in an older version of the page',
    { sent: undefined, stored: ada, fields: editedAgain },
    emptyFields,
  ],
])(
  'a field that its author %s, and a colleague has changed, becomes an update with a conflict',
  async (_, example, before) => {
    const { added, employee } = await addAgain(example)
    const id = employee?.id
    expect(employee).toEqual({ id, ...(example.theirs ?? example.stored) })
    expect(added).toMatchObject({
      code: 'conflict',
      instead: { kind: 'update', employee: { id, ...editedAgain }, before: { id, ...before } },
    })
  },
)

test.each([
  ['was not saved', false],
  ['was saved', true],
])(
  'an earlier attempt that %s is not saved once more, though the edited change is a conflict',
  async (_, isSaved) => {
    const backend = createMemoryBackend()
    const [mine, other] = [await connectSignedIn(backend), await connectSignedIn(backend)]
    const id = await mine.documents.add(ada, 'k')
    const earlier = { ...ada, email: 'king@example.com' }
    if (isSaved) await mine.documents.update(id, earlier, ada, 'earlier')
    await other.documents.update(id, theirs, ada)
    const change = {
      employee: { id, ...edited },
      before: { id, ...ada },
      sent: [{ ...earlier, key: 'earlier' }],
    }
    const updating = updateEdited(mine.documents, { kind: 'update', ...change }, 'edited')
    await expect(updating).rejects.toMatchObject({ code: 'conflict' })
    expect(await other.documents.list()).toEqual([
      { id, ...theirs, email: isSaved ? earlier.email : ada.email },
    ])
  },
)

test('an edited change whose earlier attempt was saved changes what its author has changed since, and nothing else', async () => {
  const backend = createMemoryBackend()
  const [mine, other] = [await connectSignedIn(backend), await connectSignedIn(backend)]
  const id = await mine.documents.add(ada, 'k')
  await mine.documents.update(id, edited, ada, 'earlier')
  await other.documents.update(id, withTheirPassword(theirs))
  const change = {
    employee: { id, ...editedAgain, password: 'another change, which is not saved' },
    before: { id, ...ada, password: 'another change, which is not saved' },
    sent: [{ ...edited, key: 'earlier', names: changedNames(ada, edited) }],
  }
  await updateEdited(mine.documents, { kind: 'update', ...change }, 'edited')
  const expected = withTheirPassword({ ...theirs, email: editedAgain.email })
  expect(await other.documents.list()).toEqual([{ id, ...expected }])
})

test('a field that only a later attempt has changed is saved, though an earlier one was saved', async () => {
  const backend = createMemoryBackend()
  const [mine, other] = [await connectSignedIn(backend), await connectSignedIn(backend)]
  const id = await mine.documents.add(ada, 'k')
  await mine.documents.update(id, edited, ada, 'earlier')
  await other.documents.update(id, theirs, edited)
  const change = {
    employee: { id, ...editedAgain },
    before: { id, ...ada },
    sent: [
      { ...edited, key: 'earlier', names: changedNames(ada, edited) },
      { ...editedAgain, key: 'later', names: changedNames(edited, editedAgain) },
    ],
  }
  await updateEdited(mine.documents, { kind: 'update', ...change }, 'edited')
  expect(await other.documents.list()).toEqual([{ id, ...theirs, email: editedAgain.email }])
})

test.each<[string, string, SentFields[], boolean]>([
  ['as it is now', 'edited', [{ ...ada, key: 'earlier' }], true],
  ['as it is now by an earlier attempt', 'earlier', [{ ...edited, key: 'earlier' }], true],
  ['with other fields', 'earlier', [{ ...edited, key: 'earlier' }, editedAgain], false],
])(
  'an edited change that was saved %s before its record was deleted is only then a question if that has other fields',
  async (_, savedKey, sent, isDone) => {
    const { documents } = await connectSignedIn(createMemoryBackend())
    // As a server does that knows its latest requests.
    const update: typeof documents.update = async (_id, fields, _seen, key) => {
      if (key === savedKey && hasSameFields(fields, edited)) return edited
      throw createServiceError('not-found')
    }
    const fields = isDone ? edited : editedAgain
    const change = { employee: { id: 'a', ...fields }, before: { id: 'a', ...ada }, sent }
    const updating = updateEdited({ ...documents, update }, { kind: 'update', ...change }, 'edited')
    if (isDone) expect(await updating).toEqual(edited)
    else await expect(updating).rejects.toMatchObject({ code: 'not-found' })
  },
)

describe('an addition that was edited, and whose record its author has changed', () => {
  const texts = (text: string) => ({ ...ada, password: text })

  async function addBeside(key: string, describeEntry: (id: string) => ReturnType<OwnChanges['entries']>[0]) {
    const { documents } = await connectSignedIn(createMemoryBackend())
    const id = await documents.add(texts('1'), 'k')
    await documents.update(id, texts('2'), texts('1'))
    const takeOut = vi.fn()
    const outbox = { entries: () => [describeEntry(id)], queues: new Map(), takeOut }
    const sent = [{ ...texts('1'), key: 'entry 1' }]
    const operation = { kind: 'add', fields: texts('3'), key: 'k', mayExist: true, sent } as const
    const adding = addEdited(documents, operation, key, outbox)
    const [code] = await adding.then(
      () => [],
      (error) => [error.code],
    )
    return { code, passwords: (await documents.list()).map(({ password }) => password), takeOut }
  }

  const saved = (id: string) =>
    ({
      id: 'entry 2',
      state: 'updated',
      before: { id, ...texts('1') },
      employee: { id, ...texts('2') },
    }) as const

  const waiting = (id: string, refusal: string) => {
    const operation: Operation = {
      kind: 'update',
      before: { id, ...texts('1') },
      employee: { id, ...texts('2') },
    }
    return { id: 'entry 2', state: 'refused', operation, refusal: { code: refusal } } as const
  }

  test('before has the later text, on which what follows is based', async () => {
    const { code, passwords, takeOut } = await addBeside('entry 3', saved)
    expect({ code, passwords }).toEqual({ code: undefined, passwords: ['3'] })
    const change = { before: { password: '3' }, employee: { password: '2' } }
    expect(takeOut).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ state: 'updated' }))
    expect(takeOut.mock.calls[0]?.[0]).toMatchObject(change)
  })

  test('since keeps what it was changed to', async () => {
    expect(await addBeside('entry 1b', saved)).toMatchObject({ code: undefined, passwords: ['2'] })
  })

  test('in a change that waits is sent after that', async () => {
    const { code, passwords } = await addBeside('entry 3', (id) => waiting(id, 'busy'))
    expect({ code, passwords }).toEqual({ code: 'busy', passwords: ['2'] })
  })

  test('in a change that is a conflict does not wait for that', async () => {
    const { code, passwords } = await addBeside('entry 3', (id) => waiting(id, 'conflict'))
    expect({ code, passwords }).toEqual({ code: undefined, passwords: ['3'] })
  })
})
