import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EmployeeFields } from '../../contract/employees.ts'
import { ada, makeEmployees, named, namesOf, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { holdTimeouts } from './hold-timeouts.ts'

const bar = () => page.getByRole('group', { name: 'Selected records' })
const barButton = (name: string) => bar().getByRole('button', { name, exact: true })
const checkbox = (name: string) => ui.rowOf(name).getByRole('checkbox')
const expectSelected = (text: string) => expect.element(bar()).toMatchTextContent(text)

/** The names of the selected rows that the table shows. */
const selectedNames = () =>
  Array.from(document.querySelectorAll('[data-selected] th'), (cell) => cell.getAttribute('aria-label'))

test('a click selects, Shift a range, Ctrl one more; Escape deselects all', { tags: 'main' }, async () => {
  await openRecords(makeEmployees(10))
  await checkbox('Person 2').click()
  await expectSelected('1 selected')
  await checkbox('Person 5').click({ modifiers: ['Shift'] })
  await expectSelected('4 selected')
  // The same range again, to another end.
  await checkbox('Person 3').click({ modifiers: ['Shift'] })
  await expectSelected('2 selected')
  await ui
    .rowOf('Person 8')
    .getByRole('rowheader')
    .click({ modifiers: ['ControlOrMeta'] })
  expect(selectedNames()).toEqual(['Person 2', 'Person 3', 'Person 8'])
  await userEvent.keyboard('{Escape}')
  await expect.element(bar()).not.toBeInTheDocument()
  expect(ui.updateButton().query()).toBeNull()
})

test('Shift with the arrows and with Space selects; Space shows the password only while nothing is selected', async () => {
  await openRecords(makeEmployees(10))
  ui.focus(ui.rowOf('Person 3'))
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}')
  await expectSelected('2 selected')
  await expect.element(ui.rowOf('Person 4')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown} ')
  expect(selectedNames()).toEqual(['Person 3', 'Person 4', 'Person 6'])
  await userEvent.keyboard('{Escape}{Shift>} {/Shift}')
  expect(selectedNames()).toEqual(['Person 6'])
  await userEvent.keyboard('  ')
  await expect.element(bar()).not.toBeInTheDocument()
})

test('the arrow before a row reaches its checkbox', async () => {
  await openRecords(makeEmployees(3))
  ui.focus(ui.rowOf('Person 1'))
  await ui.moveFocus('{ArrowLeft}', checkbox('Person 1'))
  await userEvent.keyboard(' ')
  await expectSelected('1 selected')
  await ui.moveFocus('{ArrowRight}', ui.rowOf('Person 1'))
})

test('Ctrl+A selects what the search shows, except in a text field; what is not shown is counted', async () => {
  await openRecords([...makeEmployees(10), ada])
  await ui.searchBox().fill('person')
  await expect.element(ui.rowOf(ada)).not.toBeInTheDocument()
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
  expect(bar().query()).toBeNull()
  ui.focus(ui.rowOf('Person 1'))
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
  await expectSelected('10 selected')
  await ui.searchBox().fill('Ada')
  await expectSelected('10 selected 10 not shown')
})

test('the search stays in its place, and a checkbox above the numbers selects all rows that are shown', async () => {
  await openRecords([...makeEmployees(4), ada])
  const place = () => {
    const { left, right, top } = ui.searchBox().element().getBoundingClientRect()
    return [left, right, top]
  }
  const before = place()
  await checkbox('Person 1').click()
  await expectSelected('1 selected')
  expect(place()).toEqual(before)
  for (const gone of [ui.sortSelect(), ui.button('Import')])
    await expect.element(gone).not.toBeInTheDocument()
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await expect.element(all).toBePartiallyChecked()
  await ui.searchBox().fill('person')
  await all.click()
  await expectSelected('4 selected')
  await expect.element(all).toBeChecked()
  await ui.searchBox().fill('')
  await expect.element(all).toBePartiallyChecked()
  await all.click()
  await expectSelected('5 selected')
  await all.click()
  await expect.element(bar()).not.toBeInTheDocument()
  await expect.element(ui.button('Import')).toBeVisible()
})

test('a selection survives sorting and colleagues’ changes; a deleted record leaves it', async () => {
  const { colleague } = await openRecords(makeEmployees(10))
  await checkbox('Person 2').click()
  await checkbox('Person 3').click()
  await page.getByRole('button', { name: 'Employee Name' }).click()
  await colleague.change('Person 2', renamed('Zoe'))
  await colleague.add(named('Aaron'))
  await expect.element(ui.rowOf('Zoe')).toHaveAttribute('data-selected')
  await colleague.remove('Person 3')
  await expectSelected('1 selected')
})

