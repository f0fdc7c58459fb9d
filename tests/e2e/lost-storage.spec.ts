// The browser or another page takes away what the page has stored while it is open.
import type { Page } from '@playwright/test'
import { allowConsole, expect, signIn, test } from '../support/e2e/fixture.ts'
import { dumpStorage } from '../support/e2e/records.ts'
import { ada, alan, grace } from '../support/people.ts'

const keepOpen = 'Keep this page open until they are saved.'

/** Clears what this page's origin has stored, as the browser's settings do. */
async function clearSiteData(page: Page, storageTypes: string) {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes })
}

/** Uses the database as another tab, which may have another version of the page. Fails if this page blocks it. */
async function openElsewhere(page: Page, method: 'open' | 'deleteDatabase', version?: number) {
  const other = await page.context().newPage()
  await other.goto(new URL('/api/openapi.json', page.url()).href)
  await other.evaluate(
    ([method, version]) =>
      new Promise<void>((resolve, reject) => {
        const request =
          method === 'open' ? indexedDB.open('staffbook', version) : indexedDB[method]('staffbook')
        request.onsuccess = () => {
          if (method === 'open') (request.result as IDBDatabase).close()
          resolve()
        }
        request.onblocked = () => reject(new Error('blocked'))
        request.onerror = () => reject(request.error)
      }),
    [method, version] as const,
  )
  await other.close()
}

/** Waits until so many rows are stored, with the key. A read during which the database is taken away never ends. */
const expectStored = (page: Page, rowCount: number) =>
  expect
    .poll(() =>
      Promise.race([
        dumpStorage(page, 'staffbook').then(({ rows }) => rows),
        page.waitForTimeout(1_000).then(() => 'no answer'),
      ]),
    )
    .toBe(rowCount)

const losses: [title: string, lose: (page: Page) => Promise<void>][] = [
  ['the browser has evicted its database', (page) => clearSiteData(page, 'indexeddb')],
  ['another tab has deleted its database', (page) => openElsewhere(page, 'deleteDatabase')],
  ['another tab has upgraded its database', (page) => openElsewhere(page, 'open', 7)],
  [
    'a database without its parts has taken its place',
    async (page) => {
      const other = await page.context().newPage()
      await other.goto(new URL('/api/openapi.json', page.url()).href)
      await other.evaluate(
        () =>
          new Promise((resolve) => {
            indexedDB.deleteDatabase('staffbook')
            indexedDB.open('staffbook').onsuccess = resolve
          }),
      )
      await other.close()
    },
  ],
]

for (const [i, [title, lose]] of losses.entries()) {
  test(`an unsaved record and the form survive a reload after ${title}`, {
    ...(i === 0 && { tag: '@main' }),
  }, async ({ records, page, backend }) => {
    allowConsole(/Failed to load resource/, /net::ERR/)
    await backend.rejectWrites(page)
    await records.submit(grace)
    await expect(records.entry('Not saved: Grace Hopper')).toBeVisible()
    await records.fill(alan)
    await records.waitUntilStored(2)
    const { text: before } = await dumpStorage(page, 'staffbook')
    await lose(page)
    await expectStored(page, 3)
    await expect(page.getByText(keepOpen)).toHaveCount(0)
    await page.reload()
    await expect(records.entry('Not saved: Grace Hopper')).toBeVisible()
    expect(await records.read()).toEqual(alan)
    expect((await dumpStorage(page, 'staffbook')).text).not.toBe(before)
  })
}

test('all site data cleared: the page says that one is signed out, and what is half typed is saved after a sign-in', {
  tag: '@main',
}, async ({ records, page }) => {
  allowConsole(/Failed to load resource/)
  await records.add(ada)
  await records.fill(grace)
  await records.waitUntilStored(1)
  await clearSiteData(page, 'all')
  await expect(page.getByRole('alert')).toHaveText(
    'You’ve been signed outSign in to see the records.1 unsaved change is kept.Sign in',
  )
  await records.expectNames()
  expect(await records.read()).toEqual(grace)
  await expectStored(page, 2)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('You’ve been signed out')
  expect(await records.read()).toEqual(grace)
  await signIn(page)
  await expect(records.rowOf(ada)).toBeVisible()
  expect(await records.read()).toEqual(grace)
  await records.press('Submit')
  await expect(records.rowOf(grace)).toBeVisible()
})

test('a page whose storage was cleared is still ended by a logout in another tab, and stores nothing after it', async ({
  records,
  page,
}) => {
  await records.add(ada)
  await records.fill(grace)
  await records.waitUntilStored(1)
  await clearSiteData(page, 'indexeddb,local_storage')
  await expectStored(page, 2)
  await expect(records.rowOf(ada)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/form')
  await other.getByRole('button', { name: 'Logout' }).click()
  await other.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(other).toHaveURL('/')
  await expect(page).toHaveURL('/')
  expect((await dumpStorage(page)).rows).toBe(0)
})

test('while the browser refuses to store, the page asks to be kept open, also offline, until it can store again', async ({
  records,
  page,
  context,
}) => {
  // What is loaded once the page is idle may be on its way when the network goes; it is loaded again later.
  allowConsole(/Failed to load resource/, /net::ERR/, /A part of the page could not be loaded/)
  await records.add(ada)
  await page.evaluate(() => {
    const { open } = indexedDB
    const { transaction } = IDBDatabase.prototype
    const refuse = () => {
      throw new DOMException('refused', 'QuotaExceededError')
    }
    IDBFactory.prototype.open = refuse
    IDBDatabase.prototype.transaction = refuse
    Object.assign(window, {
      repair() {
        IDBFactory.prototype.open = open
        IDBDatabase.prototype.transaction = transaction
      },
    })
  })
  await context.setOffline(true)
  await records.submit(grace)
  const status = page.getByRole('status')
  await expect(status.filter({ hasText: keepOpen })).toHaveText(
    `You’re offline. Your browser can’t keep unsaved changes. ${keepOpen}`,
  )
  await page.evaluate(() => (window as unknown as { repair(): void }).repair())
  await expect(status.filter({ hasText: 'offline' })).toHaveText(
    'You’re offline. Changes stay on this device and are saved when you reconnect.',
    { timeout: 15_000 },
  )
  await context.setOffline(false)
  await expect(records.rowOf(grace)).toBeVisible({ timeout: 15_000 })
})
