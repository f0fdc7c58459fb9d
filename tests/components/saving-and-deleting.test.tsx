import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { emptyFields } from '../../contract/employees.ts'
import { messageDurationMs } from '../../web/ui/message.tsx'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, makeEmployees, named, renamed } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'

const storageFull = serviceError('storage-full')

describe('deleting', () => {
  const scrollTo = (name: string) => ui.rowOf(name).element().scrollIntoView({ block: 'center' })
  const topOf = (name: string) => ui.rowOf(name).element().getBoundingClientRect().top

  test('deletes only one record on a double click, although another row moves under the pointer', {
    tags: 'main',
  }, async () => {
    const { client } = await openRecords(makeEmployees(8))
    await ui.button('Delete Person 4').dblClick()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 4')
    await expect.element(ui.rows()).toHaveLength(7)
    expect(client.countCalls('remove')).toBe(1)
  })

  test('deletes a record once, however often Delete is pressed before the response', async () => {
    const { client } = await openRecords(makeEmployees(3))
    const release = client.holdCalls(['remove'])
    for (let count = 0; count < 3; count++) await ui.press(ui.button('Delete Person 1'), '{Enter}')
    release()
    await ui.expectNames('Person 0', 'Person 2')
    expect(client.countCalls('remove')).toBe(1)
  })

  test('sends a failed delete again when Delete is pressed again', async () => {
    const { client } = await openRecords(makeEmployees(2))
    const repair = client.failCalls(storageFull)
    await ui.button('Delete Person 1').click()
    await expect.element(ui.outboxEntry('Not deleted: Person 1')).toBeVisible()
    repair()
    await ui.press(ui.button('Delete Person 1'), '{Enter}')
    await ui.expectNames('Person 0')
    await expect.element(ui.outboxEntries()).toHaveLength(0)
  })

  test.each([1280, 390])(
    'on %i px, presses in one place, 300 ms apart, delete one record after the other, and no other row moves',
    async (width) => {
      await page.viewport(width, 800)
      const { client } = await openRecords(makeEmployees(60))
      await expect.element(ui.rowOf('Person 20')).toBeInTheDocument()
      scrollTo('Person 20')
      const [above, place] = [topOf('Person 19'), topOf('Person 20')]
      let timeMs = 0
      vi.spyOn(Event.prototype, 'timeStamp', 'get').mockImplementation(() => performance.now() + timeMs)
      for (let index = 20; index < 24; index++) {
        timeMs += 300
        await ui.button(`Delete Person ${index}`).click()
        await expect.element(ui.undoBar()).toMatchTextContent(`Deleted Person ${index}`)
        await expect.poll(() => [topOf('Person 19'), topOf(`Person ${index + 1}`)]).toEqual([above, place])
      }
      client.failCalls(storageFull)
      timeMs += 300
      await ui.button('Delete Person 24').click()
      await expect.element(ui.outboxEntry('Not deleted: Person 24')).toBeInTheDocument()
      await expect.poll(() => [topOf('Person 19'), topOf('Person 24')]).toEqual([above, place])
    },
  )

  test('five presses in one place, 180 ms apart, delete five records', async () => {
    const { client } = await openRecords(makeEmployees(6))
    let timeMs = 1_000
    vi.spyOn(performance, 'now').mockImplementation(() => timeMs)
    vi.spyOn(Event.prototype, 'timeStamp', 'get').mockImplementation(() => timeMs)
    for (let index = 0; index < 5; index++, timeMs += 60) {
      const release = client.holdCalls(['remove'])
      await ui.button(`Delete Person ${index}`).click()
      timeMs += 120
      release()
      await expect.element(ui.rowOf(`Person ${index}`)).not.toBeInTheDocument()
    }
  })

  test.each([
    ['a row', 'Person 5', 0],
    ['a row at the end of the page', 'Person 55', 9_999],
  ])(
    '%s does not move when the connection is lost and restored while it is pointed at',
    async (_, name, y) => {
      const { client } = await openRecords(makeEmployees(60))
      window.scrollTo(0, y)
      await ui.button(`Edit ${name}`).hover()
      const before = topOf(name)
      await client.cutNetwork()
      await expect.element(page.getByText('The server isn’t available.')).toBeInTheDocument()
      // The rows are put back before the next paint, to the nearest pixel.
      const getShift = () => Math.abs(topOf(name) - before)
      await expect.poll(getShift).toBeLessThanOrEqual(1)
      await client.restoreNetwork()
      await expect.element(page.getByText('The server isn’t available.')).not.toBeInTheDocument()
      await expect.poll(getShift).toBeLessThanOrEqual(1)
    },
  )

  test('offers Undo while the delete can be undone, wherever the page is scrolled', {
    tags: 'main',
  }, async () => {
    await page.viewport(390, 700)
    await openRecords(makeEmployees(30))
    await expect.element(ui.rowOf('Person 15')).toBeInTheDocument()
    scrollTo('Person 15')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await ui.button('Delete Person 15').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 15')
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await ui.press(ui.undoButton('Undo delete'), '{Enter}')
    await expect.element(ui.rowOf('Person 15')).toHaveFocus()
    await expect.element(ui.rowOf('Person 15')).toBeInViewport()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
  })

  test('shows the icons of the bar under the mouse', async () => {
    await openRecords(makeEmployees(3))
    // With a key: a second click within 150 ms is ignored.
    for (const name of ['Person 1', 'Person 2']) await ui.press(ui.button(`Delete ${name}`), '{Enter}')
    const bar = ui.undoBar().element()
    for (const name of ['Recent changes', 'Dismiss']) {
      await ui.undoButton(name).hover()
      const { color } = getComputedStyle(ui.undoButton(name).element())
      expect([name, color]).not.toEqual([name, getComputedStyle(bar).backgroundColor])
    }
  })

  describe('after a while', () => {
    const boxOf = (element: Element) => element.getBoundingClientRect()
    const message = () => ui.undoBar().getByRole('paragraph').element()
    const isSeen = () => getComputedStyle(message()).opacity !== '0'
    const pass = () => vi.advanceTimersByTime(8_000)

    /** What the button says beside its key. */
    const undoText = () => ui.undoButton().getByCss('span').first()
    /** Deletes a record, and moves the mouse away. */
    async function deletePerson() {
      await openRecords(makeEmployees(30))
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      await ui.button('Delete Person 5').click()
      await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 5')
      await ui.searchBox().hover()
    }

    test('leaves the rows their place: only a button in the middle says what it undoes, until it is pointed at', {
      tags: 'main',
    }, async () => {
      await deletePerson()
      const { left, top } = boxOf(message())
      const hit = () => document.elementFromPoint(left + 10, top + 10)
      expect([isSeen(), message().contains(hit())]).toEqual([true, true])
      await expect.element(undoText()).toHaveTextContent('Undo')
      pass()
      await expect.element(undoText()).toHaveTextContent('Undo delete')
      await expect.poll(() => hit()?.closest('tr')).toBeTruthy()
      await expect.poll(isSeen).toBe(false)
      const buttons = boxOf(ui.undoButton().element().parentElement as Element)
      expect(Math.abs(buttons.left + buttons.right - innerWidth)).toBeLessThanOrEqual(2)
      await expect.element(ui.undoButton()).toHaveAccessibleDescription('Deleted Person 5')
      ui.focus(ui.undoButton())
      await expect.poll(isSeen).toBe(true)
      await ui.searchBox().click()
      await expect.poll(isSeen).toBe(false)
      const before = boxOf(ui.undoButton().element()).toJSON()
      await ui.undoButton().hover()
      await expect.poll(isSeen).toBe(true)
      expect(boxOf(ui.undoButton().element()).toJSON()).toEqual(before)
      expect(boxOf(message()).bottom).toBeLessThan(before.top)
    })

    test('moves no button that is pointed at or focused, nor beneath an open list', async () => {
      await deletePerson()
      const expectWhole = async () => {
        pass()
        // Until what has changed has been rendered.
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
        expect(undoText().element().textContent).toBe('Undo')
      }
      await ui.undoButton().hover()
      await expectWhole()
      ui.focus(ui.undoButton())
      await ui.searchBox().hover()
      await expectWhole()
      await ui.press(ui.rowButton('Person 6', 'Delete'), '{Enter}')
      await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 6')
      vi.advanceTimersByTime(2_000)
      await ui.undoButton('Recent changes').click()
      await expect.element(ui.undoButton('Recent changes')).toHaveAttribute('aria-expanded', 'true')
      await ui.searchBox().click()
      await expectWhole()
      await ui.undoButton('Recent changes').click()
      await expect.element(ui.undoButton('Recent changes')).toHaveAttribute('aria-expanded', 'false')
      await ui.searchBox().click()
      pass()
      await expect.element(ui.undoButton()).toHaveTextContent('Undo delete')
    })
  })

  test('is one line as wide as a message, which cuts only the name', async () => {
    const long = 'N'.repeat(200)
    await openRecords([renamed(long), grace])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await ui.button('Copy email of Grace Hopper').click()
    await ui.rows().first().getByRole('button', { name: 'Delete' }).click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted')
    const bar = ui.undoBar().element()
    const toast = ui.toast('copied.').element().parentElement as Element
    await expect.poll(() => [bar, toast].map((element) => element.clientWidth)).toEqual([358, 358])
    expect(bar.clientHeight).toBeLessThan(50)
    const text = ui.undoBar().getByRole('paragraph').element()
    expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth)
    const name = text.querySelector('bdi') as Element
    expect(name.scrollWidth).toBeGreaterThan(name.clientWidth)
  })

  test('calls a record whose name is blank "(no name)" everywhere', async () => {
    await openRecords([renamed('  ')])
    await ui.expectNames('(no name)')
    await ui.button('Copy email of (no name)').click()
    await expect.element(ui.toast('Email of (no name) copied.')).toBeVisible()
    await ui.emailField().fill(ada.email)
    await expect.element(ui.form().getByRole('link', { name: '(no name)' })).toBeVisible()
    await ui.button('Delete (no name)').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted (no name)')
  })
})

