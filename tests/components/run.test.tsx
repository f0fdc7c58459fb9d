// Passwords that are replaced one after the other.
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EmployeeFields } from '../../contract/employees.ts'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, named, nameOf } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'

const strong = named('Barbara Liskov', { password: 'kiwi tram lantern orbit 7' })
const weak = [alan, grace, ada].map((employee, index) => ({ ...employee, password: `summer202${index}` }))
const [third, second, first] = weak as [EmployeeFields, EmployeeFields, EmployeeFields]

const bar = () => page.getByRole('group', { name: 'Passwords to change' })
const barButton = (name: string) => bar().getByRole('button', { name })
const copied = () => navigator.clipboard.readText()

let testPage: TestPage

const stored = ({ email }: EmployeeFields) => testPage.stored().find((record) => record.email === email)

/** Presses a key at each of these records, for which the run must ask in turn. */
async function pressAt(key: string, ...records: EmployeeFields[]) {
  for (const record of records) {
    await expect.element(bar()).toMatchTextContent(`${3 - weak.indexOf(record)} of 3`)
    await expect.element(ui.nameField()).toHaveValue(nameOf(record))
    await expect.element(ui.updateButton()).toHaveFocus()
    await userEvent.keyboard(key)
  }
}

/** Starts with all weak passwords, in the order of the table. */
beforeEach(async () => {
  testPage = await openRecords([strong, ...weak])
  await ui.button('3 weak passwords').click()
  await ui.sortSelect().selectOptions('Newest first')
  await ui.expectNames(first, second, third)
  await ui.button('Change 3…').click()
})

test('C copies the old password, S skips, and Escape ends with a list and an undo that keeps what others change', {
  tags: 'main',
}, async () => {
  await pressAt('c', first)
  await expect.element(bar()).toMatchTextContent('Old password copied.')
  expect(await copied()).toBe(first.password)
  await pressAt('{Enter}', first)
  await pressAt('s', second)
  await pressAt('{Escape}', third)
  await expect.element(bar()).toMatchTextContent('1 of 3 passwords changed.')
  await expect.element(bar()).toHaveFocus()
  await expect.element(ui.outboxEntries()).toHaveLength(0)
  await barButton('Copy with passwords').click()
  await expect.poll(copied).toMatch(/^.*Password\nAda Lovelace\tada@example.com\t'?\S{20}$/)
  await testPage.colleague.change(first, { eName: 'Ada King' })
  await barButton('Undo all').click()
  await expect.poll(() => stored(first)).toEqual({ ...first, eName: 'Ada King' })
  await expect.element(ui.nameField()).toHaveFocus()
})

test('what is typed is kept when its record is skipped, and a run goes on after another record was edited', async () => {
  // The run focuses the button once it has opened the record.
  await expect.element(ui.updateButton()).toHaveFocus()
  await ui.press(ui.nameField(), '{End} sc')
  await barButton('Skip').click()
  await expect.element(ui.outboxEntry('Unfinished edit: Ada Lovelace sc')).toBeVisible()
  await ui.rowButton(first, 'Edit').click()
  await expect.element(bar()).not.toBeInTheDocument()
  await ui.outboxEntry('Unfinished edit: Grace Hopper').getByRole('button', { name: 'Edit' }).click()
  await pressAt('s', second)
})

test('a password that somebody else changes is asked about in the form, and passed over later, as a deleted record', async () => {
  await testPage.colleague.change(first, { password: 'kiwi lantern orbit 8', eName: 'Ada King' })
  await expect.element(ui.form()).toMatchTextContent('changed the password')
  await expect.element(ui.nameField()).toHaveValue('Ada King')
  await userEvent.keyboard('{Enter}')
  await testPage.colleague.change(second, { password: 'kiwi lantern orbit 9' })
  await testPage.colleague.remove(third)
  await expect.element(ui.rows()).toHaveLength(0)
  await ui.press(ui.updateButton(), 's')
  await expect.element(bar()).toMatchTextContent('0 of 3 passwords changed. 2 records skipped')
  for (const record of [first, second]) expect(stored(record)?.password).toMatch(/^kiwi/)
})

test('a run that has changed nothing leaves without a word, and what was typed before it is kept once', async () => {
  await pressAt('s', first, second)
  await pressAt('{Escape}', third)
  await expect.element(bar()).not.toBeInTheDocument()
  await expect.element(ui.focusedRow()).toHaveTextContent(nameOf(third))
  await ui.expectPath('/form?only=weak&sort=-added')
  await testPage.reload()
  await ui.nameField().fill('Jean')
  await ui.button('Change 3…').click()
  await expect.element(bar()).toMatchTextContent('1 of 3')
  await expect.element(ui.outboxEntries()).toHaveLength(1)
})

test('a save is announced after the save of the same record in a run was refused and discarded', async () => {
  const stopFailing = testPage.client.failCalls(serviceError('storage-full'), ['update'])
  await pressAt('{Enter}', first)
  await ui.outboxEntry(nameOf(first)).getByRole('button', { name: 'Discard' }).click()
  await barButton('Stop').click()
  stopFailing()
  await ui.changeEmployee(first, { eName: 'Ada Lovelace King' })
  await expect.element(page.getByText('Ada Lovelace King saved.').first()).toBeInTheDocument()
})

test('a double click saves one record', async () => {
  await ui.updateButton().dblClick()
  await pressAt('s', second)
})

test('the end counts what waits for the connection, and undoes it too', async () => {
  await testPage.client.cutNetwork()
  await pressAt('{Enter}', ...weak.toReversed())
  await expect.element(bar()).toMatchTextContent('3 passwords changed.')
  await barButton('Undo all').click()
  await testPage.client.restoreNetwork()
  await expect.element(ui.outboxEntries()).toHaveLength(0)
  for (const record of weak) await expect.poll(() => stored(record)).toEqual(record)
})

test('its buttons are in sight on a small phone', async () => {
  await page.viewport(320, 640)
  await expect.element(barButton('Stop')).toBeInViewport({ ratio: 1 })
})
