import { type BatchResult, maxBatchSize } from '../../contract/batches.ts'
import { paths } from '../../contract/protocol.ts'
import { makeEmployees } from '../support/e2e/employees.ts'
import { expect, names, rowOf, rows, table, test } from '../support/e2e/fixture.ts'
import { isNightly } from '../support/nightly.ts'

const count = isNightly ? 50_000 : 3_000

test.beforeEach(async ({ recordsPage }) => {
  expect(count).toBeLessThan(maxBatchSize)
  const answer = await recordsPage.request.post(paths.batch, {
    data: { add: makeEmployees(count), update: [], remove: [] },
    headers: { 'idempotency-key': 'big' },
  })
  const { ids } = (await answer.json()) as BatchResult
  expect(ids).toHaveLength(count)
  await expect(table(recordsPage)).toHaveAttribute('aria-rowcount', `${count + 1}`)
})

test('big: a real table says how many rows it has and which ones are in the page', async ({
  recordsPage,
}) => {
  await expect(rows(recordsPage).first()).toHaveAttribute('aria-rowindex', '2')
  expect(await rows(recordsPage).count()).toBeLessThan(60)
  await recordsPage.getByRole('searchbox').press('ArrowDown')
  await recordsPage.keyboard.press('End')
  await expect(rows(recordsPage).last()).toHaveAttribute('aria-rowindex', `${count + 1}`)
  expect(await rows(recordsPage).count()).toBeLessThan(60)
})

test('big: End and Home, on the page and on a row, show the last and the first row', async ({
  recordsPage,
}) => {
  await recordsPage.locator('h2').click()
  await recordsPage.keyboard.press('End')
  await expect(rowOf(recordsPage, `Person ${count - 1}`)).toBeInViewport()
  await recordsPage.keyboard.press('Home')
  await expect(rowOf(recordsPage, 'Person 0')).toBeInViewport()
  await recordsPage.getByRole('searchbox').press('ArrowDown')
  await recordsPage.keyboard.press('End')
  await expect(recordsPage.locator('tr:focus').getByRole('rowheader')).toHaveText(`Person ${count - 1}`)
  await expect(rowOf(recordsPage, `Person ${count - 1}`)).toBeInViewport()
  await recordsPage.keyboard.press('Home')
  await expect(recordsPage.locator('tr:focus').getByRole('rowheader')).toHaveText('Person 0')
  await expect(rowOf(recordsPage, 'Person 0')).toBeInViewport()
})

test('big: no frame is blank while scrolling, whatever the distance', async ({ recordsPage }) => {
  const blank = await recordsPage.evaluate(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const isRow = (y: number) => document.elementFromPoint(innerWidth / 2, y)?.closest('tbody tr') !== null
    // Below the last row the page leaves room for the notice.
    const room = Number.parseFloat(getComputedStyle(document.querySelector('main') as Element).paddingBottom)
    let blank = 0
    document.querySelector('table')?.scrollIntoView()
    for (const distance of [40, 400, 1_500, 20_000, -700, -9_000, 60_000]) {
      for (let step = 0; step < 6; step++) {
        scrollBy({ top: distance, behavior: 'instant' })
        await painted()
        if (!isRow(innerHeight / 2) || !isRow(innerHeight - room - 10)) blank++
      }
      scrollTo({ top: 70_000, behavior: 'instant' })
      await painted()
    }
    return blank
  })
  expect(blank).toBe(0)
})

test('big: the header stays in sight', async ({ recordsPage }) => {
  await recordsPage.evaluate(() => scrollTo(0, 40_000))
  await expect(table(recordsPage).getByRole('columnheader', { name: 'Email' })).toBeInViewport()
})

test('big: a row that is scrolled away keeps the focus, and the keyboard goes on from there', async ({
  recordsPage,
}) => {
  await rowOf(recordsPage, 'Person 3').getByRole('button', { name: 'Edit Person 3' }).focus()
  await recordsPage.mouse.move(600, 500)
  await recordsPage.mouse.wheel(0, 60_000)
  await expect(rowOf(recordsPage, 'Person 3')).not.toBeInViewport()
  await expect(recordsPage.getByRole('button', { name: 'Edit Person 3', exact: true })).toBeFocused()
  await recordsPage.keyboard.press('ArrowDown')
  await expect(recordsPage.locator('tr:focus').getByRole('rowheader')).toHaveText('Person 4')
  await expect(rowOf(recordsPage, 'Person 4')).toBeInViewport()
})

test('big: a deleted row in the middle is closed up, and the focus stays in place', async ({
  recordsPage,
}) => {
  await recordsPage.getByRole('searchbox').press('ArrowDown')
  for (let step = 0; step < 5; step++) await recordsPage.keyboard.press('PageDown')
  await expect(recordsPage.locator('tr:focus').getByRole('rowheader')).toHaveText('Person 50')
  await recordsPage.keyboard.press('Delete')
  await expect(recordsPage.locator('tr:focus').getByRole('rowheader')).toHaveText('Person 51')
  await expect(table(recordsPage)).toHaveAttribute('aria-rowcount', `${count}`)
})

test('big: a colleague’s change far above moves nothing under the reader’s eyes', async ({ recordsPage }) => {
  await recordsPage.getByRole('searchbox').press('ArrowDown')
  await recordsPage.keyboard.press('End')
  const focused = recordsPage.locator('tr:focus').getByRole('rowheader')
  await expect(focused).toHaveText(`Person ${count - 1}`)
  const list = await (await recordsPage.request.get(paths.books)).json()
  await recordsPage.request.delete(paths.book(list.documents[0].id))
  await expect(table(recordsPage)).toHaveAttribute('aria-rowcount', `${count}`)
  await expect(focused).toHaveText(`Person ${count - 1}`)
})

test('big: the first rows are shown before the last have arrived', async ({ recordsPage, baseURL }) => {
  // A line that lets the beginning of the list through and holds the rest back, as a slow one does.
  const list = await (
    await recordsPage.request.get(paths.books, { headers: { 'accept-encoding': 'identity' } })
  ).text()
  const half = list.slice(0, list.length / 2)
  await recordsPage.addInitScript(
    ({ path, half, rest }) => {
      const { fetch } = window
      window.fetch = async (input, init) => {
        if (!String(input).endsWith(path)) return fetch(input, init)
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode(half))
            await new Promise<void>((resolve) =>
              addEventListener('let-through', () => resolve(), { once: true }),
            )
            controller.enqueue(new TextEncoder().encode(rest))
            controller.close()
          },
        })
        return new Response(body)
      }
    },
    { path: paths.books, half, rest: list.slice(half.length) },
  )
  await recordsPage.goto(`${baseURL}/form`)
  await expect(names(recordsPage).first()).toHaveText('Person 0')
  await expect(table(recordsPage)).toHaveAttribute('aria-rowcount', '-1')
  await expect(recordsPage.getByText('reading …')).toBeVisible()
  await recordsPage.evaluate(() => dispatchEvent(new Event('let-through')))
  await expect(table(recordsPage)).toHaveAttribute('aria-rowcount', `${count + 1}`)
})
