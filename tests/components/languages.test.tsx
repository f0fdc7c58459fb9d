// The page in a language whose texts are 40 % longer than the English ones.
import compile from 'icu-minify/compile'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { setCatalog } from '../../web/language/translate.ts'
import { account, ada, grace, makeEmployees, type Named, nameOf } from '../support/people.ts'
import { openPage, openRecords } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
import * as ui from './elements.ts'

/** Returns a longer text, with a mark at its end. It has the placeholders of the text, and breaks at as many places. */
function lengthen(text: string): string {
  const branches = text.replaceAll(/<.*?>/g, '').split(/\{\w+, (?:plural|select),|[=\w]+ \{|\}/)
  // Signs such as # are the same in all languages.
  if (!/\p{L}/u.test(text)) return text
  const length = Math.max(...branches.map((branch) => branch.length))
  return `${text}${'aaaaaa '
    .repeat(length)
    .slice(0, Math.ceil(length * 0.4))
    .trimEnd()}ẍ`
}

beforeEach(async () => {
  const texts = await commands.readTexts()
  setCatalog(texts.map((text) => compile(lengthen(text))))
})
afterEach(() => setCatalog(null))

const menuItems = [
  'Change password',
  'Sessions and passkeys',
  'Team',
  'Activity',
  'Recently deleted',
  'Keyboard shortcuts',
  'Help',
]

const button = (text: string) => page.getByRole('button', { name: lengthen(text), exact: true })

/** The button of a row. */
const named = (text: string, record: Named) =>
  page.getByRole('button', { name: lengthen(text).replace('{name}', nameOf(record)), exact: true })

/** The boxes in which an element must be to be seen: those of ancestors that clip, and the window. A strip of buttons scrolls. */
function findClippingBoxes(element: Element): { left: number; right: number }[] {
  const { overflowX, scrollbarWidth } = getComputedStyle(element)
  if (overflowX === 'auto' && scrollbarWidth === 'none') return []
  const own = overflowX === 'visible' ? [] : [element.getBoundingClientRect()]
  const { parentElement } = element
  return [...own, ...(parentElement ? findClippingBoxes(parentElement) : [{ left: 0, right: innerWidth }])]
}

/** The translated texts of which a part can't be seen: outside the window, or of an ancestor. */
function findCutTexts(): string[] {
  const cut: string[] = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const parent = node.parentElement
    if (
      !parent?.checkVisibility() ||
      parent.closest('option, .visually-hidden') ||
      !/ẍ/.test(node.textContent ?? '')
    )
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right } = range.getBoundingClientRect()
    const boxes = findClippingBoxes(parent)
    const box = parent.closest('button')?.getBoundingClientRect()
    if (box) boxes.push(box)
    // A box of 1 px has a text for screen readers.
    if (boxes.some((box) => box.right - box.left <= 1)) continue
    if (boxes.some((box) => left < box.left - 1 || right > box.right + 1))
      cut.push(`${node.textContent} in ${parent.outerHTML.slice(0, 120)}`)
  }
  return cut
}

/** Checks a state at the smallest width and another. `prepare` runs before, to open what closes when the width changes. */
async function expectNothingCut(state: string, prepare = async () => {}) {
  for (const width of sample([320, 390, 768, 1200], 1, { salt: state, isCorner: (width) => width === 320 })) {
    await page.viewport(width, 800)
    await prepare()
    await ui.finishTransitions()
    expect(document.body.textContent, state).toContain('ẍ')
    expect.soft(findCutTexts(), `${state}, ${width} px`).toEqual([])
    expect
      .soft(document.documentElement.scrollWidth, `${state}, ${width} px: width`)
      .toBeLessThanOrEqual(innerWidth)
  }
}

test('longer texts fit on the account screens', async () => {
  await openPage('/')
  await expectNothingCut('sign-up')
  await page.getByRole('link', { name: lengthen('Sign in') }).click()
  await expect.element(button('Sign In')).toBeVisible()
  await expectNothingCut('sign-in')
})

test('longer texts fit on the records page, in its bars and its menus', async () => {
  await openRecords([ada, grace, ...makeEmployees(6)])
  await expect.element(page.getByRole('button', { name: /weak/ })).toBeVisible()
  await expectNothingCut('the table')
  await named('Delete {name}', grace).click()
  await expectNothingCut('a deletion')
  await named('Edit {name}', ada).click()
  await ui.form().getByRole('textbox').last().fill('ada12345')
  await button('Generate password').click()
  await expectNothingCut('an edit with the generator')
  await userEvent.keyboard('{Escape}{Escape}')
  for (const row of ui.rows().elements().slice(0, 2)) {
    ;(row as HTMLElement).focus()
    await userEvent.keyboard('{Shift>} {/Shift}')
  }
  await expect.element(page.getByRole('group', { name: lengthen('Selected records') })).toBeVisible()
  await expectNothingCut('a selection')
  await userEvent.keyboard('{Escape}')
  await expectNothingCut('the account menu', async () => {
    await userEvent.keyboard('{Escape}')
    await button('Account menu').click()
    await expect.element(button('Help')).toBeVisible()
  })
})

test('longer texts leave all buttons of a selection in sight, and none over the search', async () => {
  await openRecords([ada, grace])
  for (const row of ui.rows().elements()) {
    ;(row as HTMLElement).focus()
    await userEvent.keyboard('{Shift>} {/Shift}')
  }
  const bar = page.getByRole('group', { name: lengthen('Selected records') })
  await expect.element(bar).toBeVisible()
  for (const width of [768, 960, 1024, 1152, 1280, 1440]) {
    await page.viewport(width, 800)
    await ui.finishTransitions()
    const { scrollWidth, clientWidth } = bar.element()
    expect(scrollWidth, `${width} px`).toBeLessThanOrEqual(clientWidth)
    const search = ui.searchBox().element().getBoundingClientRect()
    const isOver = (button: Element) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      return left < search.right && right > search.left && top < search.bottom && bottom > search.top
    }
    expect(bar.getByRole('button').elements().filter(isOver), `${width} px`).toEqual([])
  }
})

test('longer texts fit in the dialogs', async () => {
  const { backend, colleague } = await openRecords([ada, ...makeEmployees(3)])
  await (await backend.connect()).identity.signIn(account.email, account.password)
  await colleague.identity.createAccount('leaver@example.com', 'a long enough one')
  await backend.removeAccount('leaver@example.com')
  await colleague.remove(...makeEmployees(1))
  await page.viewport(1200, 800)
  for (const name of ['Import', 'Export', ...menuItems]) {
    if (menuItems.includes(name)) await button('Account menu').click()
    await button(name).click()
    await expect.element(ui.dialog()).toBeVisible()
    await expectNothingCut(name)
    await page.viewport(1200, 800)
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
  }
  await named('Hand over {name}', ada).click()
  await button('Make a link').click()
  await expect.element(page.getByRole('img')).toBeVisible()
  await expectNothingCut('a hand-over')
})
