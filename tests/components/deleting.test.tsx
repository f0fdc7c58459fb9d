import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, makeEmployees } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  button,
  emailField,
  expectTexts,
  form,
  nameField,
  names,
  outboxEntries,
  outboxList,
  rowOf,
  rows,
  toast,
} from './elements.ts'

const scrollTo = (eName: string) => rowOf(eName).element().scrollIntoView({ block: 'center' })
const deletedMessage = () => page.getByText('Deleted Person 25')

test('deletes only one record on a double click, although another row moves under the pointer', async () => {
  const { client } = await openRecords(makeEmployees(8))
  await button('Delete Person 4').dblClick()
  await expect.element(outboxList()).toMatchTextContent('Deleted Person 4')
  await expect.element(rows()).toHaveLength(7)
  await expect.element(outboxEntries()).toHaveLength(1)
  expect(client.countCalls('remove')).toBe(1)
})

test('ignores a click on Delete within 400 ms after the rows have moved', async () => {
  const { client } = await openRecords(makeEmployees(6))
  await button('Delete Person 0').hover()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  await button('Delete Person 1').click()
  await expect.element(rows()).toHaveLength(5)
  await button('Delete Person 2').click()
  clock.mockReturnValue(1_300)
  await button('Delete Person 2').click()
  clock.mockReturnValue(1_500)
  expect(client.countCalls('remove')).toBe(1)
  await expectTexts(names(), ['Person 0', 'Person 2', 'Person 3', 'Person 4', 'Person 5'])
  await button('Delete Person 2').click()
  await expect.element(rows()).toHaveLength(4)
})

test('offers Undo in a toast while the outbox is out of view and the delete can be undone', async () => {
  await page.viewport(390, 700)
  await openRecords(makeEmployees(30))
  await expect.element(rowOf('Person 25')).toBeInTheDocument()
  scrollTo('Person 25')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await button('Delete Person 25').click()
  await expect.element(toast('Deleted Person 25')).toBeVisible()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  toast().getByRole('button', { name: 'Undo' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(rowOf('Person 25')).toHaveFocus()
  await expect.element(rowOf('Person 25')).toBeInViewport()
  await expect.element(deletedMessage()).not.toBeInTheDocument()
})

test('removes the toast after Undo in the outbox, and on Dismiss', async () => {
  await openRecords(makeEmployees(60))
  await expect.element(rowOf('Person 20')).toBeInTheDocument()
  scrollTo('Person 20')
  await expect.element(rowOf('Person 25')).toBeInTheDocument()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  await button('Delete Person 25').click()
  await expect.element(toast('Deleted Person 25')).toBeVisible()
  await outboxList().getByRole('button', { name: 'Undo' }).click()
  await expect.element(deletedMessage()).not.toBeInTheDocument()
  await expect.element(rowOf('Person 25')).toHaveFocus()
  scrollTo('Person 25')
  clock.mockReturnValue(1_500)
  await button('Delete Person 25').click()
  await toast('Deleted Person 25').getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(toast()).not.toBeInTheDocument()
  await expect.element(nameField()).toHaveFocus()
})

test('calls a record whose name is blank "(no name)" everywhere', async () => {
  await openRecords([{ ...ada, eName: '  ' }])
  await expectTexts(names(), ['(no name)'])
  await page.getByRole('button', { name: 'Copy email of (no name)' }).click()
  await expect.element(toast('Email of (no name) copied.')).toBeVisible()
  await emailField().fill(ada.email)
  await expect.element(form().getByRole('link', { name: '(no name)' })).toBeVisible()
  await button('Delete (no name)').click()
  await expect.element(outboxList()).toMatchTextContent('Deleted (no name)')
})
