// Deleting needs no confirmation, so every press must hit the record that the user sees, and every delete can be undone.
import type { Page } from '@playwright/test'
import { createEmployees, expect, names, rows, test, undoBar } from '../support/e2e/fixture.ts'
import { makeEmployees, nameOf } from '../support/people.ts'

const pressCount = 8
const pressIntervalMs = 300
const employees = makeEmployees(30)
const allNames = employees.map(nameOf)

/** Presses the mouse eight times on one spot, where the Delete button of a row is. Returns the names of the rows that it hit. */
async function pressDeleteInOnePlace(page: Page): Promise<string[]> {
  const target = await rows(page).nth(3).getByRole('button', { name: 'Delete' }).boundingBox()
  if (!target) throw new Error('There is no fourth row.')
  const [x, y] = [target.x + target.width / 2, target.y + target.height / 2]
  await page.mouse.move(x, y)
  const pressed: string[] = []
  for (let press = 0; press < pressCount; press++) {
    const label = await page.evaluate(
      ([x, y]) =>
        document
          .elementFromPoint(x ?? 0, y ?? 0)
          ?.closest('button')
          ?.getAttribute('aria-label'),
      [x, y],
    )
    expect(label).toMatch(/^Delete /)
    pressed.push(String(label).replace('Delete ', ''))
    await page.mouse.click(x, y)
    await page.waitForTimeout(pressIntervalMs)
    // On a slow machine, a response can take longer.
    await expect(page.getByRole('button', { name: String(label), exact: true })).toHaveCount(0)
  }
  return pressed
}

for (const [device, viewport] of [
  ['a laptop', { width: 1200, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${device}`, { tag: '@own-server' }, () => {
    test.use({ viewport })

    test('eight presses, 300 ms apart, delete eight records, and all are restored together', async ({
      recordsPage,
    }) => {
      await createEmployees(recordsPage, employees)
      await expect(rows(recordsPage)).toHaveCount(30)
      // The chips of weak passwords appear when the page is idle.
      await expect(recordsPage.getByRole('button', { name: /weak/ })).toBeVisible()
      const pressed = await pressDeleteInOnePlace(recordsPage)
      expect(pressed).toEqual(allNames.slice(3, 3 + pressCount))
      await expect(names(recordsPage)).toHaveText(allNames.filter((name) => !pressed.includes(name)))
      await expect(undoBar(recordsPage)).toContainText(`Deleted ${pressed.at(-1)} and 7 others`)
      await undoBar(recordsPage).getByRole('button', { name: 'Undo all (8)' }).click()
      await expect(names(recordsPage)).toHaveText(allNames)
      await expect(undoBar(recordsPage).getByRole('button')).toHaveCount(0)
    })
  })
}

test.describe('on a touch screen', { tag: '@own-server' }, () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

  test('the search box shows no shortcut', async ({ recordsPage }) => {
    await expect(recordsPage.getByRole('searchbox', { name: 'Search' })).toBeVisible()
    await expect(recordsPage.getByRole('search').getByText('/', { exact: true })).toBeHidden()
  })
})
