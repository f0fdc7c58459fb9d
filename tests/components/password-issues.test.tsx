import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, alan, grace, named, nameOf, renamed } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import { recordAnnouncements } from './announcements.ts'
import * as ui from './elements.ts'

const chips = () => page.getByRole('group', { name: 'Passwords to replace' })
const chip = (name: string) => chips().getByRole('button', { name, exact: true })
const count = (text: string) => page.getByText(text, { exact: true })

const strong = named('Barbara Liskov', { password: 'kiwi tram lantern orbit 7' })
const weak = { ...alan, password: 'summer2024' }
const reusers = [
  { ...ada, password: 'Zq8$mWn2@Lx5vB' },
  { ...grace, password: 'Zq8$mWn2@Lx5vB' },
]

let testPage: TestPage

beforeEach(async () => {
  testPage = await openRecords([strong, weak, ...reusers])
})

describe('the chips beside the count', () => {
  test('narrow the table, count and announce its rows, keep the focus, and show all records at the next press', {
    tags: 'main',
  }, async () => {
    await ui.expectTexts(chips().getByRole('button'), ['1 weak password', '2 reused passwords'])
    for (const each of chips().getByRole('button').all())
      await expect.element(each).toHaveAttribute('aria-pressed', 'false')
    const announced = recordAnnouncements()
    await ui.press(chip('2 reused passwords'), '{Enter}')
    await ui.expectNames(ada, grace)
    await expect.element(chip('2 reused passwords')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(count('2 of 4')).toBeVisible()
    await expect.poll(() => announced).toContain('2 of 4 found')
    await expect.element(chip('2 reused passwords')).toHaveFocus()
    await chip('1 weak password').click()
    await ui.expectNames(alan)
    await expect.element(chip('2 reused passwords')).toHaveAttribute('aria-pressed', 'false')
    await chip('1 weak password').click()
    await expect.element(ui.rows()).toHaveLength(4)
    await expect.poll(() => announced).toContain('4 records')
  })

  test('say in each row what is wrong with its password, and put those with the same one together', async () => {
    await testPage.colleague.add(named('Edsger', { password: weak.password }))
    const notes = page.getByText(/^(Very weak|Weak|Same as .*)$/)
    await expect.element(chip('4 reused passwords')).toBeVisible()
    await expect.element(notes).toHaveLength(0)
    await chip('4 reused passwords').click()
    await ui.expectNames(alan, 'Edsger', ada, grace)
    await ui.expectTexts(notes, ['Same as 5', 'Same as 2', 'Same as 4', 'Same as 3'])
    await expect.element(ui.button('Change 4…')).toBeVisible()
    const sorted = ui.table().getByCss('[aria-sort]')
    const firstOfGroups = ui.table().getByCss('[data-starts-group] th')
    await expect.element(ui.sortSelect()).toHaveDisplayValue('By password')
    await expect.element(sorted).toHaveLength(0)
    await ui.expectTexts(firstOfGroups, [nameOf(ada)])
    await ui.sortSelect().selectOptions('Newest first')
    await ui.expectNames('Edsger', grace, ada, alan)
    await expect.element(sorted).toHaveLength(1)
    await expect.element(firstOfGroups).toHaveLength(0)
    await chip('2 weak passwords').click()
    await expect.element(notes).toHaveLength(2)
    await chip('2 weak passwords').click()
    await expect.element(notes).toHaveLength(0)
  })

  test('narrow together with the search, and are in the address with it', async () => {
    await chip('2 reused passwords').click()
    await ui.searchBox().fill('grace')
    await ui.expectNames(grace)
    await ui.expectPath('/form?q=grace&only=reused')
    await testPage.reload()
    await ui.expectNames(grace)
    await expect.element(chip('2 reused passwords')).toHaveAttribute('aria-pressed', 'true')
    await ui.searchBox().fill('nobody')
    await expect.element(page.getByText('No reused passwords for nobody')).toBeVisible()
    await page.getByRole('button', { name: 'Show all records' }).click()
    await expect.element(ui.rows()).toHaveLength(4)
    await ui.expectPath('/form')
  })

  test('tell which passwords have not changed for a year, until they change', async () => {
    const { backend, colleague, reload } = testPage
    backend.settings.clockShiftMs = -368 * 24 * 60 * 60_000
    const earlier = { ...strong, password: 'harbour violin teapot mist 4' }
    await colleague.change(strong, earlier)
    backend.settings.clockShiftMs = 0
    await colleague.change(strong, renamed('Barbara', earlier))
    await reload('/form?only=old')
    await ui.expectNames('Barbara')
    const texts = ['1 weak password', '2 reused passwords', '1 old password', 'Change 1…']
    await ui.expectTexts(chips().getByRole('button'), texts)
    await colleague.change('Barbara', strong)
    await expect.element(page.getByText('No old passwords')).toBeVisible()
  })

  test('are not there while all passwords are good', async () => {
    await testPage.colleague.remove(weak, ...reusers)
    await expect.element(ui.rows()).toHaveLength(1)
    await expect.element(chips()).not.toBeInTheDocument()
  })
})

describe('a change of a record', () => {
  test('counts again: a colleague’s, and one’s own', async () => {
    await testPage.colleague.add(named('Edsger', { password: weak.password }))
    await ui.expectTexts(chips().getByRole('button'), ['2 weak passwords', '4 reused passwords'])
    await ui.submitEmployee(named('Donald', { password: 'donald' }))
    await ui.expectTexts(chips().getByRole('button'), ['3 weak passwords', '4 reused passwords'])
  })

  test('that replaces the last weak password leaves the narrowed table empty, with a way back', async () => {
    await chip('1 weak password').click()
    await ui.expectNames(alan)
    await ui.changeEmployee(alan, { password: 'kiwi tram lantern orbit 8' })
    await expect.element(page.getByText('No weak passwords')).toBeVisible()
    await ui.expectTexts(chips().getByRole('button'), ['0 weak passwords', '2 reused passwords'])
    await page.getByRole('button', { name: 'Show all records' }).click()
    await expect.element(ui.rows()).toHaveLength(4)
    await ui.expectTexts(chips().getByRole('button'), ['2 reused passwords'])
  })
})
