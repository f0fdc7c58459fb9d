import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type NetworkProxy, startNetworkProxy } from '../support/e2e/backend.ts'
import {
  createEmployees,
  expect,
  fetchEmployees,
  names,
  outboxList,
  rows,
  test,
  testWithOwnServer,
  undoBar,
} from '../support/e2e/fixture.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, makeEmployees, nameOf } from '../support/people.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' })
const resultDialog = (page: Page) => page.getByRole('dialog', { name: 'Imported' })
const importButton = (page: Page) => importDialog(page).getByRole('button', { name: /^Import \d/ })
const countEmployees = async (page: Page) => (await fetchEmployees(page)).length

async function chooseFile(page: Page, content: string | Buffer) {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await importDialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'employees.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
}

async function chooseRows(page: Page, count: number, password = () => 'secret') {
  const lines = makeEmployees(count).map((record) => `${nameOf(record)},${record.email},${password()}\r\n`)
  await chooseFile(page, `Employee Name,Email,Password\r\n${lines.join('')}`)
}

/** The nightly run imports the maximum number of rows. */
const rowCount = isNightly ? 100_000 : 5_000

test('a large import renders only some of its rows, and one undo removes them all', async ({
  recordsPage,
}) => {
  const formatted = rowCount.toLocaleString('en-GB')
  await createEmployees(recordsPage, [ada])
  await chooseRows(recordsPage, rowCount)
  await expect(importButton(recordsPage)).toHaveText(`Import ${formatted} records`)
  const list = importDialog(recordsPage).getByRole('region', { name: 'Rows' })
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(list.getByRole('listitem').last()).toContainText(`person${rowCount - 1}@example.com`)
  await expect(list.getByRole('listitem').last()).toBeInViewport()

  await importButton(recordsPage).click()
  await expect(resultDialog(recordsPage)).toContainText(`${formatted} new`, { timeout: 60_000 })
  await resultDialog(recordsPage).getByRole('button', { name: 'Done' }).click()
  expect(await countEmployees(recordsPage)).toBe(rowCount + 1)
  await expect(names(recordsPage).nth(1)).toHaveText('Person 0')
  await expect(recordsPage.getByRole('table')).toHaveAttribute('aria-rowcount', `${rowCount + 2}`)

  await undoBar(recordsPage).getByRole('button', { name: 'Undo import', exact: true }).click()
  await expect(rows(recordsPage)).toHaveCount(1, { timeout: 60_000 })
  await expect(outboxList(recordsPage)).toBeEmpty()
  expect(await countEmployees(recordsPage)).toBe(1)
})

const testWithProxy = testWithOwnServer.extend<{ networkProxy: NetworkProxy }>({
  networkProxy: async ({ server }, use) => {
    const proxy = await startNetworkProxy(server.url)
    await use(proxy)
    await proxy.close()
  },
  backend: async ({ server, networkProxy }, use) => use({ ...server, url: networkProxy.url }),
})

testWithProxy(
  'an import that is cancelled, or whose tab is closed, while it is sent has imported nothing and can be repeated',
  async ({ recordsPage: page, networkProxy }) => {
    // 11 MB after compression: a body that fits into the buffers of the connection would be sent at once.
    const password = () => randomBytes(7_200).toString('base64')
    await chooseRows(page, 1_500, password)
    await expect(importButton(page)).toBeEnabled()
    networkProxy.limitUpload(300_000)
    await importButton(page).click()
    await importDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(importDialog(page)).toContainText('Import cancelled')
    await expect(importButton(page)).toHaveText('Import 1,500 records')
    expect(await countEmployees(page)).toBe(0)

    await importButton(page).click()
    const progress = importDialog(page).locator('progress')
    await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0)
    const tabId = await page.evaluate(() => sessionStorage.getItem('tab'))
    await page.close()
    const nextTab = await page.context().newPage()
    await nextTab.goto('/signin')
    // /form takes over what closed tabs have stored when it opens. The browser may notice late that one is closed.
    const findLocks = () => nextTab.evaluate(async () => (await navigator.locks.query()).held ?? [])
    await expect
      .poll(findLocks)
      .not.toContainEqual(expect.objectContaining({ name: `staffbook-tab-${tabId}` }))
    await nextTab.goto('/form')
    await expect(outboxList(nextTab)).toContainText('Not imported: 1,500 records')
    expect(await countEmployees(nextTab)).toBe(0)
    networkProxy.limitUpload(0)
    await outboxList(nextTab).getByRole('button', { name: 'Retry' }).click()
    await expect(undoBar(nextTab)).toContainText('Imported: 1,500 new.')
    expect(await countEmployees(nextTab)).toBe(1_500)
  },
)
