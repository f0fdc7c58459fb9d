import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { writeWorkbook } from '../../web/records/model/spreadsheet/write-workbook.ts'
import { expect, test } from '../support/e2e/fixture.ts'
import { type Records, recordsIn } from '../support/e2e/records.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, makeEmployees, nameOf } from '../support/people.ts'

/** The parts of the import dialog. */
function importIn({ page }: Records) {
  const dialog = page.getByRole('dialog', { name: 'Import' })
  const button = dialog.getByRole('button', { name: /^Import \d/ })
  return { dialog, button, result: page.getByRole('dialog', { name: 'Imported' }) }
}

async function chooseRows(records: Records, count: number, password = () => 'secret') {
  const lines = makeEmployees(count).map((record) => `${nameOf(record)},${record.email},${password()}\r\n`)
  const buffer = Buffer.from(`Employee Name,Email,Password\r\n${lines.join('')}`)
  await records.press('Import')
  const input = importIn(records).dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'employees.csv', mimeType: 'text/csv', buffer })
}

/** The nightly run imports the maximum number of rows. */
const rowCount = isNightly ? 100_000 : 5_000

test('a large import renders only some of its rows, and one undo removes them all', { tag: '@main' }, async ({
  records,
}) => {
  const formatted = rowCount.toLocaleString('en-GB')
  await records.create(ada)
  await chooseRows(records, rowCount)
  const { dialog, button, result } = importIn(records)
  await expect(button).toHaveText(`Import ${formatted} records`)
  const list = dialog.getByRole('region', { name: 'Rows' })
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(list.getByRole('listitem').last()).toContainText(`person${rowCount - 1}@example.com`)
  await expect(list.getByRole('listitem').last()).toBeInViewport()

  await button.click()
  await expect(result).toContainText(`${formatted} records imported`, { timeout: 60_000 })
  await result.getByRole('button', { name: 'Done' }).click()
  expect(await records.countStored()).toBe(rowCount + 1)
  await expect(records.names.nth(1)).toHaveText('Person 0')
  await expect(records.table).toHaveAttribute('aria-rowcount', `${rowCount + 2}`)

  await records.undoBar.getByRole('button', { name: 'Undo import', exact: true }).click()
  await expect(records.rows).toHaveCount(1, { timeout: 60_000 })
  await expect(records.outbox).toBeEmpty()
  expect(await records.countStored()).toBe(1)
})

/** Presses Cancel as soon as the progress of a file that is read is shown: a later click might come when it has been read. */
const cancelReading = (page: Page) =>
  page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const dialog = document.querySelector('dialog[open]:has(progress)')
      const cancel = [...(dialog?.querySelectorAll('button') ?? [])].find(
        (button) => button.textContent === 'Cancel',
      )
      if (!cancel) return
      observer.disconnect()
      cancel.click()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })

test('a large workbook is read in a worker with the policy of the server; reading it can be cancelled', async ({
  records,
}) => {
  const rows = makeEmployees(rowCount).map((record) => [nameOf(record), record.email, record.password])
  const buffer = Buffer.from(writeWorkbook([['Employee Name', 'Email', 'Password'], ...rows]))
  const file = { name: 'employees.xlsx', mimeType: 'application/octet-stream', buffer }
  await records.press('Import')
  const { dialog, button } = importIn(records)
  const input = dialog.locator('input[type=file]')
  await cancelReading(records.page)
  await input.setInputFiles(file)
  await expect(dialog.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await input.setInputFiles(file)
  await expect(button).toHaveText(`Import ${rowCount.toLocaleString('en-GB')} records`, {
    timeout: 60_000,
  })
})

/** In bytes per second. */
const slow = 1_000

test('an import that is cancelled, or whose tab is closed, while it is sent has imported nothing and can be repeated', async ({
  openColleague,
  networkProxy,
}) => {
  const records = await openColleague(networkProxy.url)
  const { page } = records
  const context = page.context()
  // 7 MB after compression: a body that fits into the buffers of the connection would be sent at once.
  await chooseRows(records, 1_000, () => randomBytes(7_200).toString('base64'))
  const { dialog, button } = importIn(records)
  await expect(button).toBeEnabled()
  networkProxy.limitUpload(slow)
  await button.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toContainText('Import cancelled')
  await expect(button).toHaveText('Import 1,000 records')
  expect(await records.countStored()).toBe(0)

  await button.click()
  const progress = dialog.locator('progress')
  await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0)
  const tabId = await page.evaluate(() => sessionStorage.getItem('tab'))
  await page.close()
  const next = recordsIn(await context.newPage())
  await next.page.goto('/signin')
  // /form takes over what closed tabs have stored when it opens. The browser may notice late that one is closed.
  const findLocks = () => next.page.evaluate(async () => (await navigator.locks.query()).held ?? [])
  const lock = expect.objectContaining({ name: `staffbook-tab-${tabId}` })
  await expect.poll(findLocks).not.toContainEqual(lock)
  await next.page.goto('/form')
  await expect(next.outbox).toContainText('Not imported: 1,000 records')
  expect(await next.countStored()).toBe(0)
  networkProxy.limitUpload(0)
  await next.outbox.getByRole('button', { name: 'Retry' }).click()
  await expect(next.undoBar).toContainText('1,000 records imported.', { timeout: 60_000 })
  expect(await next.countStored()).toBe(1_000)
})
