import { expect, test } from 'vitest'
import { type EmployeeFields, emptyFields } from '../../../../contract/employees.ts'
import { connectSignedIn } from '../../../../tests/support/backend-client.ts'
import { createMemoryBackend } from '../../../../tests/support/memory-services.ts'
import { ada, renamed } from '../../../../tests/support/people.ts'
import { addEdited } from './edited-addition.ts'

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
  const adding = addEdited(mine.documents, { kind: 'add', fields, key: 'k', mayExist: true, sent })
  const added = await adding.catch((error) => error)
  const [employee, ...others] = await other.documents.list()
  expect(others).toEqual([])
  return { added, employee }
}

const saved: [string, Case, EmployeeFields][] = [
  ['no attempt has succeeded', { sent: [ada], fields: edited }, edited],
  ['an attempt has added it as it is now', { sent: [ada], stored: edited, fields: edited }, edited],
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
    'a colleague has changed it, and its author has taken their edit back',
    { sent: [ada], stored: ada, theirs: withTheirPassword(ada), fields: ada },
    withTheirPassword(ada),
  ],
  [
    'a colleague has changed the same field in the same way',
    { sent: [ada], stored: ada, theirs: edited, fields: edited },
    edited,
  ],
]

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

const theirs = renamed('Ada Byron')

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
