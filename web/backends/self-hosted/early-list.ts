import { paths } from '../../../contract/protocol.ts'

/** The list, which web/inline/early-list.js has requested before this code was loaded. */
export interface EarlyList {
  response: Promise<Response>
  abort(): void
}

declare global {
  interface Window {
    earlyList?: EarlyList | undefined
  }
}

/**
 * Wraps `fetch` so that the first request receives the early response if it asks for the list. After any other request, such
 * as a sign-in, the early response may be another account's, so it is discarded.
 */
export function withEarlyList(fetch: typeof globalThis.fetch, early: EarlyList | undefined) {
  let unused = early
  return {
    hasEarlyList: () => unused !== undefined,
    fetch: ((input, init) => {
      const taken = unused
      unused = undefined
      if (!taken) return fetch(input, init)
      if (input === paths.books && init?.method === 'GET') {
        init.signal?.addEventListener('abort', taken.abort)
        return taken.response
      }
      taken.abort()
      return fetch(input, init)
    }) as typeof globalThis.fetch,
  }
}
