import type { Services } from '../ports.ts'
import { createSelfHostedBackend } from './create.ts'
import type { Upload } from './upload.ts'

/** The backend of the page that our own server serves. */
export function createBackend(): Services {
  // Loaded with the first import: most people never need it.
  const upload: Upload = async (...args) => (await import('./upload.ts')).upload(...args)
  return createSelfHostedBackend({ fetch: window.fetch.bind(window), upload })
}
