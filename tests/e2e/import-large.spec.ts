import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type NetworkProxy, startNetworkProxy } from '../support/e2e/backend.ts'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import { ada, test as base, expect, names, outboxList, rows } from '../support/e2e/fixture.ts'
import { isNightly } from '../support/nightly.ts'

/** The server behind a line that can be made narrow. */
const test = base.extend<{ line: NetworkProxy }>({
  line: async ({ server }, use) => {
    const line = await startNetworkProxy(server.url)
    await use(line)
    await line.close()
  },
  backend: async ({ server, line }, use) => use({ ...server, url: line.url }),
})

const count = isNightly ? 100_000 : 5_000
const label = count.toLocaleString('en')

/** What can't be compressed, and is too much for the buffers of a connection, so that its sending can be watched. */
const incompressiblePassword = () => randomBytes(2_400).toString('base64')

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' })
const importButton = (page: Page) => importDialog(page).getByRole('button', { name: /^Import \d/ })

async function chooseRows(page: Page, count: number, password = () => 'secret') {
  const lines = makeEmployees(count).map(({ eName, email }) => `${eName},${email},${password()}\r\n`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await importDialog(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Employee Name,Email,Password\r\n${lines.join('')}`),
    })
}

async function countStored(page: Page): Promise<number> {
  const { documents } = await (await page.request.get('/api/collections/books')).json()
  return documents.length
}

test(`import: ${label} rows in, listed without putting them all in the page, and out again by one undo`, async ({
  recordsPage,
}) => {
  test.setTimeout(120_000)
  await createEmployees(recordsPage, [ada])
  await chooseRows(recordsPage, count)
  await expect(importButton(recordsPage)).toHaveText(`Import ${label} records`)
  const list = importDialog(recordsPage).getByRole('region', { name: 'Rows' })
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(list.getByRole('listitem').last()).toContainText(`person${count - 1}@example.com`)
  await expect(list.getByRole('listitem').last()).toBeInViewport()

  await importButton(recordsPage).click()
  const done = recordsPage.getByRole('dialog', { name: 'Imported' })
  await expect(done).toContainText(`${label} new`, { timeout: 60_000 })
  await done.getByRole('button', { name: 'Done' }).click()
  expect(await countStored(recordsPage)).toBe(count + 1)
  await expect(names(recordsPage).nth(1)).toHaveText('Person 0')
  await expect(recordsPage.getByRole('table')).toHaveAttribute('aria-rowcount', `${count + 2}`)

  await outboxList(recordsPage).getByRole('button', { name: 'Undo import' }).click()
  await expect(rows(recordsPage)).toHaveCount(1, { timeout: 60_000 })
  await expect(outboxList(recordsPage)).toBeEmpty()
  expect(await countStored(recordsPage)).toBe(1)
})

test('import: a tab that is closed in the middle has imported nothing; the next one offers to go on', async ({
  recordsPage,
  line,
}) => {
  test.setTimeout(90_000)
  await chooseRows(recordsPage, 6_000, incompressiblePassword)
  await expect(importButton(recordsPage)).toBeEnabled()
  line.limitBandwidth(300_000)
  await importButton(recordsPage).click()
  await expect
    .poll(() => importDialog(recordsPage).locator('progress').getAttribute('value').then(Number))
    .toBeGreaterThan(0)
  await recordsPage.close()

  const again = await recordsPage.context().newPage()
  await again.goto('/form')
  await expect(outboxList(again)).toContainText('Not imported: 6,000 records')
  expect(await countStored(again)).toBe(0)
  line.limitBandwidth(0)
  await outboxList(again).getByRole('button', { name: 'Retry' }).click()
  await expect(outboxList(again)).toContainText('Imported: 6,000 new.')
  expect(await countStored(again)).toBe(6_000)
})

test('import: cancelled while it is sent, it has imported nothing and shows the rows again', async ({
  recordsPage,
  line,
}) => {
  test.setTimeout(90_000)
  await chooseRows(recordsPage, 6_000, incompressiblePassword)
  await expect(importButton(recordsPage)).toBeEnabled()
  line.limitBandwidth(300_000)
  await importButton(recordsPage).click()
  await importDialog(recordsPage).getByRole('button', { name: 'Cancel' }).click()
  await expect(importDialog(recordsPage)).toContainText('Cancelled.')
  await expect(importButton(recordsPage)).toHaveText('Import 6,000 records')
  expect(await countStored(recordsPage)).toBe(0)
  line.limitBandwidth(0)
  await importButton(recordsPage).click()
  await expect(recordsPage.getByRole('dialog', { name: 'Imported' })).toContainText('6,000 new')
})

test('import: refused, it says so in the dialog, can be tried again, and waits above the table', async ({
  recordsPage,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_/)
  await chooseRows(recordsPage, 3)
  await expect(importButton(recordsPage)).toBeEnabled()
  await server.kill()
  await importButton(recordsPage).click()
  const problem = importDialog(recordsPage).getByRole('alert').filter({ hasText: 'Not imported.' })
  await expect(problem).toContainText('can’t be reached')
  await recordsPage.keyboard.press('Escape')
  await expect(outboxList(recordsPage)).toContainText('Not imported: 3 records')
  await server.restart()
  await outboxList(recordsPage).getByRole('button', { name: 'Retry' }).click()
  await expect(names(recordsPage)).toHaveText(['Person 0', 'Person 1', 'Person 2'])
  await expect(outboxList(recordsPage)).toContainText('Imported: 3 new.')
})
