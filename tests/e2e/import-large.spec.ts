import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Line, layLine } from '../support/e2e/backend.ts'
import { ada, test as base, expect, names, rows, strip } from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

/** The server behind a line that can be made narrow. */
const test = base.extend<{ line: Line }>({
  line: async ({ server }, use) => {
    const line = await layLine(server.url)
    await use(line)
    await line.remove()
  },
  backend: async ({ server, line }, use) => use({ ...server, url: line.url }),
})

/** What can't be compressed, and is too much for the buffers of a connection, so that its sending can be watched. */
const longPassword = () => randomBytes(2_400).toString('base64')

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' })
const importButton = (page: Page) => importDialog(page).getByRole('button', { name: /^Import \d/ })

async function chooseRows(page: Page, count: number, password = () => 'secret') {
  const lines = people(count).map(({ eName, email }) => `${eName},${email},${password()}\r\n`)
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

test('import: 100,000 rows in, listed without putting them all in the page, and out again by one undo', async ({
  register,
}) => {
  test.setTimeout(120_000)
  await addMany(register, [ada])
  await chooseRows(register, 100_000)
  await expect(importButton(register)).toHaveText('Import 100,000 records')
  const list = importDialog(register).getByRole('region', { name: 'Rows' })
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(list.getByRole('listitem').last()).toContainText('person99999@example.com')
  await expect(list.getByRole('listitem').last()).toBeInViewport()

  await importButton(register).click()
  const done = register.getByRole('dialog', { name: 'Imported' })
  await expect(done).toContainText('100,000 new', { timeout: 60_000 })
  await done.getByRole('button', { name: 'Done' }).click()
  expect(await countStored(register)).toBe(100_001)
  await expect(names(register).nth(1)).toHaveText('Person 0')
  await expect(register.getByRole('table')).toHaveAttribute('aria-rowcount', '100002')

  await strip(register).getByRole('button', { name: 'Undo import' }).click()
  await expect(rows(register)).toHaveCount(1, { timeout: 60_000 })
  await expect(strip(register)).toBeEmpty()
  expect(await countStored(register)).toBe(1)
})

test('import: a tab that is closed in the middle has imported nothing; the next one offers to go on', async ({
  register,
  line,
}) => {
  test.setTimeout(90_000)
  await chooseRows(register, 6_000, longPassword)
  await expect(importButton(register)).toBeEnabled()
  line.narrow(300_000)
  await importButton(register).click()
  await expect
    .poll(() => importDialog(register).locator('progress').getAttribute('value').then(Number))
    .toBeGreaterThan(0)
  await register.close()

  const again = await register.context().newPage()
  await again.goto('/form')
  await expect(strip(again)).toContainText('Not imported: 6,000 records')
  expect(await countStored(again)).toBe(0)
  line.narrow(0)
  await strip(again).getByRole('button', { name: 'Retry' }).click()
  await expect(strip(again)).toContainText('Imported: 6,000 new.')
  expect(await countStored(again)).toBe(6_000)
})

test('import: cancelled while it is sent, it has imported nothing and shows the rows again', async ({
  register,
  line,
}) => {
  test.setTimeout(90_000)
  await chooseRows(register, 6_000, longPassword)
  await expect(importButton(register)).toBeEnabled()
  line.narrow(300_000)
  await importButton(register).click()
  await importDialog(register).getByRole('button', { name: 'Cancel' }).click()
  await expect(importDialog(register)).toContainText('Cancelled.')
  await expect(importButton(register)).toHaveText('Import 6,000 records')
  expect(await countStored(register)).toBe(0)
  line.narrow(0)
  await importButton(register).click()
  await expect(register.getByRole('dialog', { name: 'Imported' })).toContainText('6,000 new')
})

test('import: refused, it says so in the dialog, can be tried again, and waits above the table', async ({
  register,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_/)
  await chooseRows(register, 3)
  await expect(importButton(register)).toBeEnabled()
  await server.kill()
  await importButton(register).click()
  const problem = importDialog(register).getByRole('alert').filter({ hasText: 'Not imported.' })
  await expect(problem).toContainText('can’t be reached')
  await register.keyboard.press('Escape')
  await expect(strip(register)).toContainText('Not imported: 3 records')
  await server.restart()
  await strip(register).getByRole('button', { name: 'Retry' }).click()
  await expect(names(register)).toHaveText(['Person 0', 'Person 1', 'Person 2'])
  await expect(strip(register)).toContainText('Imported: 3 new.')
})
