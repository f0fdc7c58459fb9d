import { expect, test, vi } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { withEarlyList } from './backend.ts'

// tests/e2e/lazy-loading.spec.ts tests which request gets the early response.
test('the early request is aborted with the request that received its response', async () => {
  const controller = new AbortController()
  const early = { response: Promise.resolve(new Response('early')), abort: vi.fn() }
  const { fetch } = withEarlyList(async () => new Response('requested'), early)
  const response = await fetch(paths.books, { method: 'GET', signal: controller.signal })
  expect(await response.text()).toBe('early')
  expect(early.abort).not.toHaveBeenCalled()
  controller.abort()
  expect(early.abort).toHaveBeenCalledOnce()
})
