// The page on screens of different widths, text sizes and writing directions.
import { afterEach, describe, expect, test } from 'vitest'
import { commands, type Locator, page, userEvent } from 'vitest/browser'
import {
  ada,
  alan,
  edgeCaseEmployees,
  grace,
  makeEmployees,
  named,
  nameOf,
  renamed,
} from '../support/people.ts'
import { openPage, openRecords, signIn } from '../support/render.tsx'
import {
  button,
  fillForm,
  form,
  nameField,
  passwordField,
  rowButton,
  rowOf,
  rows,
  searchBox,
  table,
} from './elements.ts'

const boxOf = (locator: Locator) => locator.element().getBoundingClientRect()
const columnHeader = (name: string) => table().getByRole('columnheader', { name, exact: true })
const overlaps = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
/** How far an element's content extends beyond it, in px. */
const overflowOf = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
const pageOverflow = () => document.documentElement.scrollWidth - innerWidth

async function openEdgeCases() {
  await openRecords(edgeCaseEmployees)
  await expect.element(rows()).toHaveLength(edgeCaseEmployees.length)
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
  const rowsInSight = () => rows().elements().filter(isInSight)

  test('the first screen shows enough of them', async () => {
    await openRecords(makeEmployees(300))
    for (const [width, height, atLeast] of [
      [1200, 800, 10],
      [768, 1024, 13],
      [390, 844, 4],
      [320, 640, 2],
    ] as const) {
      await page.viewport(width, height)
      await expect
        .poll(() => rowsInSight().length, { message: `${width} px` })
        .toBeGreaterThanOrEqual(atLeast)
      expect(pageOverflow(), `${width} px`).toBeLessThanOrEqual(0)
    }
  })

  test.each([1200, 390])(
    'on %i px the title, the count, the search and the header stay while the rows scroll',
    async (width) => {
      await page.viewport(width, 800)
      await openRecords(makeEmployees(300))
      await expect.element(rowOf('Person 5')).toBeInTheDocument()
      scrollTo({ top: 5_000, behavior: 'instant' })
      await expect.element(rowOf('Person 5')).not.toBeInTheDocument()
      const heading = page.getByRole('heading', { name: 'Employee Records' })
      for (const part of [
        heading,
        page.getByText('300 records', { exact: true }).first(),
        searchBox(),
        columnHeader('Email'),
      ])
        expect(isInSight(part.element())).toBe(true)
    },
  )

  test.each([1200, 768, 390])(
    'on %i px, editing row 114 names the record and keeps its row in sight, and Cancel returns to it from anywhere',
    async (width) => {
      await page.viewport(width, 844)
      await openRecords(makeEmployees(300))
      await expect.element(rowOf('Person 5')).toBeInTheDocument()
      const height = boxOf(rowOf('Person 5')).top - boxOf(rowOf('Person 4')).top
      scrollTo({ top: 100 * height, behavior: 'instant' })
      await expect.element(rowOf('Person 113')).toBeInTheDocument()
      rowOf('Person 113').element().scrollIntoView({ block: 'center' })
      const before = boxOf(rowOf('Person 113')).top
      for (const topRow of [null, 0, 250]) {
        await button('Edit Person 113').click()
        await expect.element(form().getByText('Editing Person 113')).toBeVisible()
        await expect.element(nameField()).toHaveFocus()
        expect(isInSight(nameField().element())).toBe(true)
        await expect.poll(() => isInSight(rowOf('Person 113').element())).toBe(true)
        if (topRow === null) {
          const moved = () => Math.abs(boxOf(rowOf('Person 113')).top - before)
          if (width === 1200) await expect.poll(moved).toBeLessThanOrEqual(1)
        } else {
          scrollTo({ top: topRow * height, behavior: 'instant' })
          await expect.element(rowOf(`Person ${topRow + 1}`)).toBeInTheDocument()
        }
        await button('Cancel').click()
        await expect.element(rowOf('Person 113')).toHaveFocus()
        await expect.poll(() => isInSight(rowOf('Person 113').element())).toBe(true)
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
    await expect.element(rowOf(ada)).toBeVisible()
    await rowButton(ada, 'Edit').click()
    await expect.element(nameField()).toHaveFocus()
    const getGap = () => boxOf(rowOf(ada)).top - boxOf(form()).bottom
    await expect.poll(getGap).toBeGreaterThanOrEqual(0)
    expect(boxOf(rowOf(ada)).bottom).toBeLessThanOrEqual(height)
  },
)

test('a row that a colleague has changed glows once, and no other', async () => {
  const { backend, colleague } = await openRecords([ada, grace])
  await expect.element(rowOf(grace)).toBeVisible()
  const stored = backend.employees()[1]
  await colleague.documents.update(stored?.id ?? '', renamed('Admiral', grace))
  await expect.element(rowOf('Admiral')).toHaveAttribute('data-changed', 'true')
  await expect.element(rowOf(ada)).toHaveAttribute('data-changed', 'false')
  await expect.element(rowOf('Admiral')).toHaveAttribute('data-changed', 'false')
})

test.each([1200, 768, 390])(
  'on %i px the password generator moves nothing, nor do the hints where there is space for them',
  async (width) => {
    await page.viewport(width, 844)
    await openRecords([ada])
    await expect.element(rowOf(ada)).toBeVisible()
    if (width === 390) await button('Add a record').click()
    const measure = () => [boxOf(table()).top, boxOf(form()).height]
    const before = measure()
    const generator = page.getByRole('group', { name: 'Password generator' })
    await button('Generate password').click()
    await expect.element(generator).toBeVisible()
    expect(measure()).toEqual(before)
    await userEvent.keyboard('{Escape}')
    await expect.element(generator).not.toBeInTheDocument()
    if (width === 390) return
    await fillForm({ ...ada, password: 'password1' })
    await expect.element(page.getByText('Already in the register:')).toBeVisible()
    await expect.element(page.getByText('contains a very common word')).toBeVisible()
    expect(measure()).toEqual(before)
  },
)

describe('on a phone', () => {
  test('the form is one line until it is wanted, and stays open while it has input', async () => {
    await page.viewport(390, 844)
    await openRecords([ada])
    await expect.element(rowOf(ada)).toBeVisible()
    await expect.element(nameField()).not.toBeVisible()
    await button('Add a record').click()
    await expect.element(nameField()).toHaveFocus()
    await expect.element(button('Close the form')).toBeVisible()
    await nameField().fill('Grace')
    await expect.element(button('Close the form')).not.toBeInTheDocument()
    await nameField().fill('')
    await button('Close the form').click()
    await expect.element(nameField()).not.toBeVisible()
  })

  test('the form is open while there are no records', async () => {
    await page.viewport(390, 844)
    await openRecords()
    await expect.element(nameField()).toBeVisible()
  })

  test('rows are cards with the roles of a table, and every target is at least 44 px wide and high', async () => {
    await page.viewport(320, 720)
    await openEdgeCases()
    const headers = table().getByRole('columnheader').elements()
    expect(headers.map(({ textContent }) => textContent?.trim())).toEqual([
      '#',
      'Employee Name',
      'Email',
      'Password',
      'Action',
    ])
    await expect.element(rowOf(ada).getByRole('cell')).toHaveLength(4)
    await button('Add a record').click()
    await button('Generate password').click()
    await expect.element(page.getByRole('group', { name: 'Password generator' })).toBeVisible()
    const tooSmall = page
      .getByCss('button, a, select, input:not([disabled], [type="checkbox"])')
      .elements()
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`)
    expect(tooSmall).toEqual([])
  })

  test('the sort buttons are complete while the search finds nobody', async () => {
    await page.viewport(390, 720)
    await openRecords([ada])
    await searchBox().fill('nobody')
    await expect.element(page.getByText('No results for')).toBeVisible()
    for (const header of table().getByCss('th[data-sortable=true]').elements())
      expect(getComputedStyle(header).borderBottomWidth).toBe('1px')
  })
})

describe('on any screen', () => {
  test('only a text that is cut off has a title', async () => {
    const long = named('Long '.repeat(40).trim(), { email: `${'long'.repeat(16)}@example.com` })
    await openRecords([ada, long])
    for (const record of [ada, long]) {
      for (const [cell, text] of [
        [rowOf(record).getByRole('rowheader'), nameOf(record)],
        [rowOf(record).getByText(record.email), record.email],
      ] as const) {
        await page.getByRole('heading', { name: 'Employee Records' }).hover()
        await cell.hover()
        if (record === ada) await expect.element(cell).not.toHaveAttribute('title')
        else await expect.element(cell).toHaveAttribute('title', text)
      }
    }
  })

  test('an email is shown in full at 768 px, and a revealed password can be scrolled to its end', async () => {
    const long = named('Long', { email: 'long@department.example', password: 'p4ss '.repeat(40) })
    await openRecords([ada, long])
    for (const width of [768, 1280, 320]) {
      await page.viewport(width, 800)
      await expect.element(rowOf(long)).toBeVisible()
      if (width === 768) expect(overflowOf(rowOf(long).getByText(long.email).element())).toBe(0)
      await rowButton(long, 'Show password').click()
      await expect.element(rowOf(long).getByRole('textbox')).toHaveAttribute('type', 'text')
      const field = rowOf(long).getByRole('textbox').element()
      await expect.poll(() => overflowOf(field)).toBeLessThanOrEqual(1)
      const box = field.parentElement as HTMLElement
      const copyButton = box.querySelector('[data-action=copy-password]') as HTMLElement
      box.scrollLeft = box.scrollWidth
      const distance = copyButton.getBoundingClientRect().left - field.getBoundingClientRect().right
      expect(distance, `${width} px`).toBeGreaterThanOrEqual(-1)
      const fade = getComputedStyle(copyButton, '::after')
      await expect.poll(() => getComputedStyle(copyButton, '::before').content).not.toBe('none')
      expect(fade.backgroundImage, `${width} px: a cut password fades out`).toContain('gradient')
      expect(Number.parseFloat(fade.width)).toBeGreaterThanOrEqual(16)
      const endPadding = Number.parseFloat(getComputedStyle(field).paddingInlineEnd)
      expect(endPadding, `${width} px: its end does not`).toBeGreaterThanOrEqual(
        Number.parseFloat(fade.width),
      )
      await rowButton(long, 'Show password').click()
    }
  })

  test('no content is cut off horizontally with text at 200 %', async () => {
    await openEdgeCases()
    document.documentElement.style.fontSize = '200%'
    for (const width of [1280, 640, 320]) {
      await page.viewport(width, 800)
      expect(pageOverflow(), `${width} px`).toBeLessThanOrEqual(0)
    }
  })

  test('the columns are in reverse order from right to left', async () => {
    await openRecords([ada, grace])
    await expect.element(rows()).toHaveLength(2)
    document.documentElement.dir = 'rtl'
    expect(boxOf(columnHeader('#')).x).toBeGreaterThan(boxOf(columnHeader('Employee Name')).x)
    expect(boxOf(columnHeader('Employee Name')).x).toBeGreaterThan(boxOf(columnHeader('Action')).x)
  })

  test('a name from right to left that does not fit keeps its beginning', async () => {
    await openRecords([renamed('عائشة بنت أبي بكر'.repeat(5))])
    await expect.element(rows()).toHaveLength(1)
    const cell = rows().getByRole('rowheader')
    for (const width of [390, 768, 1280]) {
      await page.viewport(width, 800)
      const text = document.createTreeWalker(cell.element(), NodeFilter.SHOW_TEXT).nextNode() as Text
      const range = document.createRange()
      range.setStart(text, 0)
      range.setEnd(text, 1)
      expect(range.getBoundingClientRect().right, `${width} px`).toBeLessThanOrEqual(boxOf(cell).right)
    }
  })

  test('the toolbar has the chips beside the count, and no icon on a line of its own', async () => {
    await openRecords([ada, { ...grace, password: '123456' }, named('C', { password: '123456' })])
    const chips = page.getByRole('group', { name: 'Passwords to replace' })
    await expect.element(chips).toBeVisible()
    await expect.element(button('Keyboard shortcuts')).not.toBeInTheDocument()
    const count = page.getByText('3 records', { exact: true }).first()
    for (const width of [1024, 1280, 1920]) {
      await page.viewport(width, 800)
      expect(boxOf(chips).left - boxOf(count).right, `${width} px`).toBeLessThan(16)
    }
    for (const width of [320, 390]) {
      await page.viewport(width, 800)
      const tops = [button('Import'), button('Export')].map((part) => boxOf(part).top)
      expect(new Set(tops).size, `${width} px`).toBe(1)
      expect(tops[0], `${width} px`).toBeLessThan(
        boxOf(page.getByRole('heading', { name: 'Employee Records' })).bottom,
      )
    }
  })

  test('what narrows and sorts the table moves no row, and covers no other button', async () => {
    const strong = 'nine-lamps-Q7-on-the-quay'
    await openRecords([
      { ...ada, password: strong },
      { ...grace, password: '123456' },
      { ...alan, password: `${strong}!` },
    ])
    const chip = page.getByRole('button', { name: '1 weak' })
    const sort = page.getByRole('button', { name: /^Last changed/ })
    const top = () => boxOf(rows().first()).top
    await expect.element(chip).toBeVisible()
    for (const width of [320, 390, 704, 768, 900, 1280]) {
      await page.viewport(width, 900)
      const before = top()
      await chip.click()
      await sort.click()
      await expect.element(sort).toHaveAccessibleName('Last changed, newest first')
      await expect.element(rows()).toHaveLength(1)
      expect(top(), `${width} px`).toBe(before)
      const headers = page.getByRole('columnheader').getByRole('button').all()
      const buttons = [...headers, chip, button('Import'), button('Export')]
      for (const other of buttons) expect(overlaps(boxOf(sort), boxOf(other)), `${width} px`).toBe(false)
      await chip.click()
      await sort.click()
      await sort.click()
      await expect.element(rows()).toHaveLength(3)
    }
  })

  test('searching a thousand records moves no row at 320 px', async () => {
    await page.viewport(320, 900)
    await openRecords(makeEmployees(1_000))
    const top = () => boxOf(rows().first()).top
    await expect.element(page.getByText('1,000 records')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '1,000 weak' })).toBeVisible()
    const before = top()
    await userEvent.fill(searchBox(), 'person 1')
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

  test('theme-color follows the chosen theme', async () => {
    const metas = ['light', 'dark'].map((theme) => {
      const meta = document.createElement('meta')
      meta.name = 'theme-color'
      meta.media = `(prefers-color-scheme: ${theme})`
      meta.dataset.theme = theme
      return meta
    })
    document.head.append(...metas)
    await openRecords([ada])
    const getActive = () =>
      metas.filter(({ media }) => matchMedia(media).matches).map(({ dataset }) => dataset.theme)
    await button('Account menu').click()
    for (const theme of ['dark', 'light']) {
      await page.getByLabelText('Theme').selectOptions(theme)
      await expect.poll(getActive).toEqual([theme])
    }
    await page.getByLabelText('Theme').selectOptions('system')
    await commands.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(getActive).toEqual(['dark'])
    for (const meta of metas) meta.remove()
  })

  test('in forced colours a revealed password is as readable as the other cells, and the edited row is marked', async () => {
    await openRecords([ada])
    await commands.emulateMedia({ forcedColors: 'active' })
    await rowButton(ada, 'Show password').click()
    const row = rowOf(ada)
    const colorOf = (locator: Locator) => getComputedStyle(locator.element()).color
    // Once the transition has ended.
    await expect.poll(() => colorOf(row.getByRole('textbox'))).toBe(colorOf(row.getByText(ada.email)))
    await rowButton(ada, 'Edit').click()
    await expect.poll(() => getComputedStyle(row.element()).outlineStyle).toBe('dashed')
  })

  test('a success message does not have the colour of a warning', async () => {
    const backgroundOf = (text: string) =>
      getComputedStyle(page.getByRole('status').filter({ hasText: text }).element()).backgroundColor
    const { client } = await openPage('/')
    await page.getByLabelText('Email').fill('new@example.com')
    await page.getByLabelText('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect.element(page.getByText('Your account is ready')).toBeVisible()
    const success = backgroundOf('Your account is ready')
    await signIn({ email: 'new@example.com', password: 'a long password' })
    await expect.element(form()).toBeVisible()
    await client.cutNetwork()
    await expect.element(page.getByText('No connection to the register')).toBeVisible()
    expect(backgroundOf('No connection to the register')).not.toBe(success)
  })
})

describe('with a browser text size of 200 %', () => {
  test.each([360, 320])(
    'on a phone of %i px the records can be read and the form be filled',
    async (width) => {
      await commands.setFontSize(32)
      await page.viewport(width, 740)
      await openRecords([ada, ...makeEmployees(20)])
      await expect.element(rows().first()).toBeVisible()
      expect(getComputedStyle(document.documentElement).fontSize).toBe('32px')
      expect(pageOverflow()).toBeLessThanOrEqual(0)

      const nameWidth = boxOf(rowOf(ada).getByRole('rowheader')).width
      expect(nameWidth, 'the name of a card').toBeGreaterThan(width / 2)
      const passwordWidth = boxOf(rowOf(ada).getByRole('textbox')).width
      expect(passwordWidth, 'the password of a card').toBeGreaterThan(width / 3)

      await button('Add a record').click()
      const input = passwordField().element()
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(input)
      const textWidth =
        input.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
      expect(textWidth, 'the password in the form').toBeGreaterThan(width / 2)
      const eye = boxOf(form().getByRole('button', { name: 'Show password' }))
      expect(eye.top, 'the eye is below the field').toBeGreaterThanOrEqual(boxOf(passwordField()).bottom)

      const heading = page.getByRole('heading', { name: 'Employee Data Form' }).element()
      const headingText = document.createRange()
      headingText.selectNodeContents(heading)
      expect(headingText.getBoundingClientRect().right).toBeLessThanOrEqual(
        heading.getBoundingClientRect().right,
      )

      await fillForm({ ...ada, password: 'Sunshine42!' })
      await expect.element(form().getByText('very common word')).toBeVisible()
      const { left, right } = boxOf(form())
      const outside = [...form().element().querySelectorAll('*')].filter((part) => {
        const box = part.getBoundingClientRect()
        return box.left < left || box.right > right
      })
      expect(
        outside.map(({ outerHTML }) => outerHTML),
        'outside the card of the form',
      ).toEqual([])

      await searchBox().fill('nobody')
      await expect.element(page.getByText('No results for')).toBeVisible()
      expect(pageOverflow()).toBeLessThanOrEqual(0)
      await searchBox().fill('')
      await expect.element(rowOf('Person 10')).toBeInTheDocument()
      rowOf('Person 10').element().scrollIntoView()
      expect(boxOf(columnHeader('#')).bottom, 'the header scrolls away').toBeLessThanOrEqual(0)
    },
  )
})
