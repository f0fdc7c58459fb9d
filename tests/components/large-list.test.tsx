import { beforeEach, describe, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { makeEmployees, named } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'

const count = 2_000
const lastName = `Person ${count - 1}`

let testPage: TestPage

beforeEach(async () => {
  testPage = await openRecords(makeEmployees(count))
  await expect.element(ui.table()).toHaveAttribute('aria-rowcount', `${count + 1}`)
})

const focusFirstRow = () => ui.press(ui.searchBox(), '{ArrowDown}')

describe('a table of 2,000 records', () => {
  test('renders only the rows near the viewport, with the total and the index of each in ARIA attributes', {
    tags: 'main',
  }, async () => {
    await expect.element(ui.rows().first()).toHaveAttribute('aria-rowindex', '2')
    expect(ui.rows().length).toBeLessThan(60)
    await focusFirstRow()
    await userEvent.keyboard('{End}')
    await expect.element(ui.rows().last()).toHaveAttribute('aria-rowindex', `${count + 1}`)
    expect(ui.rows().length).toBeLessThan(60)
  })

  test('shows the first and the last row with Home and End, on the page and on a row', async () => {
    await page.getByRole('heading', { name: 'Employee Records' }).click()
    await userEvent.keyboard('{End}')
    await expect.element(ui.rowOf(lastName)).toBeInViewport()
    // Chromium ignores Home while it animates the scroll of End.
    await expect.poll(() => userEvent.keyboard('{Home}').then(() => scrollY)).toBe(0)
    await expect.element(ui.rowOf('Person 0')).toBeInViewport()
    await focusFirstRow()
    for (const [key, name] of [
      ['{End}', lastName],
      ['{Home}', 'Person 0'],
    ] as const) {
      await ui.moveFocus(key, ui.rowOf(name))
      await expect.element(ui.rowOf(name)).toBeInViewport()
    }
  })

  test('has no blank frame while it is scrolled by any distance', async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const isRow = (y: number) => document.elementFromPoint(innerWidth / 2, y)?.closest('tbody tr') !== null
    // The page has space for a toast below the last row.
    const room = Number.parseFloat(getComputedStyle(document.querySelector('main') as Element).paddingBottom)
    let blankFrames = 0
    document.querySelector('table')?.scrollIntoView()
    for (const distance of [40, 400, 1_500, 20_000, -700, -9_000, 60_000]) {
      for (let step = 0; step < 6; step++) {
        scrollBy({ top: distance, behavior: 'instant' })
        await painted()
        if (!isRow(innerHeight / 2) || !isRow(innerHeight - room - 10)) blankFrames++
      }
      scrollTo({ top: 70_000, behavior: 'instant' })
      await painted()
    }
    expect(blankFrames).toBe(0)
  })

  test('returns to where it was when the search is emptied', async () => {
    scrollTo({ top: 20_000, behavior: 'instant' })
    // May scroll by some pixels, to show the box.
    await ui.searchBox().click()
    const before = scrollY
    await userEvent.keyboard(lastName)
    await ui.expectNames(named(lastName))
    await ui.press(ui.searchBox(), '{Escape}')
    await expect.poll(() => Math.abs(scrollY - before)).toBeLessThan(2)
    await expect.element(ui.table()).toHaveAttribute('aria-rowcount', `${count + 1}`)
  })

  test('a selected text of a cell is copied without the line break where the cell ends', async () => {
    const cell = ui.rows().first().getByRole('rowheader').element()
    const range = document.createRange()
    range.setStartBefore(cell)
    range.setEndAfter(cell)
    range.setEnd(cell.nextElementSibling ?? cell, 0)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
    expect(getSelection()?.toString()).toMatch(/[\t\n]$/)
    const clipboardData = new DataTransfer()
    const copied = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true })
    cell.dispatchEvent(copied)
    expect([clipboardData.getData('text/plain'), copied.defaultPrevented]).toEqual(['Person 0', true])
  })

  test('Ctrl+F searches all rows; pressed again, it is left to the browser', async () => {
    let isLeftToBrowser = false
    const listening = new AbortController()
    const observe = (event: KeyboardEvent) => {
      if (event.key !== 'f') return
      isLeftToBrowser = !event.defaultPrevented
      event.preventDefault()
    }
    addEventListener('keydown', observe, { signal: listening.signal })
    await userEvent.keyboard('{Control>}f{/Control}')
    await expect.element(ui.searchBox()).toHaveFocus()
    expect(isLeftToBrowser).toBe(false)
    await userEvent.keyboard('{Control>}f{/Control}')
    expect(isLeftToBrowser).toBe(true)
    listening.abort()
  })

  test('the focus stays in a row that is scrolled away, and arrow keys continue from there', {
    tags: 'main',
  }, async () => {
    const editButton = () => page.getByRole('button', { name: 'Edit Person 3', exact: true })
    ui.focus(editButton())
    await userEvent.wheel(ui.rowOf('Person 5'), { delta: { y: 60_000 } })
    await expect.element(ui.rowOf('Person 3')).not.toBeInViewport()
    await expect.element(editButton()).toHaveFocus()
    await ui.moveFocus('{ArrowDown}', ui.rowOf('Person 4'))
    await expect.element(ui.rowOf('Person 4')).toBeInViewport()
  })

  test('closes the gap of a deleted row, and focuses the next one', async () => {
    await focusFirstRow()
    for (let step = 0; step < 5; step++) await userEvent.keyboard('{PageDown}')
    await expect.element(ui.focusedRow()).toHaveTextContent('Person 50')
    await ui.moveFocus('{Delete}', ui.rowOf('Person 51'))
    await expect.element(ui.table()).toHaveAttribute('aria-rowcount', `${count}`)
  })

  test('does not move the visible rows when a colleague deletes a row far above', async () => {
    await focusFirstRow()
    await ui.moveFocus('{End}', ui.rowOf(lastName))
    await testPage.colleague.remove('Person 0')
    await expect.element(ui.table()).toHaveAttribute('aria-rowcount', `${count}`)
    await expect.element(ui.focusedRow()).toHaveTextContent(lastName)
    await expect.element(ui.rowOf(lastName)).toBeInViewport()
  })
})

