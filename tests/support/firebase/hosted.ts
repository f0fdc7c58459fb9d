import type { Page } from '@playwright/test'
import { errors } from '../../../contract/errors.ts'
import type { Backend } from '../e2e/backend.ts'
import { adminOf } from './admin.ts'
import type { Emulators } from './emulators.ts'

interface Hosted {
  url: string
  emulators: Emulators
}

/** Playwright's workers are processes of their own, and inherit the environment. */
const variable = 'STAFFBOOK_HOSTED'

export function tellHosted(hosted: Hosted): void {
  process.env[variable] = JSON.stringify(hosted)
}

/** What the project's owner can do to the page under test. */
export function hostedAdmin() {
  const { emulators }: Hosted = JSON.parse(process.env[variable] ?? '')
  return adminOf(emulators)
}

/** The page on its static host, with no account and no record behind it. */
export async function openHosted(text: string): Promise<Backend> {
  const { url, emulators }: Hosted = JSON.parse(text)
  await adminOf(emulators).reset()
  return { url, refuseWrites, breakSignOut, stop: async () => {} }
}

async function refuseWrites(page: Page) {
  const error = { code: 403, status: 'PERMISSION_DENIED', message: 'by the test' }
  const headers = {
    'access-control-allow-origin': new URL(page.url()).origin,
    'access-control-allow-credentials': 'true',
  }
  await page.route(/documents:commit/, (route) => route.fulfill({ status: 403, json: { error }, headers }))
  return errors['not-allowed'].message
}

/** To Firebase, signing out is to take the session out of the browser's database. */
async function breakSignOut(page: Page) {
  await page.evaluate(() => {
    const original = IDBObjectStore.prototype.delete
    IDBObjectStore.prototype.delete = function (key) {
      if (this.name === 'firebaseLocalStorage') throw new DOMException('by the test')
      return original.call(this, key)
    }
  })
  return async () => {}
}
