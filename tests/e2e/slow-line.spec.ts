// A line on which the list takes seconds to arrive.
import { randomUUID } from 'node:crypto'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { expect, test } from '../support/e2e/fixture.ts'
import { ada, makeEmployees } from '../support/people.ts'

const count = 5_000
const bytesPerSecond = 8_000

test('a long list shows its rows and its progress while it arrives, and can be changed meanwhile', async ({
  records,
  openColleague,
  networkProxy,
}) => {
  const headers = { [idempotencyKeyHeader]: randomUUID() }
  const data = { add: makeEmployees(count), update: [], remove: [] }
  expect(await records.page.request.post(paths.batch, { data, headers })).toBeOK()
  const { page, table, names, rowOf, ...theirs } = await openColleague(networkProxy.url)
  await expect(table).toHaveAttribute('aria-rowcount', `${count + 1}`)

  networkProxy.limitDownload(bytesPerSecond)
  await page.reload({ waitUntil: 'commit' })
  // Not the live region, which announces the same words.
  const progress = page.getByRole('paragraph').filter({ hasText: 'of 5,000 loaded' })
  await expect(progress).toHaveText(/^[\d,]+ of 5,000 loaded$/)
  const first = (await progress.textContent()) ?? ''
  await expect(names.first()).toHaveText('Person 0')
  await expect(table).toHaveAttribute('aria-rowcount', '-1')
  await expect(page.getByRole('button', { name: 'Export' })).toBeDisabled()
  await expect(progress).not.toHaveText(first)
  await page.keyboard.press('End')
  const readLast = async () => Number((await names.last().textContent())?.replace('Person ', ''))
  await expect.poll(readLast).toBeGreaterThan(100)
  await expect(page.getByText(/^(You’re offline|The server isn’t available)/)).toHaveCount(0)

  // Chromium ignores Home while it animates the scroll of End.
  await expect(async () => {
    await page.keyboard.press('Home')
    await expect(names.first()).toHaveText('Person 0', { timeout: 2_000 })
  }).toPass()
  await theirs.delete('Person 1')
  await expect(rowOf('Person 1')).toHaveCount(0)
  await expect(progress).toBeVisible()
  await records.create(ada)
  networkProxy.limitDownload(0)
  await expect(table).toHaveAttribute('aria-rowcount', `${count + 1}`)
  await expect(progress).toHaveCount(0)
  await expect(rowOf('Person 1')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled()
})
