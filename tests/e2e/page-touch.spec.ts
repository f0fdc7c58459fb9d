import type { Page } from '@playwright/test'
import {
  ada,
  add,
  alan,
  expect,
  fill,
  form,
  grace,
  names,
  row,
  rows,
  strip,
  test,
  typed,
} from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

const notice = (page: Page, words: string | RegExp) => page.getByRole('status').filter({ hasText: words })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const focusedRow = (page: Page) => page.locator('tr:focus').getByRole('rowheader')

async function open(page: Page, employees = [ada, grace, alan]) {
  await addMany(page, employees)
  await expect(page.getByText(employees.length.toString(), { exact: true }).first()).toBeVisible()
}

/** Presses an icon of a row that shows only under the pointer. */
async function press(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).click()
}

test.describe('copying', () => {
  test('copying: one press copies a password without showing it, and says so', async ({ register }) => {
    await register.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(register)
    await press(register, `Copy password of ${grace.eName}`)
    await expect(notice(register, `Password of ${grace.eName} copied.`)).toBeVisible()
    expect(await clipboard(register)).toBe(grace.password)
    await expect(row(register, grace.eName).getByRole('textbox')).toHaveAttribute('type', 'password')
    await press(register, `Copy email of ${ada.eName}`)
    expect(await clipboard(register)).toBe(ada.email)
  })

  test('copying: it works on plain HTTP, where there is no clipboard API', async ({ register }) => {
    await register.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(register)
    const { writeText } = await register.evaluate(() => {
      const { clipboard } = navigator
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
      Object.assign(window, { clipboardOfTheTest: clipboard })
      return { writeText: typeof navigator.clipboard }
    })
    expect(writeText).toBe('undefined')
    await press(register, `Copy password of ${grace.eName}`)
    await expect(notice(register, `Password of ${grace.eName} copied.`)).toBeVisible()
    const copied = await register.evaluate(() =>
      (window as unknown as { clipboardOfTheTest: Clipboard }).clipboardOfTheTest.readText(),
    )
    expect(copied).toBe(grace.password)
    await expect(register.getByRole('button', { name: `Copy password of ${grace.eName}` })).toBeFocused()
  })

  test('copying: a copied password is cleared from the clipboard after 60 s, an email stays', async ({
    page,
    register,
  }) => {
    await register.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.reload()
    await open(register)
    await press(register, `Copy password of ${grace.eName}`)
    await expect(notice(register, 'copied')).toBeVisible()
    await page.clock.fastForward(40_000)
    expect(await clipboard(register)).toBe(grace.password)
    await page.clock.fastForward(30_000)
    await expect.poll(() => clipboard(register)).toBe('')
    await press(register, `Copy email of ${grace.eName}`)
    await page.clock.fastForward(120_000)
    expect(await clipboard(register)).toBe(grace.email)
  })

  test('copying: what was copied since is not cleared', async ({ page, register }) => {
    await register.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.reload()
    await open(register)
    await press(register, `Copy password of ${grace.eName}`)
    await expect(notice(register, 'copied')).toBeVisible()
    await register.evaluate(() => navigator.clipboard.writeText('of another program'))
    await page.clock.fastForward(61_000)
    await page.clock.runFor(1_000)
    expect(await clipboard(register)).toBe('of another program')
  })

  test('copying: a browser that lets nobody copy is said, not passed over', async ({ register }) => {
    await open(register)
    await register.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
      document.execCommand = () => false
    })
    await press(register, `Copy password of ${grace.eName}`)
    await expect(notice(register, 'did not let the page copy')).toBeVisible()
  })
})

