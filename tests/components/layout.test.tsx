// The page on screens of different widths, text sizes and writing directions.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { commands, type Locator, page, userEvent } from 'vitest/browser'
import type { HistoryService } from '../../web/backends/ports.ts'
import { afterPaint } from '../../web/lib/dom.ts'
import { ada, edgeCaseEmployees, grace, makeEmployees, named, renamed } from '../support/people.ts'
import { fillAccount, openPage, openRecords, signIn } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
import { recordAnnouncements } from './announcements.ts'
import * as ui from './elements.ts'

const boxOf = (locator: Locator) => locator.element().getBoundingClientRect()
const heading = () => page.getByRole('heading', { name: 'Employee Records' })
const columnHeader = (name: string) => ui.table().getByRole('columnheader', { name, exact: true })
const overlaps = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
/** How far an element's content extends beyond it, in px. */
const overflowOf = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
const pageOverflow = () => document.documentElement.scrollWidth - innerWidth

/** Does the same on viewports of these widths. */
async function onWidths(widths: number[], check: (width: number) => unknown) {
  for (const width of widths) {
    await page.viewport(width, 900)
    await check(width)
  }
}

afterEach(async () => {
  document.documentElement.removeAttribute('style')
  document.documentElement.removeAttribute('dir')
  await commands.setFontSize(16)
})

test('letters of at least 24 px leave buttons in their fields, and names uncovered', {
  tags: 'main',
}, async () => {
  await openRecords([ada, grace])
  // With such letters the chips move the rows, and presses are ignored.
  await expect.element(page.getByRole('button', { name: '1 weak' })).toBeVisible()
  const style = document.createElement('style')
  style.textContent = '*, ::before, ::after { font-size: 24px !important }'
  document.head.append(style)
  await onWidths([1280, 390], async (width) => {
    await ui.rowButton(ada, 'Edit').click()
    for (const name of ['Generate password', 'Show password']) {
      const button = boxOf(ui.form().getByRole('button', { name }))
      const field = boxOf(ui.passwordField())
      expect([button.top >= field.top - 1, button.bottom <= field.bottom + 1]).toEqual([true, true])
      expect(button.right).toBeLessThanOrEqual(field.right)
    }
    await ui.emailField().fill(grace.email)
    const hint = ui.form().getByText('Already in the register')
    await expect.element(hint).toBeVisible()
    expect(boxOf(hint).top).toBeGreaterThanOrEqual(boxOf(ui.emailField()).bottom)
    const update = boxOf(ui.form().getByRole('button', { name: 'Update' }))
    if (width === 1280) expect(Math.abs(update.top - boxOf(ui.passwordField()).top)).toBeLessThan(2)
    const name = ui.rowOf(ada).getByRole('rowheader').element()
    const initials = getComputedStyle(name.querySelector('[data-initials]') ?? name, '::before')
    // Two bold capitals.
    expect(Number.parseFloat(initials.width)).toBeGreaterThan(30)
    await userEvent.keyboard('{Escape}')
  })
  style.remove()
})

