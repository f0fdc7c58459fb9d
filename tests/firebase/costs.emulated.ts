import { afterAll, beforeAll, expect, test } from 'vitest'
import { importGroupSize } from '../../contract/firestore.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import { newCredentials, recordChanges } from '../support/backend-client.ts'
import { type FirebaseBackend, startBackend } from '../support/firebase/backend.ts'
import { countRequests, counts } from '../support/firebase/count-requests.ts'
import { ada, makeEmployees, renamed } from '../support/people.ts'

countRequests()

let backend: FirebaseBackend
beforeAll(async () => {
  // A check of the session restarts the listeners, and the emulator then sends everything again; one of the stream reads a document.
  backend = await startBackend({ sessionCheckIntervalMs: 3_600_000, streamCheckIntervalMs: 3_600_000 })
})
afterAll(() => backend.stop())

/**
 * Waits until an action has read and written so many documents; more reads if a transaction of it was repeated. Resolves to its
 * result. Each action is measured: what one still does when it has ended would count for the next.
 */
async function expectCost<T>(reads: number, writes: number, action: () => Promise<T>): Promise<T> {
  const before = { ...counts }
  const result = await action()
  const readSpent = () => {
    const spent = counts.reads - before.reads
    return [counts.refused > before.refused ? Math.min(spent, reads) : spent, counts.writes - before.writes]
  }
  await expect.poll(readSpent, { message: String(action) }).toEqual([reads, writes])
  return result
}

/** docs/firebase.md also has the numbers of 10,000 records. */
const size = Number(process.env.COSTS_OF ?? 100)

test(`reads and writes as many documents as docs/firebase.md says, with ${size} records`, {
  timeout: 1_200_000,
}, async () => {
  const person = newCredentials()
  const { identity, documents } = await backend.connect()
  await expectCost(0, 0, () => identity.createAccount(person.email, person.password))
  await expectCost(1, 2, () => identity.signIn(person.email, person.password))
  const add = makeEmployees(size)
  const groups = Math.ceil(size / importGroupSize)
  await expectCost(groups + 1, size + groups, () =>
    documents.writeBatch({ add, update: [], remove: [] }, key()),
  )

  const visitor = await backend.connect()
  const team = visitor.identity.team as TeamService
  const history = visitor.documents.history as HistoryService
  await expectCost(1, 1, () => visitor.identity.signIn(person.email, person.password))
  const { stop } = await expectCost(size + 4, 0, () => recordChanges(visitor.documents))
  stop()
  const id = await expectCost(2, 3, () => documents.add(ada, key()))
  await expectCost(3, 3, () => documents.update(id, renamed('Ada King'), undefined, key()))
  await expectCost(3, 4, () => documents.update(id, { ...ada, password: 'new' }, undefined, key()))
  await expectCost(2, 0, () => history.details([id]))
  await expectCost(1 + groups, 0, () => history.details())

  const handover = { record: id, seen: { ...ada, password: 'new' }, sealed: 'sealed' }
  await expectCost(1, 3, () => team.createHandover(handover))
  const { token } = await expectCost(1, 3, () => team.createHandover(handover))
  await expectCost(4, 0, () => team.listHandovers())
  await expectCost(1, 4, () => team.takeHandover(token, key()))
  await expectCost(3, 4, () => documents.remove(id, key()))
})
