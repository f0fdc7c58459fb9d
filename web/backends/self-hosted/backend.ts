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
  const { fetch, hasEarlyList, takeFirst } = withEarlyList(window.fetch.bind(window), window.earlyList)
  const sharing: Sharing = {
    getUid,
    takeFirst,
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
  const send = createSend(fetch, upload, base, () => documents.endSession(), sharing?.getUid)
  const documents = new SelfHostedDocumentStore(send, sharing)
  return { identity: createIdentityService(send), documents }
}

/** The list, or the first of it, which web/inline/early-list.js has requested before this code was loaded. */
interface EarlyList {
  first?: Promise<Response>
  /** Returns the response with all, which it requests if only the first were requested. */
  load(): Promise<Response>
  /** Aborts both. */
  controller: AbortController
}

declare global {
  interface Window {
    earlyList?: EarlyList | undefined
  }
}

/**
 * Wraps `fetch` so that the first request receives the early response if it asks for the list. After any other request, such
 * as a sign-in, the early response may be another account's, so it is discarded. If only the first of the list were requested,
 * requests all now: the scripts, which it would have delayed, are here.
 */
export function withEarlyList(fetch: typeof globalThis.fetch, early: EarlyList | undefined) {
  let unused = early && { ...early, response: early.load() }
  return {
    hasEarlyList: () => unused !== undefined,
    /** The first of the list, which may arrive before the list that is requested next. */
    takeFirst: () => unused?.first,
    fetch: ((input, init) => {
      const taken = unused
      unused = undefined
      if (!taken) return fetch(input, init)
      if (input === paths.books && init?.method === 'GET') {
        init.signal?.addEventListener('abort', () => taken.controller.abort())
        return taken.response
      }
      taken.controller.abort()
      return fetch(input, init)
    }) as typeof globalThis.fetch,
  }
}