test.describe('revealed passwords', () => {
  const shownField = (page: Page, eName: string) => row(page, eName).getByRole('textbox')

  test('revealed: a password hides after 30 s without use, and use keeps it', async ({ page, register }) => {
    await page.clock.install()
    await page.reload()
    await open(register)
    await press(register, `Show password of ${grace.eName}`)
    await expect(shownField(register, grace.eName)).toHaveAttribute('type', 'text')
    await page.clock.fastForward(20_000)
    await register.keyboard.press('Shift')
    await page.clock.fastForward(20_000)
    await expect(shownField(register, grace.eName)).toHaveAttribute('type', 'text')
    await page.clock.fastForward(15_000)
    await expect(shownField(register, grace.eName)).toHaveAttribute('type', 'password')
  })

  test('revealed: a password hides when the tab goes out of sight', async ({ register }) => {
    await open(register)
    await fill(register, ada)
    await press(register, 'Show what I type')
    await press(register, `Show password of ${grace.eName}`)
    await expect(form(register).getByLabel('Password')).toHaveAttribute('type', 'text')
    await register.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect(shownField(register, grace.eName)).toHaveAttribute('type', 'password')
    await expect(form(register).getByLabel('Password')).toHaveAttribute('type', 'password')
  })

  test('revealed: after logout no password is in the page', async ({ register }) => {
    await open(register)
    await press(register, `Show password of ${grace.eName}`)
    await register.getByRole('button', { name: 'Logout' }).click()
    await expect(register).toHaveURL('/')
    expect(
      await register
        .locator('input')
        .evaluateAll((inputs) => inputs.map((i) => (i as HTMLInputElement).value)),
    ).toEqual(['', ''])
  })
})

test.describe('the password field', () => {
  test('generator: it makes a password to the person’s wishes, and puts it into the field only on request', async ({
    register,
  }) => {
    await fill(register, { ...ada, password: 'typed' })
    await press(register, 'Generate one')
    const panel = register.getByRole('group', { name: 'Password generator' })
    const suggestion = panel.getByRole('status', { name: 'Suggested password' })
    await expect(suggestion).toHaveText(/^\S{20}$/)
    const first = await suggestion.textContent()
    await panel.getByRole('button', { name: 'Another one' }).click()
    await expect(suggestion).not.toHaveText(first ?? '')
    await panel.getByLabel('Made of').selectOption('Figures only')
    await panel.getByLabel('Length').fill('6')
    await expect(suggestion).toHaveText(/^\d{6}$/)
    expect((await typed(register)).password).toBe('typed')
    const chosen = await suggestion.textContent()
    await panel.getByRole('button', { name: 'Use this password' }).click()
    expect((await typed(register)).password).toBe(chosen)
    await expect(panel).toHaveCount(0)
    await form(register).getByRole('button', { name: 'Submit' }).click()
    await expect(row(register, ada.eName)).toBeVisible()
  })

  test('generator: Enter in its options submits nothing', async ({ register }) => {
    await fill(register, ada)
    await press(register, 'Generate one')
    await register.getByLabel('Length').press('Enter')
    expect(await typed(register)).toEqual(ada)
  })

  test('strength: a hint says how hard a password is to guess, and blocks nothing', async ({ register }) => {
    await fill(register, { ...grace, password: 'hopper1' })
    await expect(form(register).getByText('Very weak: it holds part of the name or the email')).toBeVisible()
    const password = form(register).getByLabel('Password')
    const hintId = (await password.getAttribute('aria-describedby')) ?? ''
    await expect(register.locator(`[id="${hintId}"]`)).toContainText('Very weak')
    await password.fill('correct horse battery staple')
    await expect(form(register).getByText('Strong', { exact: true })).toBeVisible()
    await password.fill('x')
    await form(register).getByRole('button', { name: 'Submit' }).click()
    await expect(row(register, grace.eName)).toBeVisible()
  })

  for (const path of ['/', '/signin']) {
    test(`password field: on ${path} what is typed is shown on request, never in the markup, and hidden when sent`, async ({
      page,
      expectedErrors,
    }) => {
      expectedErrors.push(/Failed to load resource/, /Sign-(up|in) failed/)
      await page.goto(path)
      const field = page.getByLabel('Password')
      const words = 'short'
      await page.getByLabel('Email').fill('nobody@example.com')
      await field.fill(words)
      const eye = page.getByRole('button', { name: 'Show what I type' })
      await eye.press('Enter')
      await expect(field).toHaveAttribute('type', 'text')
      await expect(eye).toHaveAttribute('aria-pressed', 'true')
      await expect(field).toHaveAttribute('autocomplete', path === '/' ? 'new-password' : 'current-password')
      await expect(field).toHaveAttribute('spellcheck', 'false')
      expect(await page.content()).not.toContain(words)
      await field.press('Enter')
      await expect(page.getByRole('alert')).not.toBeEmpty()
      await expect(field).toHaveAttribute('type', 'password')
      await expect(field).toHaveValue(words)
      expect(await page.content()).not.toContain(words)
    })
  }

  test('password field: what was shown of one record is not shown of the next', async ({ register }) => {
    await open(register)
    await press(register, `Edit ${ada.eName}`)
    await press(register, 'Show what I type')
    await expect(form(register).getByLabel('Password')).toHaveAttribute('type', 'text')
    await press(register, `Edit ${grace.eName}`)
    await expect(form(register).getByLabel('Password')).toHaveAttribute('type', 'password')
  })
})

