// What the mouse points at, or the focus is on, stays there while others change the records.
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commands } from 'vitest/browser'
import { makeEmployees, named, namesOf, renamed } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
import * as ui from './elements.ts'
import { holdTimeouts } from './hold-timeouts.ts'

beforeEach(() => commands.emulateMedia({ reducedMotion: 'no-preference' }))

const topOf = (name: string) => ui.rowOf(name).element().getBoundingClientRect().top

/** Waits until the table has so many rows. */
const expectCount = (count: number) =>
  expect.element(ui.table()).toHaveAttribute('aria-rowcount', `${count + 1}`)

/** Makes the page take each later press for an early one, however long it takes. */
const holdPressTime = () => vi.spyOn(Event.prototype, 'timeStamp', 'get').mockReturnValue(1)

/** Makes rows stay held until the returned function lets so many ms pass: a slow machine is no mouse that rests. */
const holdRows = () => holdTimeouts(2_000)

/** What a colleague does to ten records, Person 0 to Person 9; and how many there are then. */
const changes: [string, (colleague: TestPage['colleague']) => Promise<unknown>, number][] = [
  ['an add', (colleague) => colleague.add(named('Aaron')), 11],
  ['a delete', (colleague) => colleague.remove('Person 1'), 9],
  ['a rename', (colleague) => colleague.change('Person 2', renamed('Zoe')), 10],
  [
    'an import',
    (colleague) => colleague.add(...Array.from({ length: 300 }, (_, i) => named(`Import ${i}`))),
    310,
  ],
]

const orders = ['', '?sort=name', '?sort=-name', '?sort=email', '?sort=-changed']

describe.each(sample(orders, 1, { isCorner: (order) => order === '' }))('in the order "%s"', (search) => {
  test.each(changes)('%s by a colleague does not move the row under the mouse', async (_, change, count) => {
    holdRows()
    const { colleague, reload, stored } = await openRecords(makeEmployees(10))
    await reload(`/form${search}`)
    await expectCount(10)
    await ui.rowButton('Person 5', 'Delete').hover()
    const before = topOf('Person 5')
    await change(colleague)
    await expectCount(count)
    await expect.poll(() => Math.abs(topOf('Person 5') - before)).toBeLessThanOrEqual(1)
    await ui.rowButton('Person 5', 'Delete').click()
    await expectCount(count - 1)
    expect(namesOf(stored())).not.toContain('Person 5')
  })
})

test('the rows return to their place when the mouse leaves them', { tags: 'main' }, async () => {
  const { colleague } = await openRecords(makeEmployees(10))
  const place = topOf('Person 4')
  await ui.rowButton('Person 5', 'Delete').hover()
  await colleague.remove('Person 1')
  await expectCount(9)
  expect(topOf('Person 4')).not.toBe(place - 44)
  await ui.nameField().hover()
  await expect.poll(() => topOf('Person 5')).toBe(place)
})

test('the rows slide to their place once the mouse has rested on them for a while, and presses are ignored again', {
  tags: 'main',
}, async () => {
  const { colleague, stored } = await openRecords(makeEmployees(10))
  const [place, placeBelow] = [topOf('Person 4'), topOf('Person 5')]
  await ui.rowButton('Person 5', 'Delete').hover()
  const rest = holdRows()
  await colleague.remove('Person 1')
  await expectCount(9)
  expect(Math.abs(topOf('Person 5') - placeBelow)).toBeLessThanOrEqual(1)
  const slides = watchSlides()
  rest(2_000)
  await expect.poll(() => topOf('Person 5')).toBe(place)
  expect(slides).toEqual([`Person 0 translateY(${placeBelow - place}px)`])
  holdPressTime()
  // The mouse is there already.
  await ui.rowButton('Person 6', 'Delete').click()
  const name = ui.rowOf('Person 6').getByRole('rowheader').element()
  expect(name).toHaveAttribute('data-ignored', 'The list moved. Press again.')
  await ui.rowButton('Person 7', 'Delete').click()
  await expectCount(8)
  expect(namesOf(stored())).toContain('Person 6')
})

test('the rows are held for as long as the mouse moves over them', async () => {
  const { colleague } = await openRecords(makeEmployees(10))
  await ui.rowButton('Person 5', 'Delete').hover()
  const rest = holdRows()
  const before = topOf('Person 5')
  await colleague.remove('Person 1')
  await expectCount(9)
  for (const action of ['Edit', 'Delete'] as const) {
    rest(1_500)
    await ui.rowButton('Person 5', action).hover()
  }
  expect(Math.abs(topOf('Person 5') - before)).toBeLessThanOrEqual(1)
  rest(2_000)
  await expect.poll(() => topOf('Person 5')).toBeLessThan(before - 1)
})

