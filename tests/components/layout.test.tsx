// The page on screens of different widths, text sizes and writing directions.
import { afterEach, describe, expect, test } from 'vitest'
import { commands, type Locator, page, userEvent } from 'vitest/browser'
import { afterPaint } from '../../web/lib/dom.ts'
import { ada, edgeCaseEmployees, grace, makeEmployees, named, nameOf, renamed } from '../support/people.ts'
import { fillAccount, openPage, openRecords, signIn } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
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

describe('of 300 records', () => {
  const isInSight = (element: Element) => {
    const { x, width, top, bottom } = element.getBoundingClientRect()
    const isUncovered = (y: number) => element.contains(document.elementFromPoint(x + width / 2, y))
    return isUncovered(top + 2) && isUncovered(bottom - 2)
  }

  const screens: [width: number, height: number, atLeast: number, top: number][] = [
    [1200, 800, 14, 235],
    [768, 1024, 16, 250],
    [390, 844, 6, 230],
    [320, 640, 3, 270],
  ]
  test.each(sample(screens, 2))(
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

  test.each(sample([1200, 768, 390], 2))(
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

test.each(sample([1200, 768, 390], 2))(
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

describe('on a phone', () => {
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
  test('only a text that is cut off has a title', async () => {
    const long = named('Long '.repeat(40).trim(), { email: `${'long'.repeat(16)}@example.com` })
    await openRecords([ada, long])
    for (const record of [ada, long]) {
      const [name, email] = [
        ui.rowOf(record).getByRole('rowheader'),
        ui.rowOf(record).getByText(record.email),
      ]
      for (const [cell, text] of [
        [name, nameOf(record)],
        [email, record.email],
      ] as const) {
        await heading().hover()
        await cell.hover()
        if (record === ada) await expect.element(cell).not.toHaveAttribute('title')
        else await expect.element(cell).toHaveAttribute('title', text)
      }
    }
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
      const buttons = boxOf(ui.rowButton(generated, 'Copy password')).left
      expect(right, `${width} px: before the buttons`).toBeLessThanOrEqual(buttons)
      for (const x of [boxOf(field).left + 1, right - 1])
        expect(document.elementFromPoint(x, boxOf(field).top + 10), `${width} px`).toBe(field.element())
      await ui.rowButton(generated, 'Show password').click()
    })
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
      const distance = copyButton.getBoundingClientRect().left - field.getBoundingClientRect().right
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
    await ui.searchBox().fill('person 1')
    await expect.element(page.getByRole('status').getByText(/^[\d,]+ of 1,000 found$/)).toBeInTheDocument()
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
    await expect.element(page.getByText('You’re offline.')).toBeVisible()
    expect(backgroundOf('You’re offline.')).not.toBe(success)
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