test.describe('duplicates', () => {
  test('duplicates: an email that is in the register is pointed out with a link to its row, and not refused', async ({
    register,
  }) => {
    await open(register, [...people(60), grace])
    await fill(register, { ...ada, email: 'GRACE@example.com' })
    await form(register).getByRole('link', { name: grace.eName }).click()
    await expect(focusedRow(register)).toHaveText(grace.eName)
    await expect(row(register, grace.eName)).toBeInViewport()
    expect((await typed(register)).email).toBe('GRACE@example.com')
    await form(register).getByRole('button', { name: 'Submit' }).click()
    await register.getByRole('searchbox').fill('grace@')
    await expect(rows(register)).toHaveCount(2)
  })

  test('duplicates: Tab leads from a known email to the password, and no letter typed in the form is a shortcut', async ({
    register,
  }) => {
    await open(register)
    const { keyboard } = register
    await keyboard.press('n')
    await keyboard.type('Carl')
    await keyboard.press('Tab')
    await keyboard.type(grace.email)
    const link = form(register).getByRole('link', { name: grace.eName })
    await expect(link).toBeVisible()
    await keyboard.press('Tab')
    await keyboard.type('Sunshine42!')
    expect(await typed(register)).toEqual({ eName: 'Carl', email: grace.email, password: 'Sunshine42!' })
    await expect(form(register).getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
      `In the register already: ${grace.eName}`,
    )
    await link.focus()
    await keyboard.type('n/?')
    await expect(link).toBeFocused()
    await expect(register.getByRole('dialog')).toHaveCount(0)
  })

  test('duplicates: a record is no duplicate of itself, and a search does not hide the row of the link', async ({
    register,
  }) => {
    await open(register)
    await press(register, `Edit ${grace.eName}`)
    await expect(form(register).getByRole('link')).toHaveCount(0)
    await register.getByRole('searchbox').fill('alan')
    await expect(rows(register)).toHaveCount(1)
    await form(register).getByLabel('Email').fill(ada.email)
    await form(register).getByRole('link', { name: ada.eName }).click()
    await expect(focusedRow(register)).toHaveText(ada.eName)
  })
})

