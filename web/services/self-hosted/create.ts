import type { Services } from '../ports.ts'
import { createDocumentStore } from './documents.ts'
import { createSend } from './http.ts'
import { createIdentityService } from './identity.ts'

/** Our own server as the backend. `base` is its origin; the page itself is served from there and leaves it empty. */
export function createSelfHosted({
  fetch,
  base = '',
}: {
  fetch: typeof globalThis.fetch
  base?: string
}): Services {
  const send = createSend(fetch, base)
  return { identity: createIdentityService(send), documents: createDocumentStore(send) }
}
