// A phone whose owner reads at 200 %: the browser's own letters are 32 px, and every length in rem grows with them.
import type { Locator, Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import { ada, expect, fillForm, form, rowOf, rows, table, test } from '../support/e2e/fixture.ts'

const { launchOptions } = config.use ?? {}
test.use({
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--blink-settings=defaultFontSize=32'],
  },
})

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return box
}

for (const width of [360, 320]) {
  test(`text: at 200 % on a phone of ${width} px the register can be read and the form be filled`, async ({
    recordsPage,
  }) => {
    await recordsPage.setViewportSize({ width, height: 740 })
    await createEmployees(recordsPage, [ada, ...makeEmployees(20)])
    await expect(rows(recordsPage).first()).toBeVisible()
    expect(await recordsPage.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    expect(await widthOf(recordsPage)).toBeLessThanOrEqual(width)

    const name = await boxOf(rowOf(recordsPage, ada.eName).getByRole('rowheader'))
    expect(name.width, 'the name of a card').toBeGreaterThan(width / 2)
    const secret = rowOf(recordsPage, ada.eName).getByRole('textbox')
    expect((await boxOf(secret)).width, 'the password of a card').toBeGreaterThan(width / 3)

    const input = form(recordsPage).getByLabel('Password', { exact: true })
    const room = await input.evaluate((element) => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element)
      return element.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
    })
    expect(room, 'the form’s password').toBeGreaterThan(width / 2)
    const eye = await boxOf(form(recordsPage).getByRole('button', { name: 'Show what I type' }))
    const field = await boxOf(input)
    expect(eye.y, 'the eye stands below the field').toBeGreaterThanOrEqual(field.y + field.height)

    const heading = recordsPage.getByRole('heading', { name: 'Employee Data Form' })
    const beyond = await heading.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().right - element.getBoundingClientRect().right
    })
    expect(beyond, 'the heading within its card').toBeLessThanOrEqual(0)

    await fillForm(recordsPage, { ...ada, password: 'Sunshine42!' })
    await expect(form(recordsPage).getByText('everybody tries')).toBeVisible()
    const outside = await form(recordsPage).evaluate((card) => {
      const { left, right } = card.getBoundingClientRect()
      const parts = [...card.querySelectorAll('*')].map((part) => ({
        part,
        box: part.getBoundingClientRect(),
      }))
      return parts.filter(({ box }) => box.left < left || box.right > right).map(({ part }) => part.outerHTML)
    })
    expect(outside, 'outside the form’s card').toEqual([])

    await recordsPage.getByRole('searchbox').fill('nobody')
    await expect(recordsPage.getByText('Nobody found for')).toBeVisible()
    expect(await widthOf(recordsPage)).toBeLessThanOrEqual(width)
    await recordsPage.getByRole('searchbox').fill('')

    await rowOf(recordsPage, 'Person 10').scrollIntoViewIfNeeded()
    const header = await boxOf(table(recordsPage).getByRole('columnheader').first())
    expect(header.y + header.height, 'the header scrolls away').toBeLessThanOrEqual(0)
  })
}