test.describe('the keyboard', () => {
  test('keyboard: arrows move through the rows, and e, c, m and Delete work on the row they are on', async ({
    register,
  }) => {
    await register.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(register)
    await register.keyboard.press('/')
    await register.keyboard.press('ArrowDown')
    await expect(focusedRow(register)).toHaveText(ada.eName)
    await register.keyboard.press('ArrowDown')
    await expect(focusedRow(register)).toHaveText(grace.eName)
    await register.keyboard.press('c')
    await expect(notice(register, `Password of ${grace.eName} copied.`)).toBeVisible()
    expect(await clipboard(register)).toBe(grace.password)
    await register.keyboard.press('m')
    await expect(notice(register, `Email of ${grace.eName} copied.`)).toBeVisible()
    await register.keyboard.press('ArrowUp')
    await register.keyboard.press('e')
    await expect(form(register).getByLabel('Employee Name')).toBeFocused()
    expect(await typed(register)).toEqual(ada)
    await register.keyboard.press('Escape')
    await expect(focusedRow(register)).toHaveText(ada.eName)
    await expect(form(register).getByRole('button', { name: 'Submit' })).toBeVisible()
    await register.keyboard.press('ArrowDown')
    await register.keyboard.press('Delete')
    await expect(names(register)).toHaveText([ada.eName, alan.eName])
    await expect(focusedRow(register)).toHaveText(alan.eName)
  })

  test('keyboard: after a delete the focus goes to the next row, and after the last one to the form', async ({
    register,
  }) => {
    await open(register)
    await press(register, `Delete ${ada.eName}`)
    await expect(register.getByRole('button', { name: `Delete ${grace.eName}` })).toBeFocused()
    await register.keyboard.press('Enter')
    await expect(register.getByRole('button', { name: `Delete ${alan.eName}` })).toBeFocused()
    await register.keyboard.press('Enter')
    await expect(form(register).getByLabel('Employee Name')).toBeFocused()
  })

  test('keyboard: Ctrl+Z undoes the last delete, and only takes back typing in a field', async ({
    register,
  }) => {
    await open(register)
    await press(register, `Delete ${grace.eName}`)
    await expect(strip(register)).toContainText(grace.eName)
    await form(register).getByLabel('Employee Name').fill('x')
    await register.keyboard.press('Control+z')
    await expect(rows(register)).toHaveCount(2)
    await register.keyboard.press('Escape')
    await row(register, ada.eName).getByRole('rowheader').click()
    await register.keyboard.press('Control+z')
    await expect(names(register)).toHaveText([ada.eName, grace.eName, alan.eName])
  })

  test('keyboard: n goes to the form, ? lists the keys, Escape closes the list', async ({ register }) => {
    await open(register)
    await register.keyboard.press('n')
    await expect(form(register).getByLabel('Employee Name')).toBeFocused()
    await register.keyboard.type('n?/e')
    await expect(form(register).getByLabel('Employee Name')).toHaveValue('n?/e')
    await row(register, ada.eName).getByRole('rowheader').click()
    await register.keyboard.press('?')
    const list = register.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(list).toBeVisible()
    await register.keyboard.press('n')
    await expect(list).toBeVisible()
    await register.keyboard.press('Escape')
    await expect(list).toHaveCount(0)
  })

  test('keyboard: single letters can be switched off, and stay off', async ({ register }) => {
    await open(register)
    await press(register, 'Keyboard shortcuts')
    await register.getByRole('checkbox', { name: 'Single-letter shortcuts' }).uncheck()
    await register.getByRole('button', { name: 'Close' }).click()
    await row(register, ada.eName).getByRole('rowheader').click()
    await register.keyboard.press('n')
    await register.keyboard.press('e')
    await register.reload()
    await row(register, ada.eName).getByRole('rowheader').click()
    await register.keyboard.press('n')
    await register.keyboard.press('e')
    await expect(form(register).getByLabel('Employee Name')).toHaveValue('')
    await expect(focusedRow(register)).toHaveText(ada.eName)
  })

  test('keyboard: Escape leaves editing, and what was typed is put aside', async ({ register }) => {
    await open(register)
    await press(register, `Edit ${grace.eName}`)
    await form(register).getByLabel('Employee Name').fill('Grace Brewster Hopper')
    await register.keyboard.press('Escape')
    await expect(focusedRow(register)).toHaveText(grace.eName)
    await expect(strip(register)).toContainText('Put aside: Grace Brewster Hopper')
    await add(register, { eName: 'New', email: 'new@example.com', password: 'x' })
  })
})
