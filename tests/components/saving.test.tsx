import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, grace, makeEmployees, named, renamed } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import {
  addEmployee,
  expectNames,
  focus,
  nameField,
  rowButton,
  rowOf,
  rows,
  searchBox,
  submitEmployee,
  table,
  tabTo,
  toast,
  updateButton,
} from './elements.ts'

const showButton = () => page.getByRole('button', { name: 'Show', exact: true })

/** Saves a record whose row is out of sight, so that the toast offers to show it. */
async function saveOffscreenRecord(): Promise<TestPage> {
  const testPage = await openRecords(makeEmployees(60))
  await expect.element(table()).toHaveAttribute('aria-rowcount', '61')
  await submitEmployee(ada)
  await expect.element(showButton()).toBeVisible()
  return testPage
}

test('offers to show a saved record whose row is out of sight or hidden by the search', async () => {
  await saveOffscreenRecord()
  await expect.element(toast('Ada Lovelace saved.')).toBeVisible()
  await showButton().click()
  await expect.element(rowOf(ada)).toHaveFocus()
  await expect.element(rowOf(ada)).toBeInViewport()
  await searchBox().fill('person 1')
  await expect.element(rowOf(ada)).not.toBeInTheDocument()
  await submitEmployee(grace)
  await toast('Grace Hopper saved.').getByRole('button', { name: 'Show' }).click()
  await expect.element(rowOf(grace)).toHaveFocus()
})

test('shows no message for a visible row, and focuses the row after Update', async () => {
  await openRecords()
  await addEmployee(ada)
  await expect.element(toast()).not.toBeInTheDocument()
  await rowButton(ada, 'Edit').click()
  await nameField().fill('Ada King')
  await updateButton().click()
  await expect.element(rowOf('Ada King')).toHaveFocus()
  await expect.element(toast()).not.toBeInTheDocument()
})

test('reaches the button of a message with Tab before the rows, and does not remove it while it has the focus or the pointer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await saveOffscreenRecord()
  await tabTo(showButton())
  vi.advanceTimersByTime(60_000)
  await expect.element(showButton()).toHaveFocus()
  await showButton().hover()
  await userEvent.tab({ shift: true })
  vi.advanceTimersByTime(60_000)
  await expect.element(showButton()).toBeVisible()
  await page.getByRole('banner').hover()
  await expect.poll(() => vi.advanceTimersByTime(5_000) && showButton().elements()).toHaveLength(0)
})

test('removes the message together with its record, and moves the focus to the form', async () => {
  const { backend, colleague } = await saveOffscreenRecord()
  focus(showButton())
  await colleague.documents.remove(backend.employees().at(-1)?.id ?? '')
  await expect.element(showButton()).not.toBeInTheDocument()
  await expect.element(nameField()).toHaveFocus()
})

test('shortens only the name in a message if the name is long', async () => {
  await page.viewport(320, 700)
  await openRecords([renamed(grace, 'N'.repeat(200))])
  await rows().getByRole('button', { name: 'Copy password' }).click()
  await expect.element(toast('copied.')).toBeVisible()
  const text = toast('copied.').getByCss('p').element()
  expect(text.getBoundingClientRect().right).toBeLessThan(320)
  const range = document.createRange()
  range.selectNodeContents(text)
  range.setStart(text.lastChild as Node, 0)
  expect(range.getBoundingClientRect().bottom).toBeLessThanOrEqual(text.getBoundingClientRect().bottom)
})

test('inserts a new record at its position in the current sort order', async () => {
  await openRecords([grace, ada])
  await table().getByRole('columnheader', { name: 'Employee Name' }).getByRole('button').click()
  await addEmployee(named('Adam'))
  await expectNames(ada, 'Adam', grace)
})