test('deletes the selected records together; one Undo restores all, in their places, and selects nothing', {
  tags: 'main',
}, async () => {
  const { client, stored } = await openRecords(makeEmployees(10))
  const before = namesOf(stored())
  await checkbox('Person 2').click()
  await checkbox('Person 4').click({ modifiers: ['Shift'] })
  await barButton('Delete').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 3 records.')
  expect(namesOf(stored())).toEqual(before.filter((name) => !/[234]$/.test(name)))
  await expect.element(bar()).not.toBeInTheDocument()
  await ui.undoButton().click()
  await expect.element(ui.rowOf('Person 4')).toBeVisible()
  await expect.poll(() => namesOf(stored())).toEqual(before)
  await expect.element(ui.undoButton()).not.toBeInTheDocument()
  expect(bar().query()).toBeNull()
  expect([client.countCalls('writeBatch'), client.countCalls('restore')]).toEqual([2, 0])
})

test('after a delete the row that takes the place has the focus, and Ctrl+Z restores the records', async () => {
  const { stored } = await openRecords(makeEmployees(6))
  const before = namesOf(stored())
  await checkbox('Person 2').click()
  await checkbox('Person 3').click()
  await barButton('Delete').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 2 records.')
  await expect.element(ui.rowOf('Person 4')).toHaveFocus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(() => namesOf(stored())).toEqual(before)
  await checkbox('Person 5').click()
  await openCommands()
  await page.getByRole('option', { name: 'Delete' }).click()
  await expect.poll(() => namesOf(stored())).toEqual(before.slice(0, 5))
  await expect.poll(() => document.activeElement?.closest('tr')?.textContent).toMatch('Person 4')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(() => namesOf(stored())).toEqual(before)
})

test('after a delete of all rows that the search shows, what shows the others has the focus, and Ctrl+Z restores them', async () => {
  const { stored } = await openRecords(makeEmployees(3))
  const before = namesOf(stored())
  await ui.searchBox().fill('Person 1')
  await checkbox('Person 1').click()
  await barButton('Delete').click()
  await expect.poll(() => namesOf(stored())).toEqual(['Person 0', 'Person 2'])
  await expect.poll(() => document.activeElement?.textContent).toMatch('Show all')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(() => namesOf(stored())).toEqual(before)
})

test('an Undo that is made offline restores all records once there is a connection, also after a reload', async () => {
  const { client, colleague, reload, stored } = await openRecords(makeEmployees(4))
  const before = stored()
  await checkbox('Person 1').click()
  await checkbox('Person 2').click()
  await barButton('Delete').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 2 records.')
  await client.cutNetwork()
  await ui.undoButton().click()
  await expect
    .element(ui.outboxEntries())
    .toMatchTextContent('Will be restored when you reconnect: 2 records')
  await reload()
  await client.restoreNetwork()
  await expect.poll(stored).toEqual(before)
  expect(client.countCalls('restore')).toBe(0)
  await expect.element(ui.outboxList()).toBeEmptyDOMElement()
  expect(namesOf(await colleague.documents.list())).toEqual(namesOf(before))
})

test('an Undo leaves what a colleague has restored and changed, and says so', async () => {
  const { client, colleague, find, stored } = await openRecords(makeEmployees(4))
  const { id } = find('Person 2')
  await checkbox('Person 1').click()
  await checkbox('Person 2').click()
  await barButton('Delete').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 2 records.')
  const release = client.holdCalls(['writeBatch'])
  await ui.undoButton().click()
  await colleague.documents.restore({ id, ...renamed('Zoe') })
  release()
  await expect
    .element(ui.undoBar())
    .toMatchTextContent('1 record restored. 1 record left alone because someone changed it in the meantime.')
  expect(namesOf(stored())).toEqual(['Person 0', 'Person 1', 'Zoe', 'Person 3'])
})

test('Delete on a row deletes the selected records, and focuses the next row', async () => {
  const { stored } = await openRecords(makeEmployees(5))
  await checkbox('Person 1').click()
  await checkbox('Person 3').click()
  await userEvent.keyboard('{Delete}')
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 2 records.')
  expect(namesOf(stored())).toEqual(['Person 0', 'Person 2', 'Person 4'])
  await expect.element(checkbox('Person 4')).toHaveFocus()
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => namesOf(stored())).toEqual(['Person 0', 'Person 2'])
})

test('deletes nothing that a colleague has changed meanwhile, and says so', async () => {
  const { client, colleague, stored } = await openRecords(makeEmployees(3))
  await checkbox('Person 1').click()
  await checkbox('Person 2').click()
  const release = client.holdCalls(['writeBatch'])
  await barButton('Delete').click()
  await colleague.change('Person 2', renamed('Zoe'))
  release()
  await expect
    .element(ui.undoBar())
    .toMatchTextContent('Deleted 1 record. 1 record left alone because someone changed it in the meantime.')
  expect(namesOf(stored())).toEqual(['Person 0', 'Zoe'])
})

