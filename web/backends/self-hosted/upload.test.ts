import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { limitUploadTime, upload } from './upload.ts'

test('a batch of some records waits for an answer as long as any other request, a large one as long as its server', () => {
  expect(limitUploadTime(2_000)).toBeLessThan(31_000)
  expect(limitUploadTime(1_000_000)).toBeGreaterThan(60_000)
  expect(limitUploadTime(64_000_000)).toBe(600_000)
})

/** Sends a body by a browser that never says that it was sent, and cancels it then. Returns its answer, or `null` if there is none. */
async function cancelSent(body: string) {
  const started = Promise.withResolvers<Partial<XMLHttpRequest>>()
  class Request {
    upload = {}
    status = 204
    responseText = null
    onabort = () => {}
    open() {}
    setRequestHeader() {}
    getAllResponseHeaders = () => 'a: b'
    send() {
      started.resolve(this as unknown as XMLHttpRequest)
    }
    abort() {
      this.onabort()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  const controller = new AbortController()
  const progress: number[] = []
  const init = { method: 'POST', headers: {}, body, signal: controller.signal }
  const answer = upload('/', init, (sent) => progress.push(sent)).catch(() => null)
  const request = await started.promise
  controller.abort()
  request.onload?.call(request as XMLHttpRequest, {} as ProgressEvent)
  vi.unstubAllGlobals()
  return { answer: await answer, progress }
}

test('what fits into the buffers of a connection can’t be cancelled once it was sent: the server may have it', async () => {
  const small = await cancelSent('{}')
  expect(small.answer?.status).toBe(204)
  expect(small.progress).toEqual([1])
  const large = await cancelSent(randomBytes(100_000).toString('base64'))
  expect(large.answer).toBeNull()
  expect(large.progress).toEqual([])
})
