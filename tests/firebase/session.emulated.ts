import { randomUUID } from 'node:crypto'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
} from 'firebase/auth'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createSession, type MemberState } from '../../web/backends/firebase/session.ts'
import { createServiceError } from '../../web/backends/service-error.ts'
import { newCredentials } from '../support/backend-client.ts'
import { demoKey } from '../support/firebase/emulators.ts'

let auth: Auth
beforeEach(async () => {
  const emulators = inject('emulators')
  const app = initializeApp({ apiKey: demoKey, projectId: emulators.project }, randomUUID())
  auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, `http://127.0.0.1:${emulators.auth}`, { disableWarnings: true })
  const { email, password } = newCredentials()
  await createUserWithEmailAndPassword(auth, email, password)
})
afterEach(() => deleteApp(auth.app))

/** A session whose first sign-in gets these responses, one after the other; and two calls that wait for it already. */
async function waitForEntry() {
  const responses: PromiseWithResolvers<MemberState>[] = []
  const session = createSession(auth, 60_000)
  const request = () => {
    const response = Promise.withResolvers<MemberState>()
    responses.push(response)
    return response.promise
  }
  if (!auth.currentUser) throw new Error('Nobody is signed in.')
  session.enter(auth.currentUser, request).catch(() => {})
  const calls = Promise.allSettled([session.requireUid(), session.requireUid()])
  // A macrotask, before which both calls wait.
  await new Promise(setImmediate)
  return { session, responses, calls }
}

const lost = () => createServiceError('offline')

test('calls that wait for a first sign-in repeat it once together if it is lost, and wait for the repetition', async () => {
  const { responses, calls } = await waitForEntry()
  responses[0]?.reject(lost())
  await expect.poll(() => responses.length).toBe(2)
  let isDone = false
  void calls.then(() => {
    isDone = true
  })
  await new Promise(setImmediate)
  expect(isDone).toBe(false)
  responses[1]?.resolve('present')
  const called = { status: 'fulfilled', value: auth.currentUser?.uid }
  expect(await calls).toEqual([called, called])
  expect(responses).toHaveLength(2)
})

test('a call rejects with "offline", so that it is sent again, if the repetition is lost too; the next one repeats it', async () => {
  const { session, responses, calls } = await waitForEntry()
  responses[0]?.reject(lost())
  await expect.poll(() => responses.length).toBe(2)
  responses[1]?.reject(lost())
  const failed = { status: 'rejected', reason: expect.objectContaining({ code: 'offline' }) }
  expect(await calls).toEqual([failed, failed])
  const next = session.requireUid()
  await expect.poll(() => responses.length).toBe(3)
  responses[2]?.resolve('present')
  expect(await next).toBe(auth.currentUser?.uid)
})

test('a call does not repeat a first sign-in that the rules have refused', async () => {
  const { responses, calls } = await waitForEntry()
  responses[0]?.reject(createServiceError('not-allowed'))
  expect(await calls).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  expect(responses).toHaveLength(1)
})