test('the hand-over of a long name fits its dialog with letters of 32 px, and of at least 24 px', async () => {
  const long = named('Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine Senior')
  await openRecords([long])
  await ui.press(ui.rowButton(long, 'Hand over'), '{Enter}')
  await expect.element(ui.button('Make a link')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(ui.button('Copy link')).toHaveFocus()
  const dialog = ui.dialog()
  await expect.element(dialog.getByRole('listitem')).toHaveLength(1)
  const expectFit = (width: number) => {
    expect(overflowOf(dialog.element()), `${width} px`).toBeLessThanOrEqual(0)
    const code = dialog.getByRole('img', { name: 'The link as a QR code' })
    const { right } = code.element().parentElement?.getBoundingClientRect() ?? { right: 0 }
    for (const part of [dialog.getByLabelText('Link', { exact: true }), ui.button('Copy link'), code])
      expect(boxOf(part).right, `${width} px`).toBeLessThanOrEqual(right)
    expect(boxOf(dialog.getByRole('heading').first()).height, `${width} px`).toBeLessThan(200)
  }
  const style = document.createElement('style')
  style.textContent = '*, ::before, ::after { font-size: max(24px, 1em) !important }'
  document.head.append(style)
  await onWidths([1280, 390, 320], expectFit)
  style.remove()
  await commands.setFontSize(32)
  await onWidths([1280, 390, 320], expectFit)
})

describe('of 300 records', () => {
  const isInSight = (element: Element) => {
    const { x, width, top, bottom } = element.getBoundingClientRect()
    const isUncovered = (y: number) => element.contains(document.elementFromPoint(x + width / 2, y))
    return isUncovered(top + 2) && isUncovered(bottom - 2)
  }

  const screens: [width: number, height: number, atLeast: number, top: number][] = [
    [1200, 800, 14, 235],
    [768, 1024, 16, 250],
    [390, 844, 6, 260],
    [320, 640, 3, 270],
  ]
  test.each(sample(screens, 1, { isCorner: ([width]) => width === 320 }))(
    'the first screen of %i × %i px shows at least %i of them, the first %i px below its top',
    async (width, height, atLeast, top) => {
      await page.viewport(width, height)
      await openRecords(makeEmployees(300))
      await expect.element(page.getByRole('button', { name: '300 weak' })).toBeVisible()
      expect(boxOf(ui.rows().first()).top).toBeLessThanOrEqual(top)
      for (const { scrollWidth, clientWidth } of document.querySelectorAll('tbody td'))
        expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
      await expect.poll(() => ui.rows().elements().filter(isInSight).length).toBeGreaterThanOrEqual(atLeast)
      expect(pageOverflow()).toBeLessThanOrEqual(0)
    },
  )

  test.each([1200, 390])(
    'on %i px the title, the count, the search and the sort order stay while the rows scroll',
    async (width) => {
      await page.viewport(width, 800)
      await openRecords(makeEmployees(300))
      await expect.element(ui.rowOf('Person 5')).toBeInTheDocument()
      scrollTo({ top: 5_000, behavior: 'instant' })
      await expect.element(ui.rowOf('Person 5')).not.toBeInTheDocument()
      const count = page.getByText('300 records', { exact: true }).first()
      for (const part of [heading(), count, ui.searchBox(), ui.sortSelect()])
        expect(isInSight(part.element())).toBe(true)
      if (width === 1200) await expect.element(columnHeader('Email')).toBeInViewport()
    },
  )

  test.each(sample([1200, 768, 390], 1, { isCorner: (width) => width === 390 }))(
    'on %i px, editing row 114 names the record and keeps its row in sight, and Cancel returns to it from anywhere',
    async (width) => {
      await page.viewport(width, 844)
      await openRecords(makeEmployees(300))
      await expect.element(ui.rowOf('Person 5')).toBeInTheDocument()
      const height = boxOf(ui.rowOf('Person 5')).top - boxOf(ui.rowOf('Person 4')).top
      scrollTo({ top: 100 * height, behavior: 'instant' })
      await expect.element(ui.rowOf('Person 113')).toBeInTheDocument()
      ui.rowOf('Person 113').element().scrollIntoView({ block: 'center' })
      const before = boxOf(ui.rowOf('Person 113')).top
      for (const topRow of [null, 0, 250]) {
        await ui.button('Edit Person 113').click()
        await expect.element(ui.form().getByText('Editing Person 113')).toBeVisible()
        await expect.element(ui.nameField()).toHaveFocus()
        expect(isInSight(ui.nameField().element())).toBe(true)
        await expect.poll(() => isInSight(ui.rowOf('Person 113').element())).toBe(true)
        if (topRow === null) {
          const moved = () => Math.abs(boxOf(ui.rowOf('Person 113')).top - before)
          if (width === 1200) await expect.poll(moved).toBeLessThanOrEqual(1)
        } else {
          scrollTo({ top: topRow * height, behavior: 'instant' })
          await expect.element(ui.rowOf(`Person ${topRow + 1}`)).toBeInTheDocument()
        }
        await ui.button('Cancel').click()
        await expect.element(ui.rowOf('Person 113')).toHaveFocus()
        await expect.poll(() => isInSight(ui.rowOf('Person 113').element())).toBe(true)
      }
    },
  )
})

test.each([
  [390, 844],
  [320, 640],
])(
  'on %i × %i px, the first row is in sight while it is edited, also without other records',
  async (width, height) => {
    await page.viewport(width, height)
    await openRecords([ada])
    await ui.rowButton(ada, 'Edit').click()
    await expect.element(ui.nameField()).toHaveFocus()
    await expect.poll(() => boxOf(ui.rowOf(ada)).top - boxOf(ui.form()).bottom).toBeGreaterThanOrEqual(0)
    expect(boxOf(ui.rowOf(ada)).bottom).toBeLessThanOrEqual(height)
  },
)

test('a low window, as at 400 % zoom, shows the field that is edited', async () => {
  await page.viewport(320, 256)
  await openRecords([ada])
  await ui.rowButton(ada, 'Edit').click()
  await afterPaint().then(afterPaint)
  expect(boxOf(ui.nameField()).top).toBeGreaterThanOrEqual(0)
})

test('a row that a colleague has changed glows once, and no other', async () => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' })
  const { colleague } = await openRecords([ada, grace])
  await colleague.change(grace, renamed('Admiral', grace))
  await expect.element(ui.rowOf('Admiral')).toHaveAttribute('data-changed', 'true')
  await expect.element(ui.rowOf(ada)).toHaveAttribute('data-changed', 'false')
  await expect.element(ui.rowOf('Admiral')).toHaveAttribute('data-changed', 'false')
})

test.each(sample([1200, 768, 390], 1, { isCorner: (width) => width === 390 }))(
  'on %i px the password generator moves nothing, nor do the hints where there is space for them',
  async (width) => {
    await page.viewport(width, 844)
    await openRecords([ada])
    if (width === 390) await ui.button('Add a record').click()
    const measure = () => [boxOf(ui.table()).top, boxOf(ui.form()).height]
    const before = measure()
    const generator = page.getByRole('group', { name: 'Password generator' })
    await ui.button('Generate password').click()
    await expect.element(generator).toBeVisible()
    expect(measure()).toEqual(before)
    await userEvent.keyboard('{Escape}')
    await expect.element(generator).not.toBeInTheDocument()
    if (width === 390) return
    await ui.fillForm({ ...ada, password: 'password-x!' })
    await expect.element(page.getByText('Already in the register:')).toBeVisible()
    await expect.element(page.getByText('contains a very common word')).toBeVisible()
    expect(measure()).toEqual(before)
  },
)