describe('saving', () => {
  const showButton = () => page.getByRole('button', { name: 'Show', exact: true })

  /** Saves a record whose row is out of sight, so that the toast offers to show it. */
  async function saveOffscreenRecord(): Promise<TestPage> {
    const testPage = await openRecords(makeEmployees(60))
    await ui.submitEmployee(ada)
    await expect.element(showButton()).toBeVisible()
    return testPage
  }

  test('offers to show a saved record whose row is out of sight or hidden by the search', {
    tags: 'main',
  }, async () => {
    await saveOffscreenRecord()
    await expect.element(ui.toast('Ada Lovelace saved.')).toBeVisible()
    await showButton().click()
    await expect.element(ui.rowOf(ada)).toHaveFocus()
    await expect.element(ui.rowOf(ada)).toBeInViewport()
    await ui.searchBox().fill('person 1')
    await expect.element(ui.rowOf(ada)).not.toBeInTheDocument()
    await ui.submitEmployee(grace)
    await expect.element(ui.toast('Grace Hopper saved.')).toBeVisible()
    await ui.button('Show').click()
    await expect.element(ui.rowOf(grace)).toHaveFocus()
  })

  test('shows one message for a saved edit, whose name shows the row again', async () => {
    await openRecords([ada, grace])
    await ui.searchBox().fill('lovelace')
    await ui.changeEmployee(ada, renamed('Countess'))
    await expect.element(ui.rowOf('Countess')).not.toBeInTheDocument()
    await expect.element(ui.undoBar()).toMatchTextContent('Saved Countess')
    expect(ui.toast().query()).toBeNull()
    await ui.undoBar().getByRole('button', { name: 'Show Countess' }).click()
    await expect.element(ui.rowOf('Countess')).toHaveFocus()
  })

  test('shows no message for a visible row, and focuses the row after Update', async () => {
    await openRecords()
    await ui.addEmployee(ada)
    await ui.changeEmployee(ada, renamed('Ada King'))
    await expect.element(ui.rowOf('Ada King')).toHaveFocus()
    await expect.element(ui.toast()).not.toBeInTheDocument()
  })

  test('reaches the button of a message with Tab before the rows, and does not remove it while it has the focus or the pointer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await saveOffscreenRecord()
    await ui.tabTo(showButton())
    vi.advanceTimersByTime(2 * messageDurationMs)
    await expect.element(showButton()).toHaveFocus()
    await showButton().hover()
    await userEvent.tab({ shift: true })
    vi.advanceTimersByTime(2 * messageDurationMs)
    await expect.element(showButton()).toBeVisible()
    await page.getByRole('banner').hover()
    await expect
      .poll(() => vi.advanceTimersByTime(messageDurationMs) && showButton().elements())
      .toHaveLength(0)
  })

  test('removes the message together with its record, and moves the focus to the form', async () => {
    const { colleague } = await saveOffscreenRecord()
    ui.focus(showButton())
    await colleague.remove(ada)
    await expect.element(showButton()).not.toBeInTheDocument()
    await expect.element(ui.nameField()).toHaveFocus()
  })

  test('shortens only the name in a message if the name is long', async () => {
    await page.viewport(320, 700)
    await openRecords([renamed('N'.repeat(200), grace)])
    await ui.rows().getByRole('button', { name: 'Copy password' }).click()
    await expect.element(ui.toast('copied.')).toBeVisible()
    const text = ui.toast('copied.').getByCss('p').element()
    expect(text.getBoundingClientRect().right).toBeLessThan(320)
    const range = document.createRange()
    range.selectNodeContents(text)
    range.setStart(text.lastChild as Node, 0)
    expect(range.getBoundingClientRect().bottom).toBeLessThanOrEqual(text.getBoundingClientRect().bottom)
  })

  test('inserts a new record at its position in the current sort order', { tags: 'main' }, async () => {
    await openRecords([grace, ada])
    await ui.table().getByRole('columnheader', { name: 'Employee Name' }).getByRole('button').click()
    await ui.addEmployee(named('Adam'))
    await ui.expectNames(ada, 'Adam', grace)
  })
})

