import type { Page } from '@playwright/test'
import { createEmployees } from '../support/e2e/employees.ts'
import {
  ada,
  addEmployee,
  alan,
  expect,
  grace,
  names,
  rowOf,
  rows,
  table,
  test,
} from '../support/e2e/fixture.ts'

const lukasz = { eName: 'Łukasz Müller', email: 'lukasz@example.com', password: 'x' }
const zoe = { eName: 'Zoë Ärlig', email: 'a.zoe@example.com', password: 'x' }
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const header = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true })

test.beforeEach(async ({ recordsPage }) => {
  await createEmployees(recordsPage, [zoe, grace, ada, lukasz, alan])
  await expect(rows(recordsPage)).toHaveCount(5)
})

test('found: typing narrows over name and email, without regard to case and accents, with marks and a count', async ({
  recordsPage,
}) => {
  await searchBox(recordsPage).fill('MULLER luka')
  await expect(names(recordsPage)).toHaveText([lukasz.eName])
  await expect(rowOf(recordsPage, lukasz.eName).locator('mark')).toHaveText(['Łuka', 'Müller', 'luka'])
  await expect(recordsPage.getByText('1 of 5', { exact: true })).toBeVisible()
  await expect(recordsPage.getByRole('status').filter({ hasText: '1 of 5 found' })).toBeAttached()
  await searchBox(recordsPage).fill('example.com')
  await expect(rows(recordsPage)).toHaveCount(5)
})

test('found: / focuses the search, Escape clears it, and a slash typed into a field stays there', async ({
  recordsPage,
}) => {
  await recordsPage.keyboard.press('/')
  await expect(searchBox(recordsPage)).toBeFocused()
  await recordsPage.keyboard.type('ada')
  await expect(rows(recordsPage)).toHaveCount(1)
  await recordsPage.keyboard.press('Escape')
  await expect(searchBox(recordsPage)).toHaveValue('')
  await expect(rows(recordsPage)).toHaveCount(5)
  await recordsPage.getByRole('textbox', { name: 'Employee Name' }).fill('')
  await recordsPage.getByRole('textbox', { name: 'Employee Name' }).pressSequentially('a/b')
  await expect(recordsPage.getByRole('textbox', { name: 'Employee Name' })).toHaveValue('a/b')
})

test('found: a search that nobody matches says so, and leads back', async ({ recordsPage }) => {
  await searchBox(recordsPage).fill('nobody')
  await expect(recordsPage.getByText('Nobody found for nobody')).toBeVisible()
  await expect(rows(recordsPage)).toHaveCount(0)
  await recordsPage.getByRole('button', { name: 'Show everybody' }).click()
  await expect(rows(recordsPage)).toHaveCount(5)
})

test('found: columns sort by their header, both ways, and # is the way back', async ({ recordsPage }) => {
  await header(recordsPage, 'Employee Name').getByRole('button').click()
  await expect(names(recordsPage)).toHaveText([ada, alan, grace, lukasz, zoe].map(({ eName }) => eName))
  await expect(header(recordsPage, 'Employee Name')).toHaveAttribute('aria-sort', 'ascending')
  await header(recordsPage, 'Employee Name').getByRole('button').click()
  await expect(names(recordsPage)).toHaveText([zoe, lukasz, grace, alan, ada].map(({ eName }) => eName))
  await expect(header(recordsPage, 'Employee Name')).toHaveAttribute('aria-sort', 'descending')
  await header(recordsPage, 'Email').getByRole('button').click()
  await expect(names(recordsPage).first()).toHaveText(zoe.eName)
  await expect(rows(recordsPage).first().getByRole('cell').first()).toHaveText('1')
  await header(recordsPage, '#').getByRole('button').click()
  await expect(names(recordsPage)).toHaveText([zoe, grace, ada, lukasz, alan].map(({ eName }) => eName))
})

test('found: a new record, and a changed one, stand where the sorting puts them', async ({ recordsPage }) => {
  await header(recordsPage, 'Employee Name').getByRole('button').click()
  await addEmployee(recordsPage, { eName: 'Adam', email: 'adam@example.com', password: 'x' })
  await expect(names(recordsPage)).toHaveText([
    ada.eName,
    'Adam',
    alan.eName,
    grace.eName,
    lukasz.eName,
    zoe.eName,
  ])
})

test('found: search and sort live in the address, so that a view can be shared', async ({ recordsPage }) => {
  const before = await recordsPage.evaluate(() => history.length)
  await searchBox(recordsPage).pressSequentially('a')
  await header(recordsPage, 'Email').getByRole('button').click()
  await header(recordsPage, 'Email').getByRole('button').click()
  await expect(recordsPage).toHaveURL('/form?q=a&sort=-email')
  expect(await recordsPage.evaluate(() => history.length)).toBe(before)
  await recordsPage.reload()
  await expect(searchBox(recordsPage)).toHaveValue('a')
  await expect(header(recordsPage, 'Email')).toHaveAttribute('aria-sort', 'descending')
  await expect(names(recordsPage).first()).toHaveText(lukasz.eName)
  await searchBox(recordsPage).fill('')
  await header(recordsPage, '#').getByRole('button').click()
  await expect(recordsPage).toHaveURL('/form')
})

test('found: the search box is never filled or remembered by a password manager', async ({ recordsPage }) => {
  await expect(searchBox(recordsPage)).toHaveAttribute('autocomplete', 'off')
  await expect(searchBox(recordsPage)).toHaveAttribute('data-1p-ignore', '')
  expect(await searchBox(recordsPage).evaluate((input: HTMLInputElement) => input.form)).toBeNull()
})

const keyHint = (page: Page) => page.getByRole('search').getByText('/', { exact: true })

test('the search says its key where there is room and likely a keyboard, and never over the words', async ({
  recordsPage,
}) => {
  for (const width of [1280, 961, 959, 700, 640, 480]) {
    await recordsPage.setViewportSize({ width, height: 800 })
    await expect(keyHint(recordsPage), `${width} px`).toBeVisible()
    const { left, right, end, inner } = await keyHint(recordsPage).evaluate((hint) => {
      const input = hint.parentElement?.querySelector('input') as HTMLInputElement
      const { left, right } = hint.getBoundingClientRect()
      const end = input.getBoundingClientRect().right
      return { left, right, end, inner: end - Number.parseFloat(getComputedStyle(input).paddingRight) }
    })
    expect(left, `${width} px`).toBeGreaterThanOrEqual(inner)
    expect(right, `${width} px`).toBeLessThan(end)
  }
  await recordsPage.setViewportSize({ width: 400, height: 800 })
  await expect(keyHint(recordsPage)).toBeHidden()
})

test('the search says no key that is switched off', async ({ recordsPage }) => {
  await recordsPage.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await recordsPage.getByRole('dialog').getByRole('checkbox').click()
  await recordsPage.keyboard.press('Escape')
  await expect(keyHint(recordsPage)).toBeHidden()
  await expect(searchBox(recordsPage)).not.toHaveAttribute('aria-keyshortcuts')
})

test.describe('without a pointer that hovers', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

  test('the search says no key where there is hardly a keyboard', async ({ recordsPage }) => {
    await expect(searchBox(recordsPage)).toBeVisible()
    await expect(keyHint(recordsPage)).toBeHidden()
  })
})