test('an empty register has one main action', async () => {
  await openRecords()
  const color = (name: string) => getComputedStyle(ui.button(name).element()).backgroundColor
  await expect.element(ui.button('Add the first record')).toBeVisible()
  const accent = color('Add the first record')
  const read = () =>
    ['Add the first record', 'Import a spreadsheet', 'Submit'].map((name) => color(name) === accent)
  expect(read()).toEqual([true, false, false])
  await ui.nameField().fill('Ada')
  await expect.poll(read).toEqual([false, false, true])
})

test('what searches, sorts, imports and exports stays where it is when the records arrive', async () => {
  const testPage = await openRecords([ada])
  await onWidths([1280, 1000, 768, 390], async (width) => {
    const release = testPage.client.holdCalls(['list'])
    await testPage.reload()
    await expect.element(page.getByText('Loading…')).toBeInTheDocument()
    const measure = () =>
      [ui.searchBox(), ui.sortSelect(), ui.button('Import')].map(boxOf).map(({ x, y }) => [x, y])
    const before = measure()
    release()
    await expect.element(ui.rowOf(ada)).toBeVisible()
    await expect.element(ui.button('Export')).toBeEnabled()
    expect(measure(), `${width} px`).toEqual(before)
  })
})

test('selecting moves neither the rows nor the search, on a screen of any width', async () => {
  await openRecords(makeEmployees(3))
  await expect.element(page.getByRole('button', { name: '3 weak' })).toBeVisible()
  await onWidths([1280, 1000, 900, 768, 720], async (width) => {
    const measure = () => [ui.searchBox(), ui.rowOf('Person 0')].map(boxOf).map(({ y }) => y)
    const before = measure()
    await ui.rowOf('Person 1').getByRole('checkbox').click()
    await expect.element(page.getByRole('group', { name: 'Selected records' })).toBeVisible()
    expect(measure(), `${width} px`).toEqual(before)
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('group', { name: 'Selected records' })).not.toBeInTheDocument()
  })
})

test('the number of a row is whole with five digits', async () => {
  await openRecords([ada])
  await expect.element(ui.rowOf(ada)).toBeVisible()
  const number = ui.rowOf(ada).element().querySelector('td') as HTMLElement
  const text = number.firstChild as Text
  expect(text.data).toBe('1')
  text.data = '99999'
  await onWidths([1280, 768, 390, 320], (width) =>
    expect(overflowOf(number), `${width} px`).toBeLessThanOrEqual(0),
  )
  text.data = '1'
})

test('the key of Undo gives way to a long name, which is cut only then', async () => {
  const long = named('Hubert Wolfeschlegel')
  const longest = named('Wolfeschlegelsteinhausenbergerdorff '.repeat(3))
  await openRecords([ada, long, longest])
  const key = () => boxOf(ui.undoBar().getByCss('kbd').first())
  const name = () => ui.undoBar().getByCss('bdi').element()
  const isKeySeen = () => key().bottom <= boxOf(ui.undoButton()).bottom
  for (const [record, expected] of [
    [ada, [true, false]],
    [long, [false, false]],
    [longest, [false, true]],
  ] as const) {
    await ui.press(ui.rowButton(record, 'Delete'), '{Enter}')
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted')
    expect([isKeySeen(), overflowOf(name()) > 0]).toEqual(expected)
    expect(boxOf(ui.undoButton()).height).toBeLessThan(48)
    await ui.undoBar().getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
  }
})

