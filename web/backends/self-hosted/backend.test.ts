import { expect, test } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { withEarlyList } from './backend.ts'

// tests/e2e/lazy-loading.spec.ts tests which request gets the early response.
test('the early request is aborted with the request that received its response', async () => {
  const aborted = new AbortController()
  const controller = new AbortController()
  const early = { load: async () => new Response('early'), controller }
  const { fetch } = withEarlyList(async () => new Response('requested'), early)
  const response = await fetch(paths.books, { method: 'GET', signal: aborted.signal })
  expect(await response.text()).toBe('early')
  expect(controller.signal.aborted).toBe(false)
  aborted.abort()
  expect(controller.signal.aborted).toBe(true)
})

test('all of the list is requested once the scripts are here, if only the first of it was before', async () => {
  let requestCount = 0
  const load = async () => {
    requestCount++
    return new Response('all')
  }
  const first = new Response('first')
  const early = { first: Promise.resolve(first), load, controller: new AbortController() }
  const { fetch, takeFirst } = withEarlyList(async () => new Response('requested'), early)
  expect(requestCount).toBe(1)
  expect(await takeFirst()).toBe(first)
  expect(await (await fetch(paths.books, { method: 'GET' })).text()).toBe('all')
  expect(requestCount).toBe(1)
  expect(takeFirst()).toBeUndefined()
})

test('another request, such as a sign-in, discards the first of the list too', async () => {
  const controller = new AbortController()
  const load = async () => new Response()
  const { fetch, takeFirst } = withEarlyList(load, { first: load(), load, controller })
  await fetch(paths.session, { method: 'POST' })
  expect(controller.signal.aborted).toBe(true)
  expect(takeFirst()).toBeUndefined()
})
