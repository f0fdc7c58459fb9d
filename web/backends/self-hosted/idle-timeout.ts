/** Aborts a request when nothing of its response arrives for a time, however long all of it takes. */
export interface IdleTimeout {
  /** Aborted with a `TimeoutError`. */
  signal: AbortSignal
  /** Waits for a part of the response: the headers or a chunk. Between the parts, no time passes. */
  waitFor<T>(part: Promise<T>): Promise<T>
}

export function createIdleTimeout(timeoutMs: number): IdleTimeout {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The server sends nothing.', 'TimeoutError'))
  return {
    signal: controller.signal,
    async waitFor(part) {
      const timer = setTimeout(abort, timeoutMs)
      try {
        return await part
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The chunks of a response body. Safari does not support async iteration of streams yet. */
export async function* readChunks(response: Response, timeout: IdleTimeout): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await timeout.waitFor(reader.read())
    if (done) return
    yield value
  }
}