describe('Cancel', () => {
  const edited = { ...renamed('Alan M. Turing', alan), password: 'half typed ' }

  test('discards the edit, and Undo brings back all that was typed, also after a reload', {
    tags: 'main',
  }, async () => {
    const { client, reload } = await openRecords([ada, alan])
    for (const prepare of [async () => {}, reload]) {
      await ui.rowButton(alan, 'Edit').click()
      await ui.fillForm(edited)
      await ui.button('Cancel').click()
      await expect.element(ui.undoBar()).toMatchTextContent('Edit of Alan Turing discarded')
      await expect.element(ui.outboxEntries()).toHaveLength(0)
      expect(document.title).not.toContain('unsaved')
      expect(ui.readForm()).toEqual(emptyFields)
      await prepare()
      await ui.undoButton().click()
      await expect.element(ui.form().getByText('Editing Alan Turing')).toBeVisible()
      expect(ui.readForm()).toEqual(edited)
      await expect.element(ui.undoBar()).toMatchTextContent('')
      await ui.button('Cancel').click()
      await ui.button('Dismiss').click()
    }
    expect(client.countCalls('update')).toBe(0)
  })

  test('says nothing about an edit without changes', async () => {
    await openRecords([ada, alan])
    await ui.rowButton(alan, 'Edit').click()
    await ui.button('Cancel').click()
    await expect.element(ui.rowOf(alan)).toHaveFocus()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
  })

  test('moves no row', async () => {
    await openRecords([ada, alan])
    const topOf = () => ui.rowOf(alan).element().getBoundingClientRect().top
    const before = topOf()
    await ui.rowButton(alan, 'Edit').click()
    await ui.fillForm(edited)
    await ui.button('Cancel').click()
    await expect.element(ui.rowOf(alan)).toHaveFocus()
    await expect.poll(topOf).toBe(before)
  })

  test('keeps what the form holds as a draft when the discarded edit returns', async () => {
    await openRecords([ada, alan])
    await ui.rowButton(alan, 'Edit').click()
    await ui.fillForm(edited)
    await ui.button('Cancel').click()
    await ui.nameField().fill('Somebody new')
    await ui.undoButton().click()
    await expect.element(ui.outboxEntry('Unfinished draft: Somebody new')).toBeVisible()
    expect(ui.readForm()).toEqual(edited)
  })
})