describe('on a phone', () => {
  const backgroundOf = (name: string) => getComputedStyle(ui.rowOf(name).element()).backgroundColor

  test('selecting moves nothing, keeps the color of the row tapped last, and has every command in sight', async () => {
    await page.viewport(320, 640)
    await openRecords(makeEmployees(20))
    await expect.element(page.getByRole('button', { name: '20 weak' })).toBeVisible()
    const parts = () =>
      [ui.searchBox(), ui.sortSelect(), ui.button('Import'), ui.rowOf('Person 2')].map(boxOf)
    const before = parts()
    for (const name of ['Person 1', 'Person 2']) await ui.rowOf(name).getByRole('checkbox').click()
    const bar = page.getByRole('group', { name: 'Selected records' })
    await expect.element(bar).toMatchTextContent('2 selected')
    expect(parts()).toEqual(before)
    expect(backgroundOf('Person 2')).toBe(backgroundOf('Person 1'))
    expect(backgroundOf('Person 2')).not.toBe(backgroundOf('Person 3'))
    expect(boxOf(bar)).toMatchObject({ left: 0, right: 320, bottom: 640 })
    await bar.getByRole('button', { name: 'More actions' }).click()
    const menu = page.getByRole('group', { name: 'More actions' })
    await ui.expectTexts(menu.getByRole('listitem'), [
      'Select all',
      'Change passwords',
      'Hand over',
      'Copy emails',
      'Export',
      'Copy with passwords',
      'Delete',
    ])
    for (const button of bar
      .getByRole('button')
      .elements()
      .filter((button) => button.checkVisibility())) {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      expect(Math.min(right - left, bottom - top), button.outerHTML).toBeGreaterThanOrEqual(44)
      expect(left >= 0 && right <= 320 && top >= 0 && bottom <= 640, button.outerHTML).toBe(true)
    }
    await menu.getByRole('button', { name: 'Select all' }).click()
    await expect.element(bar).toMatchTextContent('20 selected')
    await expect.element(menu).not.toBeInTheDocument()
  })

  test('the menu of a selection opens and is walked with the arrow keys, and Escape closes it alone', async () => {
    await page.viewport(390, 844)
    await openRecords(makeEmployees(3))
    await ui.rowOf('Person 1').getByRole('checkbox').click()
    const button = page.getByRole('button', { name: 'More actions' })
    await ui.press(button, '{ArrowDown}')
    await expect.element(ui.button('Select all')).toHaveFocus()
    await ui.moveFocus('{ArrowUp}', page.getByRole('listitem').getByRole('button', { name: 'Delete' }))
    await ui.moveFocus('{Escape}', button)
    await expect.element(page.getByRole('group', { name: 'Selected records' })).toBeVisible()
  })

  test('an Undo stands above the actions of a selection', async () => {
    await page.viewport(390, 844)
    await openRecords(makeEmployees(5))
    await ui.rowButton('Person 3', 'Delete').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 3')
    await ui.rowOf('Person 1').getByRole('checkbox').click()
    const bar = page.getByRole('group', { name: 'Selected records' })
    await expect.element(bar).toBeVisible()
    expect(boxOf(ui.undoBar()).bottom).toBeLessThanOrEqual(boxOf(bar).top)
  })

  test.each([390, 320])(
    'on %i px the search has the whole width, chips a line that scrolls, and an email the edge of its name',
    async (width) => {
      await page.viewport(width, 844)
      await openRecords([ada, ...makeEmployees(3)])
      const chips = page.getByRole('group', { name: 'Passwords to replace' })
      const chip = chips.getByRole('button').first()
      await chip.click()
      await expect.element(chips.getByRole('button', { name: /^Change/ })).toBeVisible()
      expect(boxOf(ui.searchBox()).width).toBe(boxOf(ui.table()).width)
      expect(
        new Set(
          chips
            .getByRole('button')
            .elements()
            .map((each) => each.getBoundingClientRect().top),
        ).size,
      ).toBe(1)
      expect(boxOf(chip).height).toBe(44)
      const seen = getComputedStyle(chip.element(), '::before')
      expect(44 - Number.parseFloat(seen.top) - Number.parseFloat(seen.bottom)).toBe(28)
      expect(pageOverflow()).toBeLessThanOrEqual(0)
      chips.getByRole('button').last().element().scrollIntoView({ block: 'nearest' })
      expect(boxOf(chips.getByRole('button').last()).right).toBeLessThanOrEqual(width)
      const row = ui.rows().first()
      const [name, email] = ['bdi', '[data-text]'].map((part) => boxOf(row.getByCss(part)).left)
      expect(email).toBe(name)
    },
  )

  test.each([390, 320])(
    'on %i px emails have the whole width, and a revealed password moves no button',
    async (width) => {
      await page.viewport(width, 844)
      const long = named('Hubert', { email: 'hubert.wolfeschlegel@northwind-logistics.example' })
      await openRecords([long, ada, renamed('Maximiliane Freifrau von Oberndorff-Wittelsbach')])
      const row = ui.rowOf(long)
      const [text, name] = [row.getByCss('[data-text]'), row.getByRole('rowheader')]
      expect(boxOf(text).right).toBe(boxOf(row).right)
      expect(boxOf(text).top).toBeGreaterThan(boxOf(name).bottom - 1)
      const actions = (['Show password', 'Edit', 'Delete'] as const).map((action) =>
        ui.rowButton(long, action),
      )
      const before = actions.map(boxOf)
      expect(new Set(before.map(({ top }) => top)).size, 'one line').toBe(1)
      for (const [index, { left }] of before.entries())
        expect(left).toBeGreaterThanOrEqual(before[index - 1]?.right ?? boxOf(row.getByRole('textbox')).right)
      expect(before.at(-1)?.bottom).toBeLessThanOrEqual(boxOf(row).bottom)
      await actions[0]?.click()
      const field = row.getByRole('textbox')
      await expect.element(field).toHaveAttribute('type', 'text')
      expect(actions.map(boxOf)).toEqual(before)
      expect(Math.abs(boxOf(field).left - boxOf(text).left)).toBeLessThanOrEqual(1)
      const { left, top, height } = boxOf(field)
      expect(document.elementFromPoint(left + 1, top + height / 2)).toBe(field.element())
      expect(overflowOf(field.element().parentElement as Element), 'nothing to scroll to').toBe(0)
      expect(pageOverflow()).toBeLessThanOrEqual(0)
    },
  )

  test('the form is open without records, otherwise one line until it is wanted, and stays open with input', {
    tags: 'main',
  }, async () => {
    await page.viewport(390, 844)
    const { colleague } = await openRecords()
    await expect.element(ui.nameField()).toBeVisible()
    await colleague.add(ada)
    await expect.element(ui.nameField()).not.toBeVisible()
    await ui.button('Add a record').click()
    await expect.element(ui.nameField()).toHaveFocus()
    await expect.element(ui.button('Close the form')).toBeVisible()
    await ui.nameField().fill('Grace')
    await expect.element(ui.button('Close the form')).not.toBeInTheDocument()
    await ui.nameField().fill('')
    await ui.button('Close the form').click()
    await expect.element(ui.nameField()).not.toBeVisible()
  })

  test('rows are cards with the roles of a table, and every target is at least 44 px wide and high', {
    tags: 'main',
  }, async () => {
    await page.viewport(320, 720)
    await openRecords(edgeCaseEmployees)
    await expect.element(ui.rowOf(ada).getByRole('cell')).toHaveLength(4)
    const headers = ['#', 'Employee Name', 'Email', 'Password', 'Action']
    for (const name of headers) await expect.element(columnHeader(name)).toBeInTheDocument()
    await expect.element(columnHeader('Email').getByRole('button')).not.toBeInTheDocument()
    await ui.pressButtons('Add a record', 'Generate password')
    await expect.element(page.getByRole('group', { name: 'Password generator' })).toBeVisible()
    await ui.finishTransitions()
    const targets = page.getByCss('button, a, select, input:not([disabled], [type="checkbox"])').elements()
    const tooSmall = targets.filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && (width < 44 || height < 44)
    })
    expect(tooSmall.map(({ outerHTML }) => outerHTML)).toEqual([])
  })
})

