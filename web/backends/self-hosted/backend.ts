import { paths } from '../../../contract/protocol.ts'
import type { Services } from '../ports.ts'
import { createSend } from './client.ts'
import { withSlot } from './connection-slots.ts'
import { SelfHostedDocumentStore, type Sharing } from './documents.ts'
import { createIdentityService } from './identity.ts'
import type { Upload } from './upload.ts'

/** The default `#backend`: the page uses the server that has served it. `getUid` returns the id of the signed-in user. */
export function createBackend(getUid: () => string | undefined): Services {
  // Loaded on demand, because only imports need it.
  const upload: Upload = async (...args) => (await import('./upload.ts')).upload(...args)
  const { fetch, hasEarlyList } = withEarlyList(window.fetch.bind(window), window.earlyList)
  const sharing: Sharing = {
    getUid,
    // The early list is being received already.
    withSlot: (kind, request, signal) =>
      kind === 'list' && hasEarlyList() ? request() : withSlot(kind, request, signal),
  }
  return createSelfHostedBackend({ fetch, upload, sharing })
}

interface Options {
  fetch: typeof globalThis.fetch
  upload: Upload
  /** The server's origin; empty for the page's own. */
  base?: string
  /** The client shares nothing with others by default. */
  sharing?: Sharing
}

/** A client of our own server. */
export function createSelfHostedBackend({ fetch, upload, base = '', sharing }: Options): Services {
  const send = createSend(fetch, upload, base, () => documents.endSession())
  const documents = new SelfHostedDocumentStore(send, sharing)
  return { identity: createIdentityService(send), documents }
}

/** The list, which web/inline/early-list.js has requested before this code was loaded. */
interface EarlyList {
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
