import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import { expect, test } from '../support/e2e/fixture.ts'

const mixedRows = `Employee Name,Email,Password
Person 0,person0@example.com,secret-0
A name that is much too long to stand in a row of this list on any screen,person1@example.com,new
'=a formula,new@example.com,x
عائشة,rtl@example.com,p
,wrong,x
`

/** No violation of WCAG 2.2 AA, nothing to scroll sideways, and on a phone nothing too small for a finger. */
async function expectAccessible(page: Page, isPhone: boolean) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  const dialog = page.getByRole('dialog')
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  if (!isPhone) return
  for (const target of await dialog.locator('button, select, label:has(input)').all()) {
    const box = await target.boundingBox()
    expect(box?.height, (await target.textContent()) ?? undefined).toBeGreaterThanOrEqual(44)
  }
}

for (const [colorScheme, width] of [
  ['light', 1100],
  ['dark', 1100],
  ['light', 320],
  ['dark', 320],
] as const) {
  test(`import and export are for everyone: ${colorScheme}, ${width} px`, async ({ recordsPage }) => {
    test.setTimeout(60_000)
    const isPhone = width === 320
    await recordsPage.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await recordsPage.setViewportSize({ width, height: 760 })
    await createEmployees(recordsPage, makeEmployees(3))
    const dialog = (name: string) => recordsPage.getByRole('dialog', { name })

    await recordsPage.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(dialog('Import')).toBeVisible()
    await expectAccessible(recordsPage, isPhone)
    const file = (name: string, content: string) =>
      dialog('Import')
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
    await file('nothing.csv', '\n')
    await expect(dialog('Import').getByRole('alert').filter({ hasText: 'no rows' })).toBeVisible()
    await expectAccessible(recordsPage, isPhone)
    await file('people.csv', mixedRows)
    await expect(dialog('Import').getByRole('listitem')).toHaveCount(5)
    await expectAccessible(recordsPage, isPhone)
    await dialog('Import').getByRole('button', { name: 'Import 3 records' }).click()
    await expect(dialog('Imported')).toContainText('2 new, 1 changed')
    await expectAccessible(recordsPage, isPhone)
    await dialog('Imported').getByRole('button', { name: 'Done' }).click()

    await recordsPage.getByRole('searchbox').fill('person')
    await expect(recordsPage.getByRole('rowheader')).toHaveCount(3)
    await recordsPage.getByRole('button', { name: 'Export', exact: true }).click()
    await expect(dialog('Export').getByLabel('What the search shows')).toBeChecked()
    await dialog('Export').getByLabel('With passwords').check()
    await expectAccessible(recordsPage, isPhone)
  })
}