test('prints every row with name and email below titles that are no buttons, without a password, and in a light theme', async () => {
  document.documentElement.dataset.theme = 'dark'
  await commands.emulateMedia({ media: 'print' })
  dispatchEvent(new Event('beforeprint'))
  await expect.element(ui.table().getByCss('tbody tr')).toHaveLength(count)
  await expect.element(ui.table().getByCss('tbody')).toMatchTextContent('person1999@example.com')
  await expect.element(ui.table().getByCss('tbody input')).toHaveLength(0)
  expect(getComputedStyle(ui.table().getByCss('tbody td').first().element()).textAlign).toBe('end')
  // Chromium repeats a header with buttons on no page.
  const titles = ui.table().getByCss('thead')
  await expect.element(titles.getByRole('button')).toHaveLength(0)
  expect((titles.element() as HTMLElement).innerText).toMatch(/^#\s+Employee Name\s+Email\s*$/)
  expect(getComputedStyle(document.body).colorScheme).toBe('light')
  await expect.element(page.getByCss('form').first()).not.toBeVisible()
  await expect.element(page.getByCss('input[type=search]')).not.toBeVisible()
  dispatchEvent(new Event('afterprint'))
  delete document.documentElement.dataset.theme
  await commands.emulateMedia({ media: 'screen' })
  await expect.element(ui.rowOf('Person 0').getByRole('button')).toHaveLength(6)
  await expect.element(ui.button('Delete Person 0')).toBeInTheDocument()
})

test('prints an open dialog alone, as long as it is, without its buttons to close and to send', async () => {
  const countRows = () => document.querySelectorAll('tbody tr').length
  await ui.chooseInMenu('Help')
  await expect.element(ui.dialog('Help')).toBeVisible()
  const dialog = ui.dialog('Help').element()
  await commands.emulateMedia({ media: 'print' })
  dispatchEvent(new Event('beforeprint'))
  expect(countRows()).toBeLessThan(count)
  const isShown = (selector: string) => document.querySelector(selector)?.checkVisibility()
  expect(['table', 'header', 'form', 'dialog h2 ~ button'].map(isShown)).toEqual([false, true, false, false])
  await expect.element(ui.dialog('Help').getByRole('heading', { name: 'Help', exact: true })).toBeVisible()
  const { top, height } = dialog.getBoundingClientRect()
  expect(top).toBeLessThan(10)
  expect(height).toBeGreaterThanOrEqual(dialog.scrollHeight)
  // No more paper than it needs.
  expect(document.body.scrollHeight).toBeLessThanOrEqual(Math.max(height, innerHeight) + 10)
  dispatchEvent(new Event('afterprint'))
  await commands.emulateMedia({ media: 'screen' })
  await expect.element(ui.button('Close')).toBeVisible()
})
