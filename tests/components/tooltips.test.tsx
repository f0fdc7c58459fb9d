// Icons are named, with their keys, where the mouse rests or the keyboard has moved the focus.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { letterShortcutsSetting } from '../../web/records/model/keys/shortcut-key.ts'
import { ada, grace, makeEmployees, named, nameOf } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { holdTimeouts } from './hold-timeouts.ts'

const element = () => page.getByCss('[popover=manual]')
const tooltip = () => page.getByCss('[popover=manual]:popover-open')
const expectName = (name: string) => expect.element(tooltip()).toHaveTextContent(name)
const expectNone = () => expect.element(tooltip()).not.toBeInTheDocument()
const button = (action: 'Edit' | 'Delete' | 'Hand over') => ui.rowButton(ada, action)

/** Lets time pass for tooltips, half a second unless another time is given. */
let rest: (timeMs?: number) => void

/** Opens the page, waits until tooltips have been loaded, and holds their time. */
async function open(records = [ada, grace]) {
  const testPage = await openRecords(records)
  await expect.element(element()).toBeInTheDocument()
  // The mouse may have rested where an icon has appeared. A press ends what that has begun.
  await pointAt(ui.searchBox())
  document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  const pass = holdTimeouts(500, 300)
  rest = (timeMs = 500) => pass(timeMs)
  return testPage
}

async function openImport() {
  await ui.press(ui.button('Import'), '{Enter}')
  await expect.element(ui.dialog('Import')).toBeVisible()
}

/** Opens the import, if it is not open, and rests on its Close until the name opens. */
async function restOnClose(opens = true) {
  if (opens) await openImport()
  const close = ui.dialog('Import').getByRole('button', { name: 'Close' })
  await pointAt(close)
  rest()
  await expectName('Close')
  return close
}

/** Moves the mouse, and waits until the page has handled it: time that passes before opens nothing. */
async function pointAt(target: Locator) {
  await target.hover()
  await expect.poll(() => target.element().matches(':hover')).toBe(true)
}

/** Moves the mouse away, for longer than the next tooltip would open at once. */
async function leave() {
  await pointAt(ui.searchBox())
  await expectNone()
  rest(300)
}

