import { expect, test } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { withEarlyList } from './backend.ts'

function createEarlyList() {
  const early = { isAborted: false, response: Promise.resolve(new Response('early')), abort: () => {} }
  early.abort = () => {
    early.isAborted = true
  }
  const { fetch } = withEarlyList(async () => new Response('requested'), early)
  const read = async (method: string, path: string, signal: AbortSignal | null = null) =>
    (await fetch(path, { method, signal })).text()
  return { early, read }
}

test('the first request for the list receives the early response, further ones do not', async () => {
  const { early, read } = createEarlyList()
  expect(await read('GET', paths.books)).toBe('early')
  expect(await read('GET', paths.books)).toBe('requested')
  expect(early.isAborted).toBe(false)
})

test('the early response is discarded if another request comes first', async () => {
  const { early, read } = createEarlyList()
  expect(await read('POST', paths.session)).toBe('requested')
  expect(early.isAborted).toBe(true)
  expect(await read('GET', paths.books)).toBe('requested')
})

test('the early request is aborted with the request that received its response', async () => {
  const { early, read } = createEarlyList()
  const controller = new AbortController()
  await read('GET', paths.books, controller.signal)
  controller.abort()
  expect(early.isAborted).toBe(true)
})
