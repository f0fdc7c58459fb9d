import type { Services } from '../ports.ts'
import { createSelfHosted } from './create.ts'
import { upload } from './upload.ts'

/** The backend of the page that our own server serves. */
export function createBackend(): Services {
  return createSelfHosted({ fetch: window.fetch.bind(window), upload })
}
