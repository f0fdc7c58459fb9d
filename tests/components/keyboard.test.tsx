import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  addEmployee,
  button,
  expectTexts,
  focus,
  focusedRow,
  nameField,
  names,
  outboxList,
  readForm,
  rowOf,
  rows,
  searchBox,
  submitButton,
  tabTo,
  toast,
  undoBar,
} from './elements.ts'

const keyboard = (keys: string) => userEvent.keyboard(keys)
const shortcutsDialog = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
/** Clicks on text, so that no field has the focus. */
const leaveFields = () => rowOf(ada.eName).getByRole('rowheader').click()

async function openThree() {
  const testPage = await openRecords([ada, grace, alan])
  await expectTexts(names(), [ada.eName, grace.eName, alan.eName])
  return testPage
}

test('moves through the rows with arrows; e, c, m and Delete act on the focused row', async () => {
  await openThree()
  await keyboard('/')
  await expect.element(searchBox()).toHaveFocus()
  await keyboard('{ArrowDown}')
  await expect.element(focusedRow()).toHaveTextContent(ada.eName)
  await keyboard('{ArrowDown}')
  await expect.element(focusedRow()).toHaveTextContent(grace.eName)
  await keyboard('c')
  await expect.element(toast(`Password of ${grace.eName} copied.`)).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(grace.password)
  await keyboard('m')
  await expect.element(toast(`Email of ${grace.eName} copied.`)).toBeVisible()
  await keyboard('{ArrowUp}')
  await keyboard('e')
  await expect.element(nameField()).toHaveFocus()
  expect(readForm()).toEqual(ada)
  await keyboard('{Escape}')
  await expect.element(focusedRow()).toHaveTextContent(ada.eName)
  await expect.element(submitButton()).toBeVisible()
  await keyboard('{ArrowDown}')
  await keyboard('{Delete}')
  await expectTexts(names(), [ada.eName, alan.eName])
  await expect.element(focusedRow()).toHaveTextContent(alan.eName)
})

test('focuses the next row after a delete, and the form after the last one', async () => {
  await openThree()
  await button(`Delete ${ada.eName}`).click()
  await expect.element(button(`Delete ${grace.eName}`)).toHaveFocus()
  await keyboard('{Enter}')
  await expect.element(button(`Delete ${alan.eName}`)).toHaveFocus()
  await keyboard('{Enter}')
  await expect.element(nameField()).toHaveFocus()
})

test('returns to the row with Escape in the empty search', async () => {
  await openThree()
  focus(button(`Edit ${grace.eName}`))
  await keyboard('/')
  await expect.element(searchBox()).toHaveFocus()
  await keyboard('x{Escape}')
  await expect.element(searchBox()).toHaveFocus()
  await keyboard('{Escape}')
  await expect.element(focusedRow()).toHaveTextContent(grace.eName)
})

test('undoes the last delete with Ctrl+Z, except in a field, where it undoes the typing', async () => {
  await openThree()
  await button(`Delete ${grace.eName}`).click()
  await expect.element(undoBar()).toMatchTextContent(grace.eName)
  await nameField().fill('x')
  await keyboard('{Control>}z{/Control}')
  await expect.element(rows()).toHaveLength(2)
  await keyboard('{Escape}')
  await leaveFields()
  await keyboard('{Control>}z{/Control}')
  await expectTexts(names(), [ada.eName, grace.eName, alan.eName])
})

test('focuses the form with n, lists the shortcuts with ?, and closes the list with Escape', async () => {
  await openThree()
  await keyboard('n')
  await expect.element(nameField()).toHaveFocus()
  await keyboard('n?/e')
  await expect.element(nameField()).toHaveValue('n?/e')
  await leaveFields()
  await keyboard('?')
  await expect.element(shortcutsDialog()).toBeVisible()
  await keyboard('n')
  await expect.element(shortcutsDialog()).toBeVisible()
  await keyboard('{Escape}')
  await expect.element(shortcutsDialog()).not.toBeInTheDocument()
})

test('single-letter shortcuts stay switched off after a reload', async () => {
  const testPage = await openThree()
  await button('Keyboard shortcuts').click()
  await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  for (const prepare of [async () => {}, () => testPage.reload()]) {
    await prepare()
    await leaveFields()
    await keyboard('n')
    await keyboard('e')
    await expect.element(nameField()).toHaveValue('')
    await expect.element(focusedRow()).toHaveTextContent(ada.eName)
  }
})

test('stops editing with Escape, and sets aside what was typed', async () => {
  await openThree()
  await button(`Edit ${grace.eName}`).click()
  await nameField().fill('Grace Brewster Hopper')
  await keyboard('{Escape}')
  await expect.element(focusedRow()).toHaveTextContent(grace.eName)
  await expect.element(outboxList()).toMatchTextContent('Put aside: Grace Brewster Hopper')
  await addEmployee({ eName: 'New', email: 'new@example.com', password: 'x' })
})

test('adds, edits, reveals, deletes and restores a record without a mouse', async () => {
  await openRecords()
  await expect.element(page.getByText('Nobody is in the register yet')).toBeVisible()
  await keyboard('n')
  await keyboard(ada.eName)
  await keyboard('{Tab}')
  await keyboard(ada.email)
  await keyboard('{Tab}')
  await keyboard(ada.password)
  await keyboard('{Enter}')
  await expect.element(rowOf(ada.eName)).toBeVisible()
  await tabTo(button(`Show password of ${ada.eName}`))
  await keyboard('{Enter}')
  await expect.element(rowOf(ada.eName).getByRole('textbox')).toHaveAttribute('type', 'text')
  await tabTo(button(`Edit ${ada.eName}`))
  await keyboard('{Enter}')
  await keyboard('{Control>}a{/Control}')
  await keyboard('Ada King')
  await keyboard('{Enter}')
  await expectTexts(names(), ['Ada King'])
  await tabTo(button('Delete Ada King'))
  await keyboard('{Delete}')
  await expect.element(rows()).toHaveLength(0)
  await tabTo(button('Undo'))
  await keyboard('{Enter}')
  await expect.element(rows()).toHaveLength(1)
})
