import type { Page } from '@playwright/test'
import { ada, add, alan, expect, grace, names, row, rows, table, test } from '../support/e2e/fixture.ts'
import { addMany } from '../support/e2e/people.ts'

const lukasz = { eName: 'Łukasz Müller', email: 'lukasz@example.com', password: 'x' }
const zoe = { eName: 'Zoë Ärlig', email: 'a.zoe@example.com', password: 'x' }
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const header = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true })

test.beforeEach(async ({ register }) => {
  await addMany(register, [zoe, grace, ada, lukasz, alan])
  await expect(rows(register)).toHaveCount(5)
})

test('found: typing narrows over name and email, without regard to case and accents, with marks and a count', async ({
  register,
}) => {
  await searchBox(register).fill('MULLER luka')
  await expect(names(register)).toHaveText([lukasz.eName])
  await expect(row(register, lukasz.eName).locator('mark')).toHaveText(['Łuka', 'Müller', 'luka'])
  await expect(register.getByText('1 of 5', { exact: true })).toBeVisible()
  await expect(register.getByRole('status').filter({ hasText: '1 of 5 found' })).toBeAttached()
  await searchBox(register).fill('example.com')
  await expect(rows(register)).toHaveCount(5)
})

test('found: / focuses the search, Escape clears it, and a slash typed into a field stays there', async ({
  register,
}) => {
  await register.keyboard.press('/')
  await expect(searchBox(register)).toBeFocused()
  await register.keyboard.type('ada')
  await expect(rows(register)).toHaveCount(1)
  await register.keyboard.press('Escape')
  await expect(searchBox(register)).toHaveValue('')
  await expect(rows(register)).toHaveCount(5)
  await register.getByRole('textbox', { name: 'Employee Name' }).fill('')
  await register.getByRole('textbox', { name: 'Employee Name' }).pressSequentially('a/b')
  await expect(register.getByRole('textbox', { name: 'Employee Name' })).toHaveValue('a/b')
})

test('found: a search that nobody matches says so, and leads back', async ({ register }) => {
  await searchBox(register).fill('nobody')
  await expect(register.getByText('Nobody found for nobody')).toBeVisible()
  await expect(rows(register)).toHaveCount(0)
  await register.getByRole('button', { name: 'Show everybody' }).click()
  await expect(rows(register)).toHaveCount(5)
})

test('found: columns sort by their header, both ways, and # is the way back', async ({ register }) => {
  await header(register, 'Employee Name').getByRole('button').click()
  await expect(names(register)).toHaveText([ada, alan, grace, lukasz, zoe].map(({ eName }) => eName))
  await expect(header(register, 'Employee Name')).toHaveAttribute('aria-sort', 'ascending')
  await header(register, 'Employee Name').getByRole('button').click()
  await expect(names(register)).toHaveText([zoe, lukasz, grace, alan, ada].map(({ eName }) => eName))
  await expect(header(register, 'Employee Name')).toHaveAttribute('aria-sort', 'descending')
  await header(register, 'Email').getByRole('button').click()
  await expect(names(register).first()).toHaveText(zoe.eName)
  await expect(rows(register).first().getByRole('cell').first()).toHaveText('1')
  await header(register, '#').getByRole('button').click()
  await expect(names(register)).toHaveText([zoe, grace, ada, lukasz, alan].map(({ eName }) => eName))
})

test('found: a new record, and a changed one, stand where the sorting puts them', async ({ register }) => {
  await header(register, 'Employee Name').getByRole('button').click()
  await add(register, { eName: 'Adam', email: 'adam@example.com', password: 'x' })
  await expect(names(register)).toHaveText([
    ada.eName,
    'Adam',
    alan.eName,
    grace.eName,
    lukasz.eName,
    zoe.eName,
  ])
})

test('found: search and sort live in the address, so that a view can be shared', async ({ register }) => {
  const before = await register.evaluate(() => history.length)
  await searchBox(register).pressSequentially('a')
  await header(register, 'Email').getByRole('button').click()
  await header(register, 'Email').getByRole('button').click()
  await expect(register).toHaveURL('/form?q=a&sort=-email')
  expect(await register.evaluate(() => history.length)).toBe(before)
  await register.reload()
  await expect(searchBox(register)).toHaveValue('a')
  await expect(header(register, 'Email')).toHaveAttribute('aria-sort', 'descending')
  await expect(names(register).first()).toHaveText(lukasz.eName)
  await searchBox(register).fill('')
  await header(register, '#').getByRole('button').click()
  await expect(register).toHaveURL('/form')
})

test('found: the search box is never filled or remembered by a password manager', async ({ register }) => {
  await expect(searchBox(register)).toHaveAttribute('autocomplete', 'off')
  await expect(searchBox(register)).toHaveAttribute('data-1p-ignore', '')
  expect(await searchBox(register).evaluate((input: HTMLInputElement) => input.form)).toBeNull()
})

const keyHint = (page: Page) => page.getByRole('search').getByText('/', { exact: true })

test('the search says its key where there is room and likely a keyboard, and never over the words', async ({
  register,
}) => {
  for (const width of [1280, 961, 959, 700, 640, 480]) {
    await register.setViewportSize({ width, height: 800 })
    await expect(keyHint(register), `${width} px`).toBeVisible()
    const { left, right, end, inner } = await keyHint(register).evaluate((hint) => {
      const input = hint.parentElement?.querySelector('input') as HTMLInputElement
      const { left, right } = hint.getBoundingClientRect()
      const end = input.getBoundingClientRect().right
      return { left, right, end, inner: end - Number.parseFloat(getComputedStyle(input).paddingRight) }
    })
    expect(left, `${width} px`).toBeGreaterThanOrEqual(inner)
    expect(right, `${width} px`).toBeLessThan(end)
  }
  await register.setViewportSize({ width: 400, height: 800 })
  await expect(keyHint(register)).toBeHidden()
})

test('the search says no key that is switched off', async ({ register }) => {
  await register.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await register.getByRole('dialog').getByRole('checkbox').click()
  await register.keyboard.press('Escape')
  await expect(keyHint(register)).toBeHidden()
  await expect(searchBox(register)).not.toHaveAttribute('aria-keyshortcuts')
})

test.describe('without a pointer that hovers', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

  test('the search says no key where there is hardly a keyboard', async ({ register }) => {
    await expect(searchBox(register)).toBeVisible()
    await expect(keyHint(register)).toBeHidden()
  })
})
