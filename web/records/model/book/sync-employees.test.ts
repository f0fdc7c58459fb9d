import { expect, test } from 'vitest'
import type { Employee } from '../../../../contract/employees.ts'
import { named } from '../../../../tests/support/people.ts'
import type { ChangeListener, DocumentStore } from '../../../backends/ports.ts'
import { makeStore } from './store.ts'
import { syncEmployees } from './sync-employees.ts'

const person = (id: string): Employee => ({ id, ...named(id) })

test('a list that becomes stale while it is being loaded is loaded once more afterwards', async () => {
  const pendingLists: ((book: Employee[]) => void)[] = []
  let listener: ChangeListener | undefined
  const documents = {
    list: () => new Promise<Employee[]>((resolve) => pendingLists.push(resolve)),
    subscribe: (given: ChangeListener) => {
      listener = given
      return () => {}
    },
  } as Partial<DocumentStore> as DocumentStore
  const store = makeStore(documents)
  const statuses: string[] = []
  const stop = syncEmployees({
    dispatch: store.dispatch,
    documents,
    onStatusChange: (status) => statuses.push(status),
  })
  const respond = async (book: Employee[]) => {
    const count = pendingLists.length
    pendingLists.at(-1)?.(book)
    await expect.poll(() => store.getState().book).toEqual(book)
    return () => expect.poll(() => pendingLists.length).toBeGreaterThan(count)
  }

  await respond([])
  await expect.poll(() => listener).toBeDefined()
  listener?.onStale()
  listener?.onStale()
  listener?.onStale()
  await expect.poll(() => pendingLists).toHaveLength(2)
  const waitForReload = await respond([person('a'), person('b')])
  await waitForReload()
  await respond([person('a')])
  expect(pendingLists).toHaveLength(3)
  await expect.poll(() => statuses).toEqual(['live', 'live'])
  stop()
})

test('security: a list that arrives after the end, when another account may have signed in, is dropped', async () => {
  const { promise: listed, resolve: respond } = Promise.withResolvers<Employee[]>()
  const { promise: continued, resolve: proceed } = Promise.withResolvers<void>()
  const documents = {
    async list(onPart) {
      await continued
      await onPart?.([person('a')], 1)
      return listed
    },
  } as Partial<DocumentStore> as DocumentStore
  const store = makeStore(documents)
  const stop = syncEmployees({ dispatch: store.dispatch, documents, onStatusChange: () => {} })
  stop()
  proceed()
  respond([person('a')])
  await expect.poll(() => store.getState().loading).toBe(false)
  expect(store.getState().book).toEqual([])
})
