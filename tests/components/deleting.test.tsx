import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { serviceError } from '../support/memory-services.ts'
import { ada, makeEmployees, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  button,
  emailField,
  expectNames,
  form,
  outboxEntries,
  outboxEntry,
  outboxList,
  press,
  rowOf,
  rows,
  toast,
  undoBar,
  undoButton,
} from './elements.ts'

const scrollTo = (name: string) => rowOf(name).element().scrollIntoView({ block: 'center' })
const topOf = (name: string) => rowOf(name).element().getBoundingClientRect().top

test('deletes only one record on a double click, although another row moves under the pointer', async () => {
  const { client } = await openRecords(makeEmployees(8))
  await button('Delete Person 4').dblClick()
  await expect.element(undoBar()).toMatchTextContent('Deleted Person 4')
  await expect.element(rows()).toHaveLength(7)
  expect(client.countCalls('remove')).toBe(1)
})

test('deletes a record once, however often Delete is pressed before the response', async () => {
  const { client } = await openRecords(makeEmployees(3))
  await expect.element(rows()).toHaveLength(3)
  const release = client.holdCalls(['remove'])
  for (let count = 0; count < 3; count++) await press(button('Delete Person 1'), '{Enter}')
  release()
  await expectNames('Person 0', 'Person 2')
  expect(client.countCalls('remove')).toBe(1)
})

test('sends a failed delete again when Delete is pressed again', async () => {
  const { client } = await openRecords(makeEmployees(2))
  const repair = client.failCalls(serviceError('storage-full'))
  await button('Delete Person 1').click()
  await expect.element(outboxEntry('Not deleted: Person 1')).toBeVisible()
  repair()
  await press(button('Delete Person 1'), '{Enter}')
  await expectNames('Person 0')
  await expect.element(outboxEntries()).toHaveLength(0)
})

test.each([1280, 390])(
  'on %i px, the row after the deleted one takes its place, and no other moves',
  async (width) => {
    await page.viewport(width, 800)
    const { client } = await openRecords(makeEmployees(60))
    await expect.element(rowOf('Person 20')).toBeInTheDocument()
    scrollTo('Person 20')
    const [above, place] = [topOf('Person 19'), topOf('Person 20')]
    await button('Delete Person 20').click()
    await expect.element(undoBar()).toMatchTextContent('Deleted Person 20')
    await expect.poll(() => [topOf('Person 19'), topOf('Person 21')]).toEqual([above, place])
    client.failCalls(serviceError('storage-full'))
    // Not a second click, which could be taken for a double click.
    await press(button('Delete Person 21'), '{Enter}')
    await expect.element(outboxEntry('Not deleted: Person 21')).toBeInTheDocument()
    await expect.poll(() => [topOf('Person 19'), topOf('Person 21')]).toEqual([above, place])
  },
)

test('a row does not move when the connection is lost and restored while it is pointed at', async () => {
  const { client } = await openRecords(makeEmployees(60))
  await button('Edit Person 5').hover()
  const before = topOf('Person 5')
  await client.cutNetwork()
  await expect.element(page.getByText('No connection to the register')).toBeInTheDocument()
  // The rows are put back before the next paint, to the nearest pixel.
  const getShift = () => Math.abs(topOf('Person 5') - before)
  await expect.poll(getShift).toBeLessThanOrEqual(1)
  await client.restoreNetwork()
  await expect.element(page.getByText('No connection to the register')).not.toBeInTheDocument()
  await expect.poll(getShift).toBeLessThanOrEqual(1)
})

test('collapses more than two changes that are not saved into their number', async () => {
  const { client } = await openRecords(makeEmployees(6))
  await expect.element(rows()).toHaveLength(6)
  client.failCalls(serviceError('storage-full'))
  for (const index of [1, 2]) await press(button(`Delete Person ${index}`), '{Enter}')
  await expect.element(outboxEntries()).toHaveLength(2)
  await press(button('Delete Person 3'), '{Enter}')
  await expect.element(outboxList()).toMatchTextContent('3 changes are not saved')
  await expect.element(outboxEntries()).toHaveLength(0)
  await outboxList().getByRole('button', { name: 'Show' }).click()
  await expect.element(outboxEntries()).toHaveLength(3)
})

test('offers Undo while the delete can be undone, wherever the page is scrolled', async () => {
  await page.viewport(390, 700)
  await openRecords(makeEmployees(30))
  await expect.element(rowOf('Person 25')).toBeInTheDocument()
  scrollTo('Person 25')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await button('Delete Person 25').click()
  await expect.element(undoBar()).toMatchTextContent('Deleted Person 25')
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  await press(undoButton(), '{Enter}')
  await expect.element(rowOf('Person 25')).toHaveFocus()
  await expect.element(rowOf('Person 25')).toBeInViewport()
  await expect.element(undoButton()).not.toBeInTheDocument()
})

test('calls a record whose name is blank "(no name)" everywhere', async () => {
  await openRecords([renamed(ada, '  ')])
  await expectNames('(no name)')
  await page.getByRole('button', { name: 'Copy email of (no name)' }).click()
  await expect.element(toast('Email of (no name) copied.')).toBeVisible()
  await emailField().fill(ada.email)
  await expect.element(form().getByRole('link', { name: '(no name)' })).toBeVisible()
  await button('Delete (no name)').click()
  await expect.element(undoBar()).toMatchTextContent('Deleted (no name)')
})