test('a press does nothing where a colleague has deleted the row, until the mouse moves', {
  tags: 'main',
}, async () => {
  const { colleague, stored } = await openRecords(makeEmployees(10))
  await ui.rowButton('Person 1', 'Delete').hover()
  await colleague.remove('Person 1')
  await expectCount(9)
  holdPressTime()
  // The mouse is there already.
  await ui.rowButton('Person 2', 'Delete').click()
  const name = ui.rowOf('Person 2').getByRole('rowheader').element()
  expect(name).toHaveAttribute('data-ignored', 'The list moved. Press again.')
  await ui.rowButton('Person 3', 'Delete').click()
  await expectCount(8)
  expect(namesOf(stored())).toContain('Person 2')
  await expect.poll(() => name.hasAttribute('data-ignored')).toBe(false)
})

test('Edit is never ignored, as it changes nothing', async () => {
  const { colleague } = await openRecords(makeEmployees(10))
  await ui.rowButton('Person 1', 'Edit').hover()
  await colleague.remove('Person 1')
  await expectCount(9)
  // The mouse is there already.
  await ui.rowButton('Person 2', 'Edit').click()
  await expect.element(ui.nameField()).toHaveValue('Person 2')
})

test('a press is not ignored where the record under the mouse has come back', async () => {
  const { colleague, find, stored } = await openRecords(makeEmployees(10))
  const person = find('Person 1')
  await ui.rowButton(person, 'Delete').hover()
  await colleague.remove(person)
  await expectCount(9)
  await colleague.documents.restore(person)
  await expectCount(10)
  await ui.rowButton(person, 'Delete').click()
  await expectCount(9)
  expect(namesOf(stored())).not.toContain('Person 1')
})

test('a double click where a colleague has deleted the row edits nothing, until the mouse moves', async () => {
  const { colleague } = await openRecords(makeEmployees(10))
  await ui.rowOf('Person 1').getByRole('rowheader').hover()
  await colleague.remove('Person 1')
  await expectCount(9)
  holdPressTime()
  // The mouse is there already.
  await ui.rowOf('Person 2').getByRole('rowheader').dblClick()
  expect(ui.updateButton().query()).toBeNull()
  await ui.rowOf('Person 3').getByRole('rowheader').dblClick()
  await expect.element(ui.nameField()).toHaveValue('Person 3')
})

test('an own delete that is answered late does not move the row that the mouse points at meanwhile', async () => {
  holdRows()
  const { client } = await openRecords(makeEmployees(10))
  const release = client.holdCalls(['remove'])
  await ui.rowButton('Person 1', 'Delete').click()
  await ui.rowButton('Person 5', 'Delete').hover()
  const before = topOf('Person 5')
  release()
  await expectCount(9)
  expect(topOf('Person 5')).toBe(before)
})

test('a delete above by a colleague does not move the row under the mouse at the end of the page', async () => {
  holdRows()
  const { colleague } = await openRecords(makeEmployees(100))
  scrollTo(0, document.documentElement.scrollHeight)
  await ui.rowButton('Person 95', 'Delete').hover()
  const before = topOf('Person 95')
  await colleague.remove('Person 1')
  await expectCount(99)
  expect(Math.abs(topOf('Person 95') - before)).toBeLessThanOrEqual(1)
})

test('the focused row stays in its place while the page is scrolled', async () => {
  const { colleague } = await openRecords(makeEmployees(100))
  await ui.searchBox().hover()
  ui.rowOf('Person 20').element().scrollIntoView({ block: 'center' })
  ui.focus(ui.rowOf('Person 20'))
  const before = topOf('Person 20')
  await colleague.remove('Person 1')
  await expectCount(99)
  expect(Math.abs(topOf('Person 20') - before)).toBeLessThanOrEqual(1)
  await expect.element(ui.focusedRow()).toHaveTextContent('Person 20')
})

test('a focused row stays in its place when a colleague renames it', async () => {
  const { colleague, reload } = await openRecords(makeEmployees(100))
  await reload('/form?sort=name')
  await expectCount(100)
  await ui.searchBox().hover()
  ui.rowOf('Person 20').element().scrollIntoView({ block: 'center' })
  ui.focus(ui.rowOf('Person 20'))
  const before = topOf('Person 20')
  await colleague.change('Person 20', named('Person 70a'))
  await expect.element(ui.focusedRow()).toHaveTextContent('Person 70a')
  expect(Math.abs(topOf('Person 70a') - before)).toBeLessThanOrEqual(1)
})