describe('an email that exists', () => {
  test('links to the record that has the same email, and still accepts it', { tags: 'main' }, async () => {
    await openRecords([...makeEmployees(60), grace, named('Admiral', { email: 'Grace@Example.com' })])
    await ui.fillForm({ ...ada, email: 'GRACE@example.com' })
    const hint = ui.form().getByText('Already in the register: Grace Hopper and 1 other')
    await expect.element(hint).toBeVisible()
    await ui.form().getByRole('link', { name: 'Grace Hopper' }).click()
    await expect.element(ui.focusedRow()).toHaveTextContent('Grace Hopper')
    await expect.element(ui.rowOf(grace)).toBeInViewport()
    expect(ui.readForm().email).toBe('GRACE@example.com')
    await ui.submitButton().click()
    await ui.searchBox().fill('grace@')
    await expect.element(ui.rows()).toHaveLength(3)
  })

  test('skips the link when Tab is pressed in the email field, and treats no typed letter as a shortcut', async () => {
    await openRecords([ada, grace, alan])
    await userEvent.keyboard('n')
    await userEvent.keyboard(`Carl{Tab}${grace.email}`)
    const link = ui.form().getByRole('link', { name: 'Grace Hopper' })
    await expect.element(link).toBeVisible()
    await userEvent.tab()
    await userEvent.keyboard('Sunshine42!')
    expect(ui.readForm()).toEqual(named('Carl', { email: grace.email, password: 'Sunshine42!' }))
    await expect.element(ui.emailField()).toHaveAccessibleDescription('Already in the register: Grace Hopper')
    await ui.press(link, 'n/?')
    await expect.element(link).toHaveFocus()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  test('does not call a record a duplicate of itself, and shows the linked row although a search hides it', async () => {
    await openRecords([ada, grace, alan])
    await ui.rowButton(grace, 'Edit').click()
    await expect.poll(() => ui.readForm().email).toBe(grace.email)
    await expect.element(ui.form().getByRole('link')).not.toBeInTheDocument()
    await ui.searchBox().fill('alan')
    await expect.element(ui.rows()).toHaveLength(1)
    for (const other of [ada.email.slice(0, -1), '']) {
      await ui.emailField().fill(other)
      await expect.element(ui.form().getByText('Already in the register:')).not.toBeInTheDocument()
    }
    await ui.emailField().fill(ada.email)
    await ui.form().getByRole('link', { name: 'Ada Lovelace' }).click()
    await expect.element(ui.focusedRow()).toHaveTextContent('Ada Lovelace')
  })
})

test('a register that is almost full says so', async () => {
  const { client, reload } = await openRecords([ada])
  const notice = page.getByText('The register is 93% full.')
  await expect.element(notice).not.toBeInTheDocument()
  Object.assign(client.documents, { usedPercent: 93 })
  await reload()
  await expect.element(notice).toBeVisible()
})
