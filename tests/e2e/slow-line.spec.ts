// A line on which the list takes seconds to arrive.
import { randomUUID } from 'node:crypto'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { createEmployees, expect, names, rowButton, rowOf, table, test } from '../support/e2e/fixture.ts'
import { ada, makeEmployees } from '../support/people.ts'

const count = 10_000
const bytesPerSecond = 8_000

test('a long list shows its rows and its progress while it arrives, and can be changed meanwhile', async ({
  recordsPage,
  openColleague,
  networkProxy,
}) => {
  const headers = { [idempotencyKeyHeader]: randomUUID() }
  const data = { add: makeEmployees(count), update: [], remove: [] }
  expect(await recordsPage.request.post(paths.batch, { data, headers })).toBeOK()
  const page = await openColleague(networkProxy.url)
  await expect(table(page)).toHaveAttribute('aria-rowcount', `${count + 1}`)

  networkProxy.limitDownload(bytesPerSecond)
  await page.reload({ waitUntil: 'commit' })
  // Not the live region, which announces the same words.
  const progress = page.getByRole('paragraph').filter({ hasText: 'of 10,000 loaded' })
  await expect(progress).toHaveText(/^[\d,]+ of 10,000 loaded$/)
  const first = (await progress.textContent()) ?? ''
  await expect(names(page).first()).toHaveText('Person 0')
  await expect(table(page)).toHaveAttribute('aria-rowcount', '-1')
  await expect(page.getByRole('button', { name: 'Export' })).toBeDisabled()
  await expect(progress).not.toHaveText(first)
  await page.keyboard.press('End')
  const readLast = async () => Number((await names(page).last().textContent())?.replace('Person ', ''))
  await expect.poll(readLast).toBeGreaterThan(100)
  await expect(page.getByText('No connection to the register.')).toHaveCount(0)

  // Chromium ignores Home while it animates the scroll of End.
  await expect(async () => {
    await page.keyboard.press('Home')
    await expect(names(page).first()).toHaveText('Person 0', { timeout: 2_000 })
  }).toPass()
  await rowButton(page, 'Person 1', 'Delete').click()
  await expect(rowOf(page, 'Person 1')).toHaveCount(0)
  await expect(progress).toBeVisible()
  await createEmployees(recordsPage, [ada])
  networkProxy.limitDownload(0)
  await expect(table(page)).toHaveAttribute('aria-rowcount', `${count + 1}`)
  await expect(progress).toHaveCount(0)
  await expect(rowOf(page, 'Person 1')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled()
})
