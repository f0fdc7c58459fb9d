import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import { ada, expect, fillForm, form, grace, rowOf, rows, test } from '../support/e2e/fixture.ts'

const showButton = (page: Page) => page.getByRole('button', { name: 'Show', exact: true })

/** A record that is out of sight, and said to be saved. */
async function saveOffscreenRecord(page: Page) {
  await createEmployees(page, makeEmployees(60))
  await expect(page.getByText('60', { exact: true }).first()).toBeVisible()
  await fillForm(page, ada)
  await form(page).getByRole('button', { name: 'Submit' }).click()
  await expect(showButton(page)).toBeVisible()
}

test('axe: the notice with Undo has no violation: light, dark, high contrast', async ({ recordsPage }) => {
  await createEmployees(recordsPage, makeEmployees(30))
  await recordsPage.setViewportSize({ width: 320, height: 700 })
  await rowOf(recordsPage, 'Person 20').scrollIntoViewIfNeeded()
  await recordsPage.getByRole('button', { name: 'Delete Person 20', exact: true }).click()
  await expect(recordsPage.getByRole('status').filter({ hasText: 'Person 20' }).last()).toContainText(
    'Deleted Person 20',
  )
  for (const look of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { colorScheme: 'light', forcedColors: 'active' },
  ] as const) {
    await recordsPage.emulateMedia({ reducedMotion: 'reduce', ...look })
    const { violations } = await new AxeBuilder({ page: recordsPage }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }
})

test('notice: its button comes before the rows, and it stays for as long as it has the focus or the pointer', async ({
  recordsPage,
}) => {
  await recordsPage.clock.install()
  await saveOffscreenRecord(recordsPage)
  for (let step = 0; step < 12; step++) {
    if (await showButton(recordsPage).evaluate((element) => element === document.activeElement)) break
    await recordsPage.keyboard.press('Tab')
  }
  await expect(showButton(recordsPage)).toBeFocused()
  await recordsPage.clock.runFor(60_000)
  await expect(showButton(recordsPage)).toBeFocused()
  await showButton(recordsPage).hover()
  await recordsPage.keyboard.press('Shift+Tab')
  await recordsPage.clock.runFor(60_000)
  await expect(showButton(recordsPage)).toBeVisible()
  await recordsPage.mouse.move(0, 0)
  await recordsPage.clock.runFor(5_000)
  await expect(showButton(recordsPage)).toHaveCount(0)
})

test('notice: it goes with the record it speaks of, and leaves the focus in the form', async ({
  recordsPage,
}) => {
  await saveOffscreenRecord(recordsPage)
  await showButton(recordsPage).focus()
  const { documents } = await (await recordsPage.request.get(paths.books)).json()
  const saved = documents.find(({ eName }: typeof ada) => eName === ada.eName)
  await recordsPage.request.delete(`${paths.books}/${saved.id}`)
  await expect(showButton(recordsPage)).toHaveCount(0)
  await expect(form(recordsPage).getByLabel('Employee Name')).toBeFocused()
})

test('notice: a long name is cut, never what is said of it', async ({ recordsPage }) => {
  await recordsPage.setViewportSize({ width: 320, height: 700 })
  await createEmployees(recordsPage, [{ ...grace, eName: 'N'.repeat(200) }])
  await rows(recordsPage).getByRole('button', { name: 'Copy password' }).click()
  const notice = recordsPage.getByRole('status').filter({ hasText: 'copied.' })
  await expect(notice).toBeVisible()
  const { x, width } = (await notice.locator('p').boundingBox()) ?? { x: 0, width: 320 }
  expect(x + width).toBeLessThan(320)
  const cut = await notice.locator('p').evaluate((words) => {
    const range = document.createRange()
    range.selectNodeContents(words)
    range.setStart(words.lastChild as Node, 0)
    return range.getBoundingClientRect().bottom - words.getBoundingClientRect().bottom
  })
  expect(cut).toBeLessThanOrEqual(0)
})
