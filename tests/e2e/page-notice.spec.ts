import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { ada, expect, fill, form, grace, row, rows, test } from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true })

/** A record that is out of sight, and said to be saved. */
async function saveOutOfSight(page: Page) {
  await addMany(page, people(60))
  await expect(page.getByText('60', { exact: true }).first()).toBeVisible()
  await fill(page, ada)
  await form(page).getByRole('button', { name: 'Submit' }).click()
  await expect(show(page)).toBeVisible()
}

test('axe: the notice with Undo has no violation: light, dark, high contrast', async ({ register }) => {
  await addMany(register, people(30))
  await register.setViewportSize({ width: 320, height: 700 })
  await row(register, 'Person 20').scrollIntoViewIfNeeded()
  await register.getByRole('button', { name: 'Delete Person 20', exact: true }).click()
  await expect(register.getByRole('status').filter({ hasText: 'Person 20' }).last()).toContainText(
    'Deleted Person 20',
  )
  for (const look of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { colorScheme: 'light', forcedColors: 'active' },
  ] as const) {
    await register.emulateMedia({ reducedMotion: 'reduce', ...look })
    const { violations } = await new AxeBuilder({ page: register }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }
})

test('notice: its button comes before the rows, and it stays for as long as it has the focus or the pointer', async ({
  register,
}) => {
  await register.clock.install()
  await saveOutOfSight(register)
  for (let step = 0; step < 12; step++) {
    if (await show(register).evaluate((element) => element === document.activeElement)) break
    await register.keyboard.press('Tab')
  }
  await expect(show(register)).toBeFocused()
  await register.clock.runFor(60_000)
  await expect(show(register)).toBeFocused()
  await show(register).hover()
  await register.keyboard.press('Shift+Tab')
  await register.clock.runFor(60_000)
  await expect(show(register)).toBeVisible()
  await register.mouse.move(0, 0)
  await register.clock.runFor(5_000)
  await expect(show(register)).toHaveCount(0)
})

test('notice: it goes with the record it speaks of, and leaves the focus in the form', async ({
  register,
}) => {
  await saveOutOfSight(register)
  await show(register).focus()
  const { documents } = await (await register.request.get(paths.books)).json()
  const saved = documents.find(({ eName }: typeof ada) => eName === ada.eName)
  await register.request.delete(`${paths.books}/${saved.id}`)
  await expect(show(register)).toHaveCount(0)
  await expect(form(register).getByLabel('Employee Name')).toBeFocused()
})

test('notice: a long name is cut, never what is said of it', async ({ register }) => {
  await register.setViewportSize({ width: 320, height: 700 })
  await addMany(register, [{ ...grace, eName: 'N'.repeat(200) }])
  await rows(register).getByRole('button', { name: 'Copy password' }).click()
  const notice = register.getByRole('status').filter({ hasText: 'copied.' })
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
