import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, alan, grace, named, nameOf } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import { recordAnnouncements } from './announcements.ts'
import * as ui from './elements.ts'

const lukasz = named('Łukasz Müller', { email: 'lukasz@example.com', password: 'x' })
const zoe = named('Zoë Ärlig', { email: 'a.zoe@example.com', password: 'x' })
const header = (name: string) => ui.table().getByRole('columnheader', { name, exact: true })
const sortBy = (name: string) => header(name).getByRole('button').click()

let testPage: TestPage

beforeEach(async () => {
  testPage = await openRecords([zoe, grace, ada, lukasz, alan])
})

describe('the search', () => {
  test('matches name and email without regard to case and accents, marks the matches and counts them', {
    tags: 'main',
  }, async () => {
    const announced = recordAnnouncements()
    await ui.searchBox().fill('MULLER luka')
    await ui.expectNames(lukasz)
    await ui.expectTexts(ui.rowOf(lukasz).getByCss('mark'), ['Łuka', 'Müller', 'luka'])
    await expect.element(page.getByText('1 of 5', { exact: true })).toBeVisible()
    await expect.poll(() => announced).toContain('1 of 5 found')
    await ui.searchBox().fill('example.com')
    await expect.element(ui.rows()).toHaveLength(5)
  })

  test('without a match reports that, and offers to show everybody', { tags: 'main' }, async () => {
    await ui.searchBox().fill('nobody')
    await expect.element(page.getByText('No results for nobody')).toBeVisible()
    await expect.element(ui.rows()).toHaveLength(0)
    await page.getByRole('button', { name: 'Show all records' }).click()
    await expect.element(ui.rows()).toHaveLength(5)
    await expect.element(ui.nameField()).toHaveFocus()
  })

  test('is in the address together with the sort order, without new history entries', {
    tags: 'main',
  }, async () => {
    const entries = history.length
    await userEvent.type(ui.searchBox(), 'a')
    await sortBy('Email')
    await sortBy('Email')
    await ui.expectPath('/form?q=a&sort=-email')
    expect(history.length).toBe(entries)
    await testPage.reload()
    await expect.element(ui.searchBox()).toHaveValue('a')
    await expect.element(header('Email')).toHaveAttribute('aria-sort', 'descending')
    await expect.element(ui.names().first()).toHaveTextContent(nameOf(lukasz))
    await ui.searchBox().fill('')
    await sortBy('#')
    await ui.expectPath('/form')
  })

  test('shows a record that is markup as text, also where it marks a match', async () => {
    const markup = '"><img src=x onerror="document.title=1"><a href="javascript:alert(1)">Eve</a>'
    const hostile = named(markup, { email: 'eve@example.com', password: `${markup}</script>` })
    await testPage.colleague.add(hostile)
    await ui.searchBox().fill('img src')
    await ui.expectNames(hostile)
    await expect.element(ui.table().getByCss('mark').first()).toBeVisible()
    expect(document.querySelectorAll('table img, table a, table script')).toHaveLength(0)
    expect(document.title).toContain('Staffbook')
  })
})

describe('the columns', () => {
  test('sort in both directions by their header; # restores the original order', {
    tags: 'main',
  }, async () => {
    await sortBy('Employee Name')
    await ui.expectNames(ada, alan, grace, lukasz, zoe)
    await expect.element(header('Employee Name')).toHaveAttribute('aria-sort', 'ascending')
    await sortBy('Employee Name')
    await ui.expectNames(zoe, lukasz, grace, alan, ada)
    await expect.element(header('Employee Name')).toHaveAttribute('aria-sort', 'descending')
    await sortBy('Email')
    await expect.element(ui.names().first()).toHaveTextContent(nameOf(zoe))
    await expect.element(ui.rows().first().getByRole('cell').first()).toHaveTextContent('1')
    await sortBy('#')
    await ui.expectNames(zoe, grace, ada, lukasz, alan)
  })
})

describe('the shortcut in the search box', () => {
  const keyHint = () => page.getByCss('search').getByText('/', { exact: true })

  test('is shown where it fits, and never over the text', async () => {
    for (const width of [1280, 961, 959, 700, 640, 480]) {
      await page.viewport(width, 800)
      await expect.element(keyHint(), { message: `${width} px` }).toBeVisible()
      const hint = keyHint().element().getBoundingClientRect()
      const input = ui.searchBox().element()
      const { right } = input.getBoundingClientRect()
      expect(hint.left).toBeGreaterThanOrEqual(
        right - Number.parseFloat(getComputedStyle(input).paddingRight),
      )
      expect(hint.right).toBeLessThan(right)
    }
    await page.viewport(400, 800)
    await expect.element(keyHint()).not.toBeVisible()
  })

  test('is hidden while shortcuts are switched off', async () => {
    await ui.chooseInMenu('Keyboard shortcuts')
    await page.getByRole('dialog').getByRole('checkbox').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(keyHint()).not.toBeInTheDocument()
    await expect.element(ui.searchBox()).not.toHaveAttribute('aria-keyshortcuts')
  })
})