/** Presses beside the rows with a finger, as on a computer that also has a mouse, until the test ends. */
function useFinger() {
  const press = (pointerType: string) =>
    document.body.dispatchEvent(new PointerEvent('pointerdown', { pointerType, bubbles: true }))
  press('touch')
  onTestFinished(() => void press('mouse'))
}

test('a tap that follows a change at once does nothing where another row has come', async () => {
  const { colleague, stored } = await openRecords(makeEmployees(10))
  await ui.searchBox().hover()
  useFinger()
  function tap(name: string) {
    const button = ui.rowButton(name, 'Delete').element()
    button.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }))
  }
  vi.spyOn(performance, 'now').mockReturnValue(0)
  await colleague.remove('Person 1')
  await expectCount(9)
  vi.spyOn(Event.prototype, 'timeStamp', 'get').mockReturnValueOnce(599)
  tap('Person 5')
  tap('Person 6')
  await expectCount(8)
  expect(namesOf(stored())).toContain('Person 5')
})

test('a tap on Undo that follows a delete soon is not meant for the row beneath', async () => {
  const pass = holdTimeouts(600, 2_000)
  await openRecords(makeEmployees(10))
  useFinger()
  await ui.press(ui.rowButton('Person 1', 'Delete'), '{Enter}')
  await expect.element(ui.undoBar()).toHaveAttribute('data-settling', 'true')
  await expect.poll(() => vi.mocked(setTimeout).mock.calls.map(([, timeMs]) => timeMs)).toContain(600)
  pass(600)
  await expect.element(ui.undoBar()).toHaveAttribute('data-settling', 'false')
})

test('a delete by a colleague does not move the row under a pen that hovers', async () => {
  holdRows()
  const { colleague } = await openRecords(makeEmployees(10))
  await ui.searchBox().hover()
  const before = topOf('Person 5')
  for (const [index, type] of ['pointerover', 'pointermove'].entries())
    ui.rowOf('Person 5')
      .element()
      .dispatchEvent(new PointerEvent(type, { pointerType: 'pen', screenX: index, bubbles: true }))
  await colleague.remove('Person 1')
  await expectCount(9)
  expect(Math.abs(topOf('Person 5') - before)).toBeLessThanOrEqual(1)
})

/** Returns the names of the elements that slide from now on, with the place where they start. */
function watchSlides(): string[] {
  const slides: string[] = []
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, keyframes) {
    const { transform = ['new'] } = keyframes as { transform?: string[] }
    slides.push(`${this.querySelector('th')?.ariaLabel ?? this.tagName} ${transform[0]}`)
    return {} as Animation
  })
  return slides
}

test('rows that stay where they are on the screen do not slide, although they have moved in the list', async () => {
  holdRows()
  const { colleague } = await openRecords(makeEmployees(10))
  const height = topOf('Person 1') - topOf('Person 0')
  const slides = watchSlides()
  await ui.rowButton('Person 5', 'Delete').hover()
  for (const [index, name] of ['Person 1', 'Person 2'].entries()) {
    await colleague.remove(name)
    await expectCount(9 - index)
    expect(slides.splice(0).filter((slide) => !slide.startsWith('TD'))).toEqual([
      `Person 0 translateY(${-height}px)`,
    ])
  }
})

test('rows slide to their new place, except the buttons of a deleted one’s successor; scrolling and searching move nothing', async () => {
  await openRecords(makeEmployees(60))
  const height = topOf('Person 1') - topOf('Person 0')
  const slides = watchSlides()
  await ui.rowButton('Person 1', 'Delete').click()
  await expectCount(59)
  expect(slides.splice(0).slice(0, 3)).toEqual([
    `Person 2 translateY(${height}px)`,
    `TD translateY(${-height}px)`,
    `Person 3 translateY(${height}px)`,
  ])
  await ui.undoButton().click()
  await expectCount(60)
  expect(slides.splice(0)).toContain('Person 1 new')
  await expect.element(ui.focusedRow()).toHaveTextContent('Person 1')
  // The focus scrolls to the row, and again two frames later.
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  scrollTo(0, 30 * height)
  await expect.element(ui.rowOf('Person 30')).toBeInViewport()
  await ui.searchBox().fill('person59')
  await expectCount(1)
  expect(slides).toEqual([])
})
