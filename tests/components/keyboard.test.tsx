import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, alan, grace, named, nameOf, renamed } from '../support/people.ts'
import { openPage, openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const keyboard = (keys: string) => userEvent.keyboard(keys)
const undoKeys = '{Control>}z{/Control}'

describe('the keyboard', () => {
  /** A key press of any keyboard layout; returns after its listeners have run. */
  const pressKey = (key: KeyboardEventInit) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }),
    )
  /** Clicks on text, so that no field has the focus. */
  const leaveFields = () => ui.rowOf(ada).getByRole('rowheader').click()

  const openThree = () => openRecords([ada, grace, alan])

  test('moves through the rows with arrows; e, c, m, Delete and Backspace act on the focused row', {
    tags: 'main',
  }, async () => {
    await openThree()
    await ui.moveFocus('/', ui.searchBox())
    await ui.moveFocus('{ArrowDown}', ui.rowOf(ada))
    await ui.moveFocus('{ArrowDown}', ui.rowOf(grace))
    await keyboard('c')
    await expect.element(ui.toast('Password of Grace Hopper copied.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(grace.password)
    await keyboard('m')
    await expect.element(ui.toast('Email of Grace Hopper copied.')).toBeVisible()
    await keyboard('{ArrowUp}')
    await keyboard(' ')
    await expect.element(ui.rowOf(ada).getByRole('textbox')).toHaveValue(ada.password)
    await keyboard(' ')
    await expect.element(ui.rowOf(ada).getByRole('textbox')).not.toHaveValue(ada.password)
    for (const edit of [
      () => keyboard('e'),
      () => keyboard('{Enter}'),
      () => ui.names().first().dblClick(),
    ]) {
      await edit()
      await expect.element(ui.nameField()).toHaveFocus()
      expect(ui.readForm()).toEqual(ada)
      await ui.moveFocus('{Escape}', ui.rowOf(ada))
    }
    await expect.element(ui.submitButton()).toBeVisible()
    await keyboard('{ArrowDown}')
    await ui.moveFocus('{Delete}', ui.rowOf(alan))
    await ui.expectNames(ada, alan)
    // The delete key of a Mac.
    await ui.moveFocus('{Backspace}', ui.rowOf(ada))
    await ui.expectNames(ada)
  })

  test('each row is one Tab stop with a name; left and right arrows move along its buttons', async () => {
    await openThree()
    await expect.element(ui.table()).toHaveAccessibleDescription(/left and right arrows within a row/)
    ui.focus(ui.rowOf(ada))
    await expect.element(ui.rowOf(ada)).toHaveAccessibleName('Ada Lovelace')
    const actions = 'Copy email of,Copy password of,Show password of,Edit,Delete,Hand over,Hand over'
    for (const action of actions.split(','))
      await ui.moveFocus('{ArrowRight}', ui.button(`${action} Ada Lovelace`))
    await ui.moveFocus('{Tab}', ui.rowOf(grace))
    await ui.moveFocus('{Tab}', ui.rowOf(alan))
    const checkbox = ui.rowOf(grace).getByRole('checkbox', { name: 'Select Grace Hopper' })
    await ui.moveFocus('{Shift>}{Tab}{/Shift}{ArrowRight}{ArrowLeft}', ui.rowOf(grace))
    await ui.moveFocus('{ArrowLeft>2/}', checkbox)
    await ui.moveFocus('{ArrowRight}', ui.rowOf(grace))
    document.documentElement.dir = 'rtl'
    await ui.moveFocus('{ArrowLeft}', ui.button('Copy email of Grace Hopper'))
    await ui.moveFocus('{ArrowRight}', ui.rowOf(grace))
    document.documentElement.removeAttribute('dir')
  })

  test.each([
    { layout: 'Latin with Caps Lock', n: 'N', m: 'M', z: 'Z' },
    { layout: 'Cyrillic', n: 'т', m: 'ь', z: 'я' },
    { layout: 'Greek', n: 'ν', m: 'μ', z: 'ζ' },
  ])('letters work on a keyboard that is $layout', async ({ n, m, z }) => {
    await openThree()
    ui.focus(ui.rowOf(ada))
    // On a Latin keyboard the letter that is typed counts, not the one at its place.
    pressKey({ key: 'j', code: 'KeyC' })
    await expect.element(ui.toast()).not.toBeInTheDocument()
    pressKey({ key: 'c', code: 'KeyI' })
    await expect.element(ui.toast('Password of Ada Lovelace copied.')).toBeVisible()
    pressKey({ key: m, code: 'KeyM' })
    await expect.element(ui.toast('Email of Ada Lovelace copied.')).toBeVisible()
    await ui.rowButton(ada, 'Delete').click()
    await ui.expectNames(grace, alan)
    pressKey({ key: z, code: 'KeyZ', ctrlKey: true })
    await ui.expectNames(ada, grace, alan)
    pressKey({ key: n, code: 'KeyN' })
    await expect.element(ui.nameField()).toHaveFocus()
  })

  test('no shortcut acts while a modifier is held, or a text field or a popover has the focus', async () => {
    await openThree()
    ui.focus(ui.rowOf(ada))
    const keys = { E: 'KeyE', у: 'KeyE', M: 'KeyM', N: 'KeyN', Delete: '', Backspace: '' }
    for (const modifier of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey', 'modifierAltGraph'])
      for (const [key, code] of Object.entries(keys)) pressKey({ key, code, [modifier]: true })
    await expect.element(ui.focusedRow()).toHaveTextContent('Ada Lovelace')
    for (const field of [ui.nameField(), ui.searchBox()]) {
      await field.fill('')
      await keyboard('ec{Backspace}')
      await expect.element(field).toHaveValue('e')
      await field.fill('')
    }
    await ui.button('Account menu').click()
    await keyboard('{Tab}nec{Backspace}{Delete}')
    await expect.element(ui.button('Account menu')).not.toHaveFocus()
    await ui.expectNames(ada, grace, alan)
    await expect.element(ui.nameField()).toHaveValue('')
    await expect.element(ui.toast()).not.toBeInTheDocument()
  })

  test('Ctrl+Z in an empty field restores the last record, and all of them, also after the page has emptied the field', {
    tags: 'main',
  }, async () => {
    await openRecords()
    await expect.element(ui.nameField()).toHaveFocus()
    await keyboard(`Ada Lovelace{Tab}${ada.email}{Tab}${ada.password}{Enter}`)
    await expect.element(ui.rowOf(ada)).toBeVisible()
    await ui.press(ui.rowOf(ada), '{Delete}')
    await ui.expectNames()
    await expect.element(ui.undoButton()).toBeVisible()
    await expect.element(ui.nameField()).toHaveFocus()
    await ui.moveFocus(undoKeys, ui.rowOf(ada))
    await ui.addEmployee(grace)
    ui.focus(ui.rowOf(ada))
    await keyboard('{Control>}a{/Control}')
    await expect.element(page.getByRole('group', { name: 'Selected records' })).toBeVisible()
    await keyboard('{Delete}')
    await ui.expectNames()
    await expect.element(ui.undoButton()).toBeVisible()
    await expect.element(ui.nameField()).toHaveFocus()
    await keyboard(undoKeys)
    await ui.expectNames(ada, grace)
  })

  test('Ctrl+Z in a field that the user has emptied takes back what was typed, there or in the one before', async () => {
    await openRecords([ada])
    ui.focus(ui.rowOf(ada))
    await ui.moveFocus('{Delete}', ui.nameField())
    await expect.element(ui.undoButton()).toBeVisible()
    await keyboard('Grace{Control>}a{/Control}{Backspace}')
    await expect.element(ui.nameField()).toHaveValue('')
    await keyboard(undoKeys)
    await expect.element(ui.nameField()).toHaveValue('Grace')
    await ui.moveFocus('{Tab}', ui.emailField())
    await keyboard(undoKeys)
    await expect.element(ui.nameField()).not.toHaveValue('Grace')
    await ui.expectNames()
  })

  test('focuses the next row after a delete, and the form after the last one', async () => {
    await openThree()
    await ui.rowButton(ada, 'Delete').click()
    await expect.element(ui.rowButton(grace, 'Delete')).toHaveFocus()
    await ui.moveFocus('{Enter}', ui.rowButton(alan, 'Delete'))
    await ui.moveFocus('{Enter}', ui.nameField())
  })

  test('Enter held down on Delete deletes one record, and on Undo restores one', async () => {
    await openThree()
    await ui.press(ui.rowButton(ada, 'Delete'), '{Enter}')
    await expect.element(ui.rowButton(grace, 'Delete')).toHaveFocus()
    const heldEnter = { key: 'Enter', repeat: true }
    expect(pressKey(heldEnter), 'whether the browser presses the button').toBe(false)
    await expect.element(ui.undoButton()).toBeVisible()
    ui.focus(ui.undoButton())
    expect(pressKey(heldEnter), 'whether the browser presses the button').toBe(false)
  })

  test('clears the search with Escape, and returns from the empty one to the row', async () => {
    await openThree()
    ui.focus(ui.rowButton(grace, 'Edit'))
    await ui.moveFocus('/', ui.searchBox())
    await keyboard('grace')
    const enterInSafari = new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
    ui.searchBox().element().dispatchEvent(enterInSafari)
    await ui.expectNames(grace)
    await ui.moveFocus('{Escape}', ui.searchBox())
    await expect.element(ui.searchBox()).toHaveValue('')
    await ui.expectNames(ada, grace, alan)
    await ui.moveFocus('{Escape}', ui.rowOf(grace))
  })

  test('undoes the last change with Ctrl+Z, except in a field, where it undoes the typing', {
    tags: 'main',
  }, async () => {
    await openThree()
    await ui.rowButton(grace, 'Delete').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Grace Hopper')
    await ui.nameField().fill('x')
    await keyboard(undoKeys)
    await ui.expectNames(ada, alan)
    await keyboard('{Escape}')
    await leaveFields()
    await keyboard(undoKeys)
    await ui.expectNames(ada, grace, alan)
  })

  test('undoes with Ctrl+Z what is still being sent, once it has been, and not what was done before', {
    tags: 'main',
  }, async () => {
    const { client, stored } = await openThree()
    await ui.press(ui.rowOf(alan), '{Delete}')
    await expect.element(ui.undoButton()).toBeVisible()
    const everybody = [ada, grace].map(nameOf)
    const undoWhileSending = async (act: () => Promise<void>) => {
      const release = client.holdCalls()
      await act()
      await keyboard(undoKeys)
      await expect.element(ui.undoBar()).toMatchTextContent('Undoing…')
      release()
      await expect.element(ui.undoBar()).toMatchTextContent('Deleted Alan Turing')
      await expect.poll(() => stored().map(nameOf)).toEqual(everybody)
      await ui.expectNames(ada, grace)
      await expect.element(ui.rowOf(grace)).toHaveFocus()
    }
    await undoWhileSending(() => ui.press(ui.rowOf(grace), '{Delete}'))
    await undoWhileSending(async () => {
      await ui.changeEmployee(grace, renamed('Grace Murray'))
      await expect.element(ui.rowOf(grace)).toHaveFocus()
    })
    await keyboard(undoKeys)
    await ui.expectNames(ada, grace, alan)
  })

  test('takes back with Ctrl+Z what waits for the connection, one by one, each once', async () => {
    const { client, stored } = await openThree()
    await client.cutNetwork()
    await expect.element(page.getByText(/^The server isn’t available/)).toBeVisible()
    for (const record of [ada, grace]) {
      await ui.press(ui.rowOf(record), '{Delete}')
      await expect.element(ui.rowOf(record)).toHaveAccessibleDescription('Will be deleted')
    }
    await keyboard(undoKeys)
    await expect.element(ui.rowOf(grace)).not.toHaveAccessibleDescription()
    await expect.element(ui.rowOf(ada)).toHaveAccessibleDescription('Will be deleted')
    await keyboard(undoKeys)
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    await ui.changeEmployee(alan, renamed('Alan M. Turing'))
    await expect.element(ui.outboxEntries()).toHaveLength(1)
    await keyboard(undoKeys)
    await expect.element(ui.undoBar()).toMatchTextContent('Edit of Alan Turing discarded')
    await client.restoreNetwork()
    await expect.element(page.getByText(/^The server isn’t available/)).not.toBeInTheDocument()
    expect(stored().map(nameOf)).toEqual([ada, grace, alan].map(nameOf))
  })

  test('closes with Escape what was opened last: the list of recent changes, or the record in the form', async () => {
    await openThree()
    for (const record of [ada, grace]) await ui.press(ui.rowOf(record), '{Delete}')
    const showList = () => ui.undoButton('Recent changes').click()
    const list = () => ui.undoBar().getByRole('list')
    await showList()
    await expect.element(list().getByRole('button').first()).toBeVisible()
    ui.focus(list().getByRole('button').first())
    await ui.moveFocus('{Escape}', ui.undoButton('Recent changes'))
    await ui.rowButton(alan, 'Edit').click()
    await showList()
    await expect.element(list()).toBeVisible()
    await keyboard('{Escape}')
    await expect.element(list()).not.toBeInTheDocument()
    await expect.element(ui.updateButton()).toBeVisible()
    await keyboard('{Escape}')
    await expect.element(ui.submitButton()).toBeVisible()
  })

  test('focuses the form with n, lists the shortcuts with ?, and closes the list with Escape', {
    tags: 'main',
  }, async () => {
    await openThree()
    await ui.moveFocus('n', ui.nameField())
    await keyboard('n?/e')
    await expect.element(ui.nameField()).toHaveValue('n?/e')
    await leaveFields()
    await keyboard('?')
    await expect.element(ui.dialog('Keyboard shortcuts')).toBeVisible()
    await keyboard('n')
    await expect.element(ui.dialog('Keyboard shortcuts')).toBeVisible()
    await keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
  })

  test('a dialog closes at once, so that the form gets what is typed next', async () => {
    await openThree()
    await keyboard('?')
    await expect.element(ui.dialog('Keyboard shortcuts')).toBeVisible()
    ;(document.querySelector('dialog button') as HTMLElement).click()
    // React renders the update of a click in a microtask; a transition takes longer.
    await Promise.resolve()
    expect(document.querySelector('dialog')).toBeNull()
  })

  test('Ctrl+K finds commands and records by name from anywhere, and lists only what is possible', {
    tags: 'main',
  }, async () => {
    const { reload } = await openRecords()
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    const options = ui.dialog().getByRole('option')
    const open = async (query: string) => {
      await keyboard('{Control>}k{/Control}')
      await box.fill(query)
    }
    await open('ex')
    await expect.element(page.getByText('Nothing found.')).toBeVisible()
    await keyboard('{Escape}')
    await ui.addEmployee(ada)
    await ui.addEmployee(grace)
    await reload()
    await ui.expectNames(ada, grace)
    await ui.press(ui.nameField(), '{Control>}k{/Control}')
    await expect.element(box).toHaveFocus()
    await box.fill('ex')
    await ui.expectTexts(options, ['Export', /^Ada/, /^Grace/])
    await ui.expectTexts(ui.dialog().getByRole('group', { name: 'Records' }).getByRole('option'), [
      /^Ada/,
      /^Grace/,
    ])
    await box.fill('hop')
    await ui.expectTexts(options, [`Grace Hopper${grace.email}→`])
    await keyboard('{Enter}')
    await expect.element(ui.focusedRow()).toHaveTextContent(nameOf(grace))
    await open('')
    await keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    await expect.element(options.nth(0)).toHaveAttribute('aria-selected', 'true')
    await box.fill('new')
    await ui.expectTexts(options, ['New recordN'])
    await box.fill('recently')
    await keyboard('{Enter}')
    await expect.element(ui.dialog('Recently deleted')).toBeVisible()
    await keyboard('{Escape}')
    await expect.element(ui.focusedRow()).toHaveTextContent(nameOf(grace))
  })

  test('the command menu finds names and commands also without their spaces and punctuation', async () => {
    const conan = named("Conan O'Brien")
    await openRecords([ada, conan])
    await keyboard('{Control>}k{/Control}')
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    await box.fill('obrien')
    await ui.expectTexts(ui.dialog().getByRole('option'), [`Conan O'Brien${conan.email}→`])
    await box.fill('recentlydeleted')
    await ui.expectTexts(ui.dialog().getByRole('option'), ['Recently deleted'])
  })

  test('Enter in the command menu waits for what the query finds', async () => {
    await openThree()
    await keyboard('{Control>}k{/Control}')
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    await expect.element(box).toHaveFocus()
    const input = box.element() as HTMLInputElement
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'keyboard sh')
    input.dispatchEvent(new Event('input', { bubbles: true }))
    // The page renders the field in a microtask, and what is found in a task.
    await Promise.resolve()
    await Promise.resolve()
    pressKey({ key: 'Enter' })
    await expect.element(ui.dialog('Keyboard shortcuts')).toBeVisible()
  })

  test('Ctrl+K opens the command menu from an open menu too, and closes it', async () => {
    await openRecords([ada])
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    await ui.press(ui.button('Account menu'), '{ArrowDown}')
    await expect.element(ui.button('Change password')).toHaveFocus()
    await keyboard('{Control>}k{/Control}')
    await expect.element(box).toHaveFocus()
    expect(document.querySelector(':popover-open')).toBeNull()
    await keyboard('{Control>}k{/Control}')
    await expect.element(box).not.toBeInTheDocument()
    await expect.element(ui.button('Account menu')).toHaveFocus()
  })

  test('the command menu leaves a screen reader in its field until an arrow chooses an option', async () => {
    await openRecords([ada, grace])
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    const chosen = () => ui.dialog().getByRole('option', { selected: true })
    await keyboard('{Control>}k{/Control}')
    await expect.element(box).toHaveFocus()
    await expect.element(box).not.toHaveAttribute('aria-activedescendant')
    await keyboard('{Enter}')
    await keyboard('{ArrowUp}{ArrowDown}')
    await expect.element(chosen()).toMatchTextContent(/^Search/)
    expect(box.element().getAttribute('aria-activedescendant')).toBe(chosen().element().id)
    await box.fill('a')
    await expect.element(box).not.toHaveAttribute('aria-activedescendant')
    await expect.element(chosen()).not.toBeInTheDocument()
  })

  test('the arrow to the right lists what can be done with a record, the one to the left goes back', async () => {
    const { backend } = await openRecords([ada, grace])
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    const options = ui.dialog().getByRole('option')
    const openActs = async (query: string) => {
      await keyboard('{Control>}k{/Control}')
      await box.fill(query)
      await expect.element(options.first()).toMatchTextContent(query)
      await keyboard('{ArrowRight}')
    }
    await openActs('Ada')
    await ui.expectTexts(options, ['Edit', 'Copy the email', 'Copy the password', 'Hand over'])
    await expect.element(ui.dialog().getByRole('group', { name: 'Ada Lovelace' })).toBeVisible()
    await expect.element(box).toHaveValue('')
    await box.fill('pass')
    await ui.expectTexts(options, ['Copy the password'])
    await keyboard('{Home}{ArrowLeft}')
    await expect.element(box).toHaveValue('Ada')
    await ui.expectTexts(options, [/^Ada Lovelace/])
    // Within a text it moves the caret.
    await keyboard('{Home}{ArrowRight}')
    await ui.expectTexts(options, [/^Ada Lovelace/])
    await keyboard('{End}{ArrowRight}{ArrowDown}{Enter}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await expect.element(ui.toast('Email of Ada Lovelace copied.')).toBeVisible()
    expect(navigator.clipboard.writeText).toHaveBeenLastCalledWith(ada.email)
    await openActs('Grace')
    await keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await expect.poll(() => backend.reports).toMatchObject([{ kind: 'copy' }])
    await openActs('Grace')
    await keyboard('{Enter}')
    await expect.element(ui.nameField()).toHaveValue('Grace Hopper')
    await keyboard('{Escape}')
    await openActs('Grace')
    await keyboard('{ArrowUp}{Enter}')
    await expect.element(ui.dialog('Hand over Grace Hopper')).toBeVisible()
  })

  test('a double click on an email selects it for copying, and opens no form', async () => {
    await openRecords([ada])
    await page.getByText(ada.email).dblClick()
    expect(getSelection()?.toString()).toBe(ada.email)
    await expect.element(ui.submitButton()).toBeVisible()
  })

  test('single-letter shortcuts stay switched off after a reload', async () => {
    const { reload } = await openThree()
    await ui.chooseInMenu('Keyboard shortcuts')
    await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    for (const prepare of [async () => {}, reload]) {
      await prepare()
      await leaveFields()
      await keyboard('ne')
      await expect.element(ui.nameField()).toHaveValue('')
      await expect.element(ui.focusedRow()).toHaveTextContent('Ada Lovelace')
    }
  })

  test('adds, edits, reveals, deletes and restores a record without a mouse', { tags: 'main' }, async () => {
    await openRecords()
    await expect.element(ui.nameField()).toHaveFocus()
    await keyboard(`Ada Lovelace{Tab}${ada.email}{Tab}${ada.password}{Enter}`)
    await expect.element(ui.rowOf(ada)).toBeVisible()
    await ui.tabTo(ui.rowOf(ada))
    await ui.moveFocus('{ArrowRight>3/}', ui.rowButton(ada, 'Show password'))
    await keyboard('{Enter}')
    await expect.element(ui.rowOf(ada).getByRole('textbox')).toHaveAttribute('type', 'text')
    await keyboard('{ArrowRight}{Enter}')
    await keyboard('{Control>}a{/Control}Ada King{Enter}')
    await ui.expectNames('Ada King')
    await ui.tabTo(ui.rowOf('Ada King'))
    await keyboard('{Delete}')
    await expect.element(ui.rows()).toHaveLength(0)
    await ui.tabTo(ui.button('Undo delete'))
    await keyboard('{Enter}')
    await ui.expectNames('Ada King')
  })
})

describe('the focus', () => {
  test('returns to the row on Escape, and the draft moves to the outbox', async () => {
    await openRecords([ada, grace])
    await ui.rowButton(grace, 'Edit').click()
    await ui.nameField().fill('Grace King')
    await keyboard('{Escape}')
    await expect.element(ui.rowOf(grace)).toHaveFocus()
    await expect.element(ui.outboxEntry('Unfinished edit: Grace King')).toBeVisible()
  })

  test('returns to the row on Cancel, where Ctrl+Z returns to the discarded edit', async () => {
    await openRecords([ada, grace])
    await ui.rowButton(grace, 'Edit').click()
    await ui.nameField().fill('Grace King')
    await ui.button('Cancel').click()
    await expect.element(ui.rowOf(grace)).toHaveFocus()
    await ui.moveFocus(undoKeys, ui.nameField())
    await expect.element(ui.nameField()).toHaveValue('Grace King')
  })

  test('stays in the outbox while it has an entry, and moves to the name field after the last', async () => {
    const { client } = await openRecords([ada, grace, alan])
    await ui.rowButton(ada, 'Delete').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Ada Lovelace')
    client.failCalls(serviceError('storage-full'), ['add'])
    await ui.submitEmployee(renamed('Lost', alan))
    await expect.element(ui.outboxEntry('Not saved: Lost')).toBeVisible()
    await ui.undoButton().click()
    await expect.element(ui.rowOf(ada)).toHaveFocus()
    await ui.submitEmployee(renamed('Lost too', alan))
    await expect.element(ui.outboxEntries()).toHaveLength(2)
    await ui.outboxEntries().last().getByRole('button', { name: 'Discard' }).click()
    await expect.element(ui.outboxEntries().first().getByRole('button', { name: 'Retry' })).toHaveFocus()
    const heldEnter = { key: 'Enter', repeat: true, bubbles: true, cancelable: true }
    const isPress = document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', heldEnter))
    expect(isPress, 'whether the browser presses the button').toBe(false)
    await ui.moveFocus('{Enter}', ui.nameField())
    await ui.outboxEntries().first().getByRole('button', { name: 'Discard' }).click()
    await expect.element(ui.nameField()).toHaveFocus()
  })

  test('moves to "Show all records" when the last row of a search is deleted, where Ctrl+Z restores it', async () => {
    await openRecords([ada, grace])
    await ui.searchBox().fill('grace')
    await ui.expectNames(grace)
    ui.focus(ui.rowButton(grace, 'Delete'))
    await ui.moveFocus('{Enter}', ui.button('Show all records'))
    await ui.moveFocus(undoKeys, ui.rowOf(grace))
  })

  test('starts in the first empty field of the account screens', async () => {
    await openPage('/')
    await expect.element(page.getByLabelText('Email')).toHaveFocus()
    await keyboard(`${account.email}{Tab}${account.password}{Enter}`)
    // The path changes before the screen: sign-up has a field of the same name.
    await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await expect.element(ui.accountPassword()).toHaveFocus()
    await keyboard(`${account.password}{Enter}`)
    await ui.expectPath('/form')
    await ui.button('Logout').click()
    await ui.expectPath('/')
    await expect.element(page.getByLabelText('Email')).toHaveFocus()
  })
})