describe('under the mouse', () => {
  test('the name of an icon and its key open after half a second, those of its neighbours at once', {
    tags: 'main',
  }, async () => {
    await open()
    await pointAt(button('Edit'))
    rest(499)
    await expectNone()
    rest(1)
    await expectName('EditE')
    await pointAt(button('Hand over'))
    await expectName('Hand overH')
    await pointAt(button('Delete'))
    await expectName('DeleteDelete')
    await leave()
    await expectNone()
    await pointAt(button('Delete'))
    rest(499)
    await expectNone()
    expect(document.querySelectorAll('button[title], select[title]')).toHaveLength(0)
  })

  test('every icon without a text has one, and no button with a text', { tags: 'main' }, async () => {
    await page.viewport(900, 700)
    await open()
    for (const [icon, name] of [
      [ui.rowButton(ada, 'Copy email'), 'Copy the emailM'],
      [ui.rowButton(ada, 'Copy password'), 'Copy the passwordC'],
      [ui.rowButton(ada, 'Show password'), 'ShowSpace'],
      [ui.button('Generate password'), 'Generate password'],
      [ui.button('Account menu'), 'Account menu'],
      [ui.button('Import'), 'Import'],
      [ui.button('Export'), 'Export'],
      [ui.sortSelect(), 'Sort'],
    ] as const) {
      await pointAt(icon)
      rest()
      await expectName(name)
      await leave()
    }
    for (const text of [
      ui.submitButton(),
      ui.button('Logout'),
      ui.table().getByRole('button', { name: '#' }),
    ]) {
      await pointAt(text)
      rest()
      await expectNone()
    }
  })

  test('stays while the mouse moves over it, and closes with a press or Escape, which does nothing else', async () => {
    await open()
    await ui.searchBox().fill('ada')
    await ui.expectNames(ada)
    await pointAt(button('Edit'))
    rest()
    await expectName('EditE')
    const { left, top, width, height } = tooltip().element().getBoundingClientRect()
    const moveTo = (clientX: number, clientY: number) =>
      (document.elementFromPoint(clientX, clientY) as Element).dispatchEvent(
        new PointerEvent('pointermove', { clientX, clientY, pointerType: 'mouse', bubbles: true }),
      )
    moveTo(left + width / 2, top + height / 2)
    await expectName('EditE')
    await userEvent.keyboard('{Escape}')
    await expectNone()
    await expect.element(ui.searchBox()).toHaveValue('ada')
    rest()
    await expectNone()
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.searchBox()).toHaveValue('')
    await leave()
    await pointAt(ui.rowButton(ada, 'Show password'))
    rest()
    await expectName('ShowSpace')
    await ui.rowButton(ada, 'Show password').click()
    rest()
    await expectNone()
    await leave()
    await pointAt(ui.rowButton(ada, 'Show password'))
    rest()
    await expectName('HideSpace')
    moveTo(10, 10)
    await expectNone()
  })

  test('does not open under a finger', async () => {
    await open()
    const move = (pointerType: string) =>
      button('Edit')
        .element()
        .dispatchEvent(new PointerEvent('pointermove', { pointerType, movementX: 1, bubbles: true }))
    move('touch')
    rest()
    await expectNone()
    move('mouse')
    rest()
    await expectName('EditE')
  })

  test('a text that is cut off is shown whole, and no other', { tags: 'main' }, async () => {
    const long = named('Long '.repeat(40).trim(), { email: `${'long'.repeat(16)}@example.com` })
    await open([ada, long])
    for (const text of [nameOf(long), long.email]) {
      await pointAt(ui.rowOf(long).getByText(text))
      rest()
      await expectName(text)
      await expect.element(tooltip()).toHaveAttribute('translate', 'no')
      await leave()
    }
    await pointAt(ui.rowOf(ada).getByRole('rowheader'))
    rest()
    await expectNone()
  })

  test('does not open for a choice that shows its text', async () => {
    await open()
    await ui.paste('Ada\tada@example.org\tx1y2z3\nBob\tbob@example.org\tx1y2z4')
    const choice = ui.dialog().getByRole('combobox').first()
    await expect.element(choice).toBeVisible()
    await restOnClose(false)
    await pointAt(choice)
    await expectNone()
    rest()
    await expectNone()
  })

  test('does not open where the page has changed beneath a resting mouse, until the mouse moves', async () => {
    await open()
    const close = await restOnClose()
    // The first closes the tooltip.
    await userEvent.keyboard('{Escape}{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    rest(300)
    await openImport()
    await expect.poll(() => close.element().matches(':hover')).toBe(true)
    rest()
    await expectNone()
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await openImport()
    await close.hover({ position: { x: 3, y: 3 } })
    rest()
    await expectName('Close')
  })

  test('leaves no text in the page when it closes', async () => {
    await open()
    await pointAt(button('Edit'))
    rest()
    await expectName('EditE')
    await pointAt(ui.searchBox())
    await expect.poll(() => element().element().textContent).toBe('')
  })

  test('is above the dialog that it belongs to', async () => {
    await open()
    await restOnClose()
    expect(tooltip().element().closest('dialog')).not.toBeNull()
  })

  describe('at the edges of the page', () => {
    afterEach(() => {
      document.documentElement.dir = 'ltr'
    })

    test.each(['ltr', 'rtl'])('is seen whole, %s', async (direction) => {
      document.documentElement.dir = direction
      await page.viewport(320, 700)
      await open(makeEmployees(30))
      for (const icon of [
        ui.rowButton('Person 0', 'Delete'),
        ui.rowButton('Person 0', 'Show password'),
        ui.button('Account menu'),
      ]) {
        await pointAt(icon)
        rest()
        await expect.element(tooltip()).toBeVisible()
        const { left, right, top, bottom } = tooltip().element().getBoundingClientRect()
        expect([left >= 0, right <= 320, top >= 0, bottom <= 700]).toEqual([true, true, true, true])
        await leave()
      }
    })
  })
})

describe('by keyboard', () => {
  beforeEach(() => open().then(leave))

  test('opens where Tab or an arrow has moved the focus, at once beside another, until Enter', async () => {
    ui.focus(ui.rowOf(ada))
    await ui.moveFocus('{ArrowRight}', ui.rowButton(ada, 'Copy email'))
    rest(499)
    await expectNone()
    rest(1)
    await expectName('Copy the emailM')
    await ui.moveFocus('{ArrowRight}', ui.rowButton(ada, 'Copy password'))
    await expectName('Copy the passwordC')
    await ui.moveFocus('{ArrowRight}', ui.rowButton(ada, 'Show password'))
    await expectName('ShowSpace')
    await userEvent.keyboard('{Enter}')
    rest()
    await expectNone()
    ui.focus(ui.button('Logout'))
    await userEvent.tab({ shift: true })
    await expect.element(ui.button('Account menu')).toHaveFocus()
    rest()
    await expectName('Account menu')
  })

  test('does not open where something else has moved the focus', async () => {
    await openImport()
    await ui.whenEffectsRan()
    ui.focus(ui.dialog('Import').getByRole('button', { name: 'Close' }))
    rest()
    await expectNone()
  })

  test('names no letter while those are turned off', async () => {
    localStorage.setItem(letterShortcutsSetting.key, 'off')
    ui.focus(ui.rowOf(ada))
    await ui.moveFocus('{ArrowRight}', ui.rowButton(ada, 'Copy email'))
    rest()
    await expectName('Copy the email')
    await pointAt(button('Edit'))
    await expectName('EditEnter')
  })
})