test('exports, hands over and changes only the selected records', { tags: 'main' }, async () => {
  await openRecords(makeEmployees(5))
  await checkbox('Person 2').click()
  await checkbox('Person 4').click()
  await barButton('Export').click()
  await expect.element(page.getByRole('button', { name: 'Export 2 records' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await barButton('Hand over').click()
  await expect.element(page.getByRole('button', { name: 'Make 2 links' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expectSelected('2 selected')
  await barButton('Change passwords').click()
  await expect.element(page.getByRole('group', { name: 'Passwords to change' })).toMatchTextContent('1 of 2')
  await expect.element(ui.nameField()).toHaveValue('Person 2')
})

test('the emails of the selected records are copied, each once and on a line of its own, and no password', async () => {
  const [first, second, third] = makeEmployees(3) as [EmployeeFields, EmployeeFields, EmployeeFields]
  await openRecords([first, second, third, named('Namesake', { email: first.email })])
  for (const name of [...namesOf([first, second]), 'Namesake']) await ui.press(checkbox(name), ' ')
  for (const width of [768, 1440, 1280]) {
    await page.viewport(width, 900)
    await expect.element(barButton('Copy emails')).toBeVisible()
  }
  await ui.press(barButton('Copy emails'), '{Enter}')
  await expectSelected('2 emails copied.')
  expect(await navigator.clipboard.readText()).toBe(`${first.email}\n${second.email}`)
})

/** Opens the menu of commands while records are selected, and returns its options for them. */
async function openCommands() {
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('combobox', { name: 'Commands and records' }).fill('selected')
  return ui.dialog().getByRole('option')
}

test('Ctrl+K offers for the selected records what the bar offers, first, and does the same', async () => {
  const { stored } = await openRecords(makeEmployees(5))
  for (const name of ['Person 1', 'Person 2', 'Person 4']) await checkbox(name).click()
  const offered = Array.from(
    bar().element().querySelectorAll('button'),
    (button) => button.ariaLabel ?? button.textContent,
  )
  const [clear, ...others] = offered
  expect(clear).toBe('Clear selection')
  expect(others).toEqual([
    'Change passwords',
    'Hand over',
    'Copy emails',
    'Export',
    'Copy with passwords',
    'Delete',
  ])
  await ui.expectTexts(
    await openCommands(),
    [...others, clear].map((label) => `${label}3 selected`),
  )
  await page.getByRole('option', { name: 'Export' }).click()
  await expect.element(page.getByRole('button', { name: 'Export 3 records' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await openCommands()
  await page.getByRole('option', { name: 'Copy with passwords' }).click()
  await expectSelected('Copied.')
  expect(await navigator.clipboard.readText()).toContain('Person 4')
  await checkbox('Person 4').click()
  await expect.element(bar()).not.toMatchTextContent('Copied.')
  await openCommands()
  await page.getByRole('option', { name: 'Delete' }).click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted 2 records.')
  expect(namesOf(stored())).toEqual(['Person 0', 'Person 3', 'Person 4'])
  await expect.element(bar()).not.toBeInTheDocument()
  await ui.expectTexts(await openCommands(), [])
})

test.each(['touch', 'pen'])(
  'a %s that rests on a row selects it; then a tap selects another, without opening it',
  async (pointerType) => {
    await openRecords(makeEmployees(5))
    const touch = (name: string, type: string) =>
      ui
        .rowOf(name)
        .getByRole('rowheader')
        .element()
        .dispatchEvent(new PointerEvent(type, { pointerType, bubbles: true, cancelable: true }))
    touch('Person 1', 'pointerdown')
    await expectSelected('1 selected')
    touch('Person 1', 'pointerup')
    // The click that ends the press is not another tap.
    touch('Person 1', 'click')
    touch('Person 3', 'pointerdown')
    touch('Person 3', 'pointerup')
    touch('Person 3', 'click')
    await expectSelected('2 selected')
    expect(selectedNames()).toEqual(['Person 1', 'Person 3'])
    expect(ui.updateButton().query()).toBeNull()
  },
)

test('the button of a pen, however long it is held on a row, opens the menu of the browser and selects nothing', async () => {
  const pass = holdTimeouts(500)
  await openRecords(makeEmployees(5))
  const row = ui.rowOf('Person 1').getByRole('rowheader').element()
  const send = (type: string) =>
    row.dispatchEvent(
      new PointerEvent(type, { pointerType: 'pen', button: 2, bubbles: true, cancelable: true }),
    )
  send('pointerdown')
  pass(500)
  send('pointerup')
  expect(send('contextmenu')).toBe(true)
  expect(selectedNames()).toEqual([])
})
