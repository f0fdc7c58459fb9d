import { expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import type { ChangeListener, DocumentStore } from '../../backends/ports.ts'
import { makeStore } from '../../store.ts'
import { syncEmployees } from './sync-employees.ts'

const person = (id: string): Employee => ({ id, eName: id, email: `${id}@example.com`, password: 'p' })

test('what is stale while the list is read is read again after it, so that the newest list is the last', async () => {
  const answers: ((book: Employee[]) => void)[] = []
  let observer: ChangeListener | undefined
  const documents = {
    list: () => new Promise<Employee[]>((resolve) => answers.push(resolve)),
    subscribe: (given: ChangeListener) => {
      observer = given
      return () => {}
    },
  } as Partial<DocumentStore> as DocumentStore
  const store = makeStore(documents)
  const statuses: string[] = []
  const stop = syncEmployees({
    dispatch: store.dispatch,
    documents,
    onStatusChange: (line) => statuses.push(line),
  })
  const answer = async (book: Employee[]) => {
    const count = answers.length
    answers.at(-1)?.(book)
    await expect.poll(() => store.getState().book).toEqual(book)
    return () => expect.poll(() => answers.length).toBeGreaterThan(count)
  }

  await answer([])
  await expect.poll(() => observer).toBeDefined()
  observer?.onStale()
  observer?.onStale()
  observer?.onStale()
  await expect.poll(() => answers).toHaveLength(2)
  const again = await answer([person('a'), person('b')])
  await again()
  await answer([person('a')])
  expect(answers).toHaveLength(3)
  await expect.poll(() => statuses).toEqual(['loading', 'live', 'live'])
  stop()
})
