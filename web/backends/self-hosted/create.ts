import type { Services } from '../ports.ts'
import { createSend } from './client.ts'
import { createDocumentStore } from './documents.ts'
import { createIdentityService } from './identity.ts'
import type { Upload } from './upload.ts'

/** Our own server as the backend. `base` is its origin; the page itself is served from there and leaves it empty. */
export function createSelfHostedBackend({
  fetch,
  upload,
  base = '',
}: {
  fetch: typeof globalThis.fetch
  upload: Upload
  base?: string
}): Services {
  const send = createSend(fetch, upload, base)
  return { identity: createIdentityService(send), documents: createDocumentStore(send) }
}