describe('on any screen', () => {
  test('the line above an edited record names it and what was done, whatever the account is', async () => {
    const { client, colleague, find } = await openRecords([named('Grace Hopper')])
    for (const password of ['second', 'third']) await colleague.change('Grace Hopper', { password })
    const { id } = find('Grace Hopper')
    vi.spyOn(client.documents.history as HistoryService, 'details').mockResolvedValue([
      {
        id,
        changedAt: '2026-11-29T14:27:58.808Z',
        changedBy: 'carol.with.a.long.address.of.many.words@subsidiary.northwind-logistics.example',
        passwordChangedAt: '2026-11-29T14:27:58.808Z',
      },
    ])
    await ui.press(ui.rowButton('Grace Hopper', 'Edit'), '{Enter}')
    const changed = ui.form().getByRole('button', { name: /^Changed/ })
    const previous = ui.form().getByRole('button', { name: '2 previous passwords' })
    await expect.element(previous).toBeVisible()
    const name = ui.form().getByText('Editing Grace Hopper')
    await onWidths([1280, 960, 768], async (width) => {
      await expect
        .poll(() => overflowOf(name.element()), { message: `${width} px: the name` })
        .toBeLessThanOrEqual(0)
      const [nameBox, changedBox, previousBox] = [boxOf(name), boxOf(changed), boxOf(previous)]
      expect(nameBox.width, `${width} px: the name`).toBeGreaterThan(80)
      expect(nameBox.right, `${width} px: before the line`).toBeLessThanOrEqual(changedBox.left)
      expect(Math.abs(changedBox.top - previousBox.top), `${width} px: in one line`).toBeLessThan(2)
      expect(changedBox.right).toBeLessThanOrEqual(previousBox.left)
      expect(previousBox.right).toBeLessThanOrEqual(boxOf(ui.form()).right)
      expect(boxOf(ui.nameField()).top - boxOf(ui.form()).top, `${width} px: the fields`).toBeLessThan(60)
    })
  })

  test('a long name of an edited record is cut at its end, and not left out', async () => {
    const long = named('Grace Brewster Murray Hopper of the Navy')
    await openRecords([long])
    await ui.press(ui.rowButton(long, 'Edit'), '{Enter}')
    await expect.element(ui.form().getByCss('[data-about] button').first()).toBeVisible()
    const header = ui.form().getByCss('#form-header p')
    await onWidths([1280, 768, 390], (width) => {
      const name = header.getByCss('bdi')
      expect(boxOf(name).right, `${width} px`).toBeLessThanOrEqual(boxOf(header).right + 1)
      expect(boxOf(name).width, `${width} px`).toBeGreaterThan(80)
    })
  })

  test('a revealed password of 20 characters is seen whole', async () => {
    const generated = named('Generated', { password: 'W@mQ#G%M&w8W$mQ@GM%w' })
    await openRecords([ada, generated])
    await onWidths([1200, 960, 768, 390, 320], async (width) => {
      await expect.element(ui.rowOf(generated)).toBeVisible()
      await ui.rowButton(generated, 'Show password').click()
      const field = ui.rowOf(generated).getByRole('textbox')
      await expect.element(field).toHaveAttribute('type', 'text')
      const padding = Number.parseFloat(getComputedStyle(field.element()).paddingInlineEnd)
      const right = boxOf(field).right - padding
      const copy = boxOf(ui.rowButton(generated, 'Copy password'))
      const end = boxOf(field).bottom <= copy.top ? boxOf(ui.rowOf(generated)).right : copy.left
      expect(right, `${width} px: before the buttons, or above them`).toBeLessThanOrEqual(end)
      for (const x of [boxOf(field).left + 1, right - 1])
        expect(document.elementFromPoint(x, boxOf(field).top + 10), `${width} px`).toBe(field.element())
      await ui.rowButton(generated, 'Show password').click()
    })
  })

  test.each(['ltr', 'rtl'])(
    'a revealed password of 32 characters neither fades nor is cut (%s)',
    async (dir) => {
      document.documentElement.dir = dir
      const spoken = named('Spoken', { password: 'ribbon-falcon-meadow-991-harbour' })
      await openRecords([ada, spoken])
      await onWidths([1280, 960, 768], async (width) => {
        await expect.element(ui.rowOf(spoken)).toBeVisible()
        await ui.press(ui.rowButton(spoken, 'Show password'), '{Enter}')
        const field = ui.rowOf(spoken).getByRole('textbox')
        await expect.element(field).toHaveAttribute('type', 'text')
        const { left, right, top } = boxOf(field)
        const style = getComputedStyle(field.element())
        const [textLeft, textRight] = [
          left + Number.parseFloat(style.paddingLeft),
          right - Number.parseFloat(style.paddingRight),
        ]
        const copy = ui.rowButton(spoken, 'Copy password')
        const fade = Number.parseFloat(getComputedStyle(copy.element(), '::after').width)
        const distance = dir === 'ltr' ? boxOf(copy).left - textRight : textLeft - boxOf(copy).right
        expect(distance, `${width} px`).toBeGreaterThanOrEqual(fade - 1)
        for (const x of [textLeft + 1, textRight - 1])
          expect(document.elementFromPoint(x, top + 10), `${width} px`).toBe(field.element())
        await ui.press(ui.rowButton(spoken, 'Show password'), '{Enter}')
      })
    },
  )

  test('a revealed password on a card begins where the name does, beside the initials', async () => {
    await page.viewport(390, 844)
    await openRecords([ada])
    await ui.press(ui.rowButton(ada, 'Show password'), '{Enter}')
    const field = ui.rowOf(ada).getByRole('textbox')
    await expect.element(field).toHaveAttribute('type', 'text')
    const name = ui.rowOf(ada).getByRole('rowheader').getByText('Ada Lovelace')
    expect(Math.abs(boxOf(field).left - boxOf(name).left)).toBeLessThanOrEqual(1)
  })

  test('a pointed at email is whole up to its button, or ends with a sign', async () => {
    const [short, long] = [
      named('Short', { email: 'short@northwind-logistics.example' }),
      named('Long', { email: `${'long.'.repeat(20)}@northwind-logistics.example` }),
    ]
    await openRecords([short, long])
    for (const each of [short, long]) {
      await ui.rowOf(each).hover()
      const copy = ui.rowButton(each, 'Copy email')
      await expect.element(copy).toBeVisible()
      const text = ui.rowOf(each).getByText(each.email).element()
      const { textOverflow, paddingRight } = getComputedStyle(text)
      expect(textOverflow).toBe('ellipsis')
      const end = text.getBoundingClientRect().right - Number.parseFloat(paddingRight)
      expect(end).toBeLessThanOrEqual(boxOf(copy).left + 1)
      expect(getComputedStyle(copy.element(), '::after').backgroundImage).toBe('none')
    }
  })

  test('an email is shown in full at 768 px, and a revealed password can be scrolled to its end', async () => {
    const long = named('Long', { email: 'long@department.example', password: 'p4ss '.repeat(40) })
    await openRecords([ada, long])
    await onWidths([768, 1280, 320], async (width) => {
      await expect.element(ui.rowOf(long)).toBeVisible()
      if (width === 768) expect(overflowOf(ui.rowOf(long).getByText(long.email).element())).toBe(0)
      await ui.rowButton(long, 'Show password').click()
      await expect.element(ui.rowOf(long).getByRole('textbox')).toHaveAttribute('type', 'text')
      const field = ui.rowOf(long).getByRole('textbox').element()
      await expect.poll(() => overflowOf(field)).toBeLessThanOrEqual(1)
      const box = field.parentElement as HTMLElement
      const copyButton = box.querySelector('[data-action=copy-password]') as HTMLElement
      box.scrollLeft = box.scrollWidth
      const end = width === 320 ? boxOf(ui.rowOf(long)).right : copyButton.getBoundingClientRect().left
      const distance = end - field.getBoundingClientRect().right
      expect(distance, `${width} px`).toBeGreaterThanOrEqual(-1)
      const fade = getComputedStyle(copyButton, '::after')
      await expect.poll(() => getComputedStyle(copyButton, '::before').content).not.toBe('none')
      expect(fade.backgroundImage, `${width} px: a cut password fades out`).toContain('gradient')
      const fadeWidth = Number.parseFloat(fade.width)
      expect(fadeWidth).toBeGreaterThanOrEqual(16)
      const endPadding = Number.parseFloat(getComputedStyle(field).paddingInlineEnd)
      expect(endPadding, `${width} px: its end does not`).toBeGreaterThanOrEqual(fadeWidth)
      await ui.rowButton(long, 'Show password').click()
    })
  })

  test('no content is cut off horizontally with text at 200 %', async () => {
    await openRecords(edgeCaseEmployees)
    document.documentElement.style.fontSize = '200%'
    await onWidths([1280, 640, 320], (width) => expect(pageOverflow(), `${width} px`).toBeLessThanOrEqual(0))
  })

  test('from right to left the columns are in reverse order, and a name that does not fit keeps its beginning', async () => {
    await openRecords([renamed('عائشة بنت أبي بكر'.repeat(5))])
    const cell = ui.rows().getByRole('rowheader')
    const text = document.createTreeWalker(cell.element(), NodeFilter.SHOW_TEXT).nextNode() as Text
    const firstLetter = document.createRange()
    await onWidths([390, 768, 1280], (width) => {
      firstLetter.setStart(text, 0)
      firstLetter.setEnd(text, 1)
      expect(firstLetter.getBoundingClientRect().right, `${width} px`).toBeLessThanOrEqual(boxOf(cell).right)
    })
    document.documentElement.dir = 'rtl'
    expect(boxOf(columnHeader('#')).x).toBeGreaterThan(boxOf(columnHeader('Employee Name')).x)
    expect(boxOf(columnHeader('Employee Name')).x).toBeGreaterThan(boxOf(columnHeader('Action')).x)
  })

  test('the toolbar has the chips beside the count, and no icon on a line of its own', async () => {
    await openRecords([ada, { ...ada, password: '123456' }, named('C', { password: '123456' })])
    const chips = page.getByRole('group', { name: 'Passwords to replace' })
    await expect.element(chips).toBeVisible()
    await expect.element(ui.button('Keyboard shortcuts')).not.toBeInTheDocument()
    const count = page.getByRole('paragraph').filter({ hasText: '3 records' }).first()
    await onWidths([1024, 1280, 1920], (width) =>
      expect(boxOf(chips).left - boxOf(count).right, `${width} px`).toBeLessThan(16),
    )
    await onWidths([320, 390], (width) => {
      expect(boxOf(ui.button('Import')).top, `${width} px`).toBe(boxOf(ui.button('Export')).top)
      expect(boxOf(ui.button('Import')).top, `${width} px`).toBeLessThan(boxOf(heading()).bottom)
    })
  })

  test('what the search says it finds is read whole beside two chips, or not shown', async () => {
    await openRecords([ada, { ...ada, password: '123456' }, named('C', { password: '123456' })])
    await expect.element(page.getByRole('button', { name: '2 reused' })).toBeVisible()
    const input = ui.searchBox().element() as HTMLInputElement
    const letters = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const readPlaceholder = () => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      letters.font = font
      const isShown = getComputedStyle(input, '::placeholder').opacity !== '0'
      return { isShown, isWhole: letters.measureText(input.placeholder).width <= room }
    }
    await onWidths(
      [1280, 1152, 1100, 1000, 900, 860, 820, 780, 740, 704, 640, 600, 500, 390, 320],
      (width) => {
        const { isShown, isWhole } = readPlaceholder()
        expect(isWhole || !isShown, `${width} px`).toBe(true)
        if (width === 1280 || width === 390) expect(isShown).toBe(true)
      },
    )
    await page.viewport(1280, 900)
    for (const [lang, text] of [
      ['de', 'Name oder E-Mail'],
      ['es', 'Nombre o correo'],
      ['fr', 'Nom ou e-mail'],
      ['pt-BR', 'Nome ou e-mail'],
    ] as const) {
      document.documentElement.lang = lang
      input.placeholder = text
      expect(readPlaceholder(), lang).toEqual({ isShown: true, isWhole: true })
    }
    document.documentElement.lang = 'en'
  })

  test('a pressed chip moves neither the search nor the sort order', async () => {
    await openRecords([ada, { ...ada, password: '123456' }, named('C', { password: '123456' })])
    const chip = page.getByRole('button', { name: '2 reused' })
    const start = ui.button('Change 2…')
    await expect.element(chip).toBeVisible()
    const measure = () => [ui.searchBox(), ui.sortSelect()].map(boxOf).map(({ left, width }) => [left, width])
    await onWidths([1280, 1279, 1152, 1100, 960], async (width) => {
      const before = measure()
      await chip.click()
      await expect.element(start).toBeVisible()
      expect(measure(), `${width} px`).toEqual(before)
      expect(boxOf(start).right, `${width} px`).toBeLessThan(boxOf(ui.searchBox()).left)
      await chip.click()
      await expect.element(start).not.toBeInTheDocument()
    })
  })

  test('what narrows and sorts the table moves no row, and covers no other button', async () => {
    const strong = { password: 'nine-lamps-Q7-on-the-quay' }
    await openRecords([{ ...ada, ...strong }, named('Bo', { password: '123456' }), named('Cy', strong)])
    const chip = page.getByRole('button', { name: '1 weak' })
    const top = () => boxOf(ui.rows().first()).top
    await expect.element(chip).toBeVisible()
    await onWidths([320, 390, 704, 768, 900, 1280], async (width) => {
      const before = top()
      await chip.click()
      await ui.sortSelect().selectOptions('Last changed')
      await expect.element(ui.rows()).toHaveLength(1)
      expect(top(), `${width} px`).toBe(before)
      const headers = page.getByRole('columnheader').getByRole('button').all()
      for (const other of [...headers, chip, ui.button('Import'), ui.button('Export')])
        expect(overlaps(boxOf(ui.sortSelect()), boxOf(other)), `${width} px`).toBe(false)
      await chip.click()
      await ui.sortSelect().selectOptions('Oldest first')
      await expect.element(ui.rows()).toHaveLength(3)
    })
  })

  test('searching a thousand records moves no row at 320 px', async () => {
    await page.viewport(320, 900)
    await openRecords(makeEmployees(1_000))
    const top = () => boxOf(ui.rows().first()).top
    await expect.element(page.getByRole('button', { name: '1,000 weak' })).toBeVisible()
    const before = top()
    const announced = recordAnnouncements()
    await ui.searchBox().fill('person 1')
    await expect.poll(() => announced).toContainEqual(expect.stringMatching(/^\d+ of 1,000 found$/))
    expect(top()).toBe(before)
  })

  test('the account is shown whole, with a long email and text at 200 %', async () => {
    const email = `${'very-long-name-'.repeat(4)}@example.com`
    const { reload } = await openRecords()
    localStorage.setItem('user', JSON.stringify({ ...JSON.parse(localStorage.user), email }))
    await reload()
    const user = page.getByText(`Logged in as: ${email}`)
    await expect.element(user).toBeVisible()
    for (const [width, fontSize] of [
      [320, 16],
      [700, 16],
      [700, 32],
      [1280, 32],
    ] as const) {
      await page.viewport(width, 800)
      await commands.setFontSize(fontSize)
      expect(overflowOf(user.element()), `${width} px`).toBeLessThanOrEqual(0)
      expect(pageOverflow(), `${width} px`).toBeLessThanOrEqual(0)
    }
  })

  test('in forced colours the number of a row is whole, and gives way to the box that selects it', async () => {
    await commands.emulateMedia({ forcedColors: 'active' })
    const tenth = named('Tenth')
    await openRecords([...makeEmployees(9), tenth])
    const row = ui.rowOf(tenth)
    await expect.element(row).toBeVisible()
    const number = row.element().querySelector('td') as HTMLElement
    const box = number.querySelector('input') as HTMLInputElement
    const look = () => [getComputedStyle(number).color === 'rgba(0, 0, 0, 0)', getComputedStyle(box).opacity]
    expect(overflowOf(number)).toBeLessThanOrEqual(0)
    expect(look()).toEqual([false, '0'])
    await userEvent.hover(row)
    await expect.poll(look).toEqual([true, '1'])
    expect(overflowOf(number)).toBeLessThanOrEqual(0)
  })

  test('in forced colours a revealed password is as readable as the other cells, and the edited row is marked', async () => {
    await openRecords([ada])
    await commands.emulateMedia({ forcedColors: 'active' })
    await ui.rowButton(ada, 'Show password').click()
    const colorOf = (locator: Locator) => getComputedStyle(locator.element()).color
    // Once the transition has ended.
    const emailColor = colorOf(ui.rowOf(ada).getByText(ada.email))
    await expect.poll(() => colorOf(ui.rowOf(ada).getByRole('textbox'))).toBe(emailColor)
    await ui.rowButton(ada, 'Edit').click()
    await expect.poll(() => getComputedStyle(ui.rowOf(ada).element()).outlineStyle).toBe('dashed')
  })

  test('a success message does not have the colour of a warning', async () => {
    const backgroundOf = (text: string) =>
      getComputedStyle(page.getByRole('status').filter({ hasText: text }).element()).backgroundColor
    const { client } = await openPage('/')
    await fillAccount()
    await ui.button('Sign Up').click()
    await expect.element(page.getByText('Your account is ready')).toBeVisible()
    const success = backgroundOf('Your account is ready')
    await signIn()
    await expect.element(ui.form()).toBeVisible()
    await client.cutNetwork()
    await expect.element(page.getByText('The server isn’t available.')).toBeVisible()
    expect(backgroundOf('The server isn’t available.')).not.toBe(success)
  })
})

