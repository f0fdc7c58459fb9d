// A phone whose owner reads at 200 %: the browser's own letters are 32 px, and every length in rem grows with them.
import type { Locator, Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { ada, expect, fill, form, row, rows, table, test } from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

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
    register,
  }) => {
    await register.setViewportSize({ width, height: 740 })
    await addMany(register, [ada, ...people(20)])
    await expect(rows(register).first()).toBeVisible()
    expect(await register.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    expect(await widthOf(register)).toBeLessThanOrEqual(width)

    const name = await boxOf(row(register, ada.eName).getByRole('rowheader'))
    expect(name.width, 'the name of a card').toBeGreaterThan(width / 2)
    const secret = row(register, ada.eName).getByRole('textbox')
    expect((await boxOf(secret)).width, 'the password of a card').toBeGreaterThan(width / 3)

    const input = form(register).getByLabel('Password', { exact: true })
    const room = await input.evaluate((element) => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element)
      return element.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
    })
    expect(room, 'the form’s password').toBeGreaterThan(width / 2)
    const eye = await boxOf(form(register).getByRole('button', { name: 'Show what I type' }))
    const field = await boxOf(input)
    expect(eye.y, 'the eye stands below the field').toBeGreaterThanOrEqual(field.y + field.height)

    const heading = register.getByRole('heading', { name: 'Employee Data Form' })
    const beyond = await heading.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().right - element.getBoundingClientRect().right
    })
    expect(beyond, 'the heading within its card').toBeLessThanOrEqual(0)

    await fill(register, { ...ada, password: 'Sunshine42!' })
    await expect(form(register).getByText('everybody tries')).toBeVisible()
    const outside = await form(register).evaluate((card) => {
      const { left, right } = card.getBoundingClientRect()
      const parts = [...card.querySelectorAll('*')].map((part) => ({
        part,
        box: part.getBoundingClientRect(),
      }))
      return parts.filter(({ box }) => box.left < left || box.right > right).map(({ part }) => part.outerHTML)
    })
    expect(outside, 'outside the form’s card').toEqual([])

    await register.getByRole('searchbox').fill('nobody')
    await expect(register.getByText('Nobody found for')).toBeVisible()
    expect(await widthOf(register)).toBeLessThanOrEqual(width)
    await register.getByRole('searchbox').fill('')

    await row(register, 'Person 10').scrollIntoViewIfNeeded()
    const header = await boxOf(table(register).getByRole('columnheader').first())
    expect(header.y + header.height, 'the header scrolls away').toBeLessThanOrEqual(0)
  })
}
