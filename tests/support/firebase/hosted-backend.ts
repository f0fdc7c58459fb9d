import type { Page } from '@playwright/test'
import { errors } from '../../../contract/errors.ts'
import type { Backend } from '../e2e/backend.ts'
import { createFirebaseAdmin } from './admin.ts'
import type { Emulators } from './emulators.ts'

interface HostedApp {
  url: string
  emulators: Emulators
}

/** Administers the project of the page under test. */
export function createHostedAdmin() {
  const { emulators }: HostedApp = JSON.parse(process.env.STAFFBOOK_HOSTED ?? '')
  return createFirebaseAdmin(emulators)
}

/** The page on its static host, without accounts and records. */
export async function openHostedBackend(text: string): Promise<Backend> {
  const { url, emulators }: HostedApp = JSON.parse(text)
  await createFirebaseAdmin(emulators).reset()
  return { url, rejectWrites, failSignOut, stop: async () => {} }
}

async function rejectWrites(page: Page) {
  const error = { code: 403, status: 'PERMISSION_DENIED', message: 'by the test' }
  const headers = {
    'access-control-allow-origin': new URL(page.url()).origin,
    'access-control-allow-credentials': 'true',
  }
  await page.route(/documents:commit/, (route) => route.fulfill({ status: 403, json: { error }, headers }))
  return errors['not-allowed'].message
}

/** Firebase signs out by deleting the session from IndexedDB. */
async function failSignOut(page: Page) {
  await page.evaluate(() => {
    const original = IDBObjectStore.prototype.delete
    IDBObjectStore.prototype.delete = function (key) {
      if (this.name === 'firebaseLocalStorage') throw new DOMException('by the test')
      return original.call(this, key)
    }
  })
  return async () => {}
}