describe('with a browser text size of 200 %', () => {
  test.each([360, 320])(
    'on a phone of %i px the records can be read and the form be filled',
    async (width) => {
      await commands.setFontSize(32)
      await page.viewport(width, 740)
      await openRecords([ada, ...makeEmployees(20)])
      expect(getComputedStyle(document.documentElement).fontSize).toBe('32px')
      expect(pageOverflow()).toBeLessThanOrEqual(0)

      const accountWidth = boxOf(page.getByText(/^Logged in as/)).width
      expect(accountWidth, 'whose account it is').toBeGreaterThan(width / 2)
      const nameWidth = boxOf(ui.rowOf(ada).getByRole('rowheader')).width
      expect(nameWidth, 'the name of a card').toBeGreaterThan(width / 2)
      const passwordWidth = boxOf(ui.rowOf(ada).getByRole('textbox')).width
      expect(passwordWidth, 'the password of a card').toBeGreaterThan(width / 3)

      await ui.button('Add a record').click()
      const input = ui.passwordField().element()
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(input)
      const textWidth =
        input.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
      expect(textWidth, 'the password in the form').toBeGreaterThan(width / 2)
      const eye = boxOf(ui.form().getByRole('button', { name: 'Show password' }))
      expect(eye.top, 'the eye is below the field').toBeGreaterThanOrEqual(boxOf(ui.passwordField()).bottom)

      const formHeading = page.getByRole('heading', { name: 'Employee Data Form' })
      const headingText = document.createRange()
      headingText.selectNodeContents(formHeading.element())
      expect(headingText.getBoundingClientRect().right).toBeLessThanOrEqual(boxOf(formHeading).right)

      await ui.fillForm({ ...ada, password: 'Sunshine42!' })
      await expect.element(ui.form().getByText('very common word')).toBeVisible()
      const { left, right } = boxOf(ui.form())
      for (const part of ui.form().getByCss('*').elements()) {
        const box = part.getBoundingClientRect()
        expect(box.left >= left && box.right <= right, `in the card: ${part.outerHTML}`).toBe(true)
      }

      await ui.searchBox().fill('nobody')
      await expect.element(page.getByText('No results for')).toBeVisible()
      expect(pageOverflow()).toBeLessThanOrEqual(0)
      await ui.searchBox().fill('')
      await expect.element(ui.rowOf('Person 10')).toBeInTheDocument()
      ui.rowOf('Person 10').element().scrollIntoView()
      expect(boxOf(heading()).bottom, 'the heading scrolls away').toBeLessThanOrEqual(0)
    },
  )
})
