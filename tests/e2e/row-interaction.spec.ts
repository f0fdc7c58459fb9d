import type { Page } from '@playwright/test'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import {
  ada,
  addEmployee,
  alan,
  expect,
  fillForm,
  form,
  grace,
  names,
  outboxList,
  readForm,
  rowOf,
  rows,
  test,
} from '../support/e2e/fixture.ts'

const toast = (page: Page, words: string | RegExp) => page.getByRole('status').filter({ hasText: words })
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const focusedRow = (page: Page) => page.locator('tr:focus').getByRole('rowheader')

async function openWithEmployees(page: Page, employees = [ada, grace, alan]) {
  await createEmployees(page, employees)
  await expect(page.getByText(employees.length.toString(), { exact: true }).first()).toBeVisible()
}

/** Presses an icon of a row that shows only under the pointer. */
async function clickButton(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).click()
}

test.describe('copying', () => {
  test('copying: one press copies a password without showing it, and says so', async ({ recordsPage }) => {
    await recordsPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Copy password of ${grace.eName}`)
    await expect(toast(recordsPage, `Password of ${grace.eName} copied.`)).toBeVisible()
    expect(await readClipboard(recordsPage)).toBe(grace.password)
    await expect(rowOf(recordsPage, grace.eName).getByRole('textbox')).toHaveAttribute('type', 'password')
    await clickButton(recordsPage, `Copy email of ${ada.eName}`)
    expect(await readClipboard(recordsPage)).toBe(ada.email)
  })

  test('copying: it works on plain HTTP, where there is no clipboard API', async ({ recordsPage }) => {
    await recordsPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openWithEmployees(recordsPage)
    const { writeText } = await recordsPage.evaluate(() => {
      const { clipboard } = navigator
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
      Object.assign(window, { clipboardOfTheTest: clipboard })
      return { writeText: typeof navigator.clipboard }
    })
    expect(writeText).toBe('undefined')
    await clickButton(recordsPage, `Copy password of ${grace.eName}`)
    await expect(toast(recordsPage, `Password of ${grace.eName} copied.`)).toBeVisible()
    const copied = await recordsPage.evaluate(() =>
      (window as unknown as { clipboardOfTheTest: Clipboard }).clipboardOfTheTest.readText(),
    )
    expect(copied).toBe(grace.password)
    await expect(recordsPage.getByRole('button', { name: `Copy password of ${grace.eName}` })).toBeFocused()
  })

  test('copying: a copied password is cleared from the clipboard after 60 s, an email stays', async ({
    page,
    recordsPage,
  }) => {
    await recordsPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.reload()
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Copy password of ${grace.eName}`)
    await expect(toast(recordsPage, 'copied')).toBeVisible()
    await page.clock.fastForward(40_000)
    expect(await readClipboard(recordsPage)).toBe(grace.password)
    await page.clock.fastForward(30_000)
    await expect.poll(() => readClipboard(recordsPage)).toBe('')
    await clickButton(recordsPage, `Copy email of ${grace.eName}`)
    await page.clock.fastForward(120_000)
    expect(await readClipboard(recordsPage)).toBe(grace.email)
  })

  test('copying: what was copied since is not cleared', async ({ page, recordsPage }) => {
    await recordsPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.reload()
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Copy password of ${grace.eName}`)
    await expect(toast(recordsPage, 'copied')).toBeVisible()
    await recordsPage.evaluate(() => navigator.clipboard.writeText('of another program'))
    await page.clock.fastForward(61_000)
    await page.clock.runFor(1_000)
    expect(await readClipboard(recordsPage)).toBe('of another program')
  })

  test('copying: a browser that lets nobody copy is said, not passed over', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await recordsPage.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
      document.execCommand = () => false
    })
    await clickButton(recordsPage, `Copy password of ${grace.eName}`)
    await expect(toast(recordsPage, 'did not let the page copy')).toBeVisible()
  })
})

test.describe('revealed passwords', () => {
  const shownField = (page: Page, eName: string) => rowOf(page, eName).getByRole('textbox')

  test('revealed: a password hides after 30 s without use, and use keeps it', async ({
    page,
    recordsPage,
  }) => {
    await page.clock.install()
    await page.reload()
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Show password of ${grace.eName}`)
    await expect(shownField(recordsPage, grace.eName)).toHaveAttribute('type', 'text')
    await page.clock.fastForward(20_000)
    await recordsPage.keyboard.press('Shift')
    await page.clock.fastForward(20_000)
    await expect(shownField(recordsPage, grace.eName)).toHaveAttribute('type', 'text')
    await page.clock.fastForward(15_000)
    await expect(shownField(recordsPage, grace.eName)).toHaveAttribute('type', 'password')
  })

  test('revealed: a password hides when the tab goes out of sight', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await fillForm(recordsPage, ada)
    await clickButton(recordsPage, 'Show what I type')
    await clickButton(recordsPage, `Show password of ${grace.eName}`)
    await expect(form(recordsPage).getByLabel('Password')).toHaveAttribute('type', 'text')
    await recordsPage.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect(shownField(recordsPage, grace.eName)).toHaveAttribute('type', 'password')
    await expect(form(recordsPage).getByLabel('Password')).toHaveAttribute('type', 'password')
  })

  test('revealed: after logout no password is in the page', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Show password of ${grace.eName}`)
    await recordsPage.getByRole('button', { name: 'Logout' }).click()
    await expect(recordsPage).toHaveURL('/')
    expect(
      await recordsPage
        .locator('input')
        .evaluateAll((inputs) => inputs.map((i) => (i as HTMLInputElement).value)),
    ).toEqual(['', ''])
  })
})

test.describe('the password field', () => {
  test('generator: it makes a password to the person’s wishes, and puts it into the field only on request', async ({
    recordsPage,
  }) => {
    await fillForm(recordsPage, { ...ada, password: 'typed' })
    await clickButton(recordsPage, 'Generate one')
    const panel = recordsPage.getByRole('group', { name: 'Password generator' })
    const suggestion = panel.getByRole('status', { name: 'Suggested password' })
    await expect(suggestion).toHaveText(/^\S{20}$/)
    const first = await suggestion.textContent()
    await panel.getByRole('button', { name: 'Another one' }).click()
    await expect(suggestion).not.toHaveText(first ?? '')
    await panel.getByLabel('Made of').selectOption('Figures only')
    await panel.getByLabel('Length').fill('6')
    await expect(suggestion).toHaveText(/^\d{6}$/)
    expect((await readForm(recordsPage)).password).toBe('typed')
    const chosen = await suggestion.textContent()
    await panel.getByRole('button', { name: 'Use this password' }).click()
    expect((await readForm(recordsPage)).password).toBe(chosen)
    await expect(panel).toHaveCount(0)
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(rowOf(recordsPage, ada.eName)).toBeVisible()
  })

  test('generator: Enter in its options submits nothing', async ({ recordsPage }) => {
    await fillForm(recordsPage, ada)
    await clickButton(recordsPage, 'Generate one')
    await recordsPage.getByLabel('Length').press('Enter')
    expect(await readForm(recordsPage)).toEqual(ada)
  })

  test('strength: a hint says how hard a password is to guess, and blocks nothing', async ({
    recordsPage,
  }) => {
    await fillForm(recordsPage, { ...grace, password: 'hopper1' })
    await expect(
      form(recordsPage).getByText('Very weak: it holds part of the name or the email'),
    ).toBeVisible()
    const password = form(recordsPage).getByLabel('Password')
    const hintId = (await password.getAttribute('aria-describedby')) ?? ''
    await expect(recordsPage.locator(`[id="${hintId}"]`)).toContainText('Very weak')
    await password.fill('correct horse battery staple')
    await expect(form(recordsPage).getByText('Strong', { exact: true })).toBeVisible()
    await password.fill('x')
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(rowOf(recordsPage, grace.eName)).toBeVisible()
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

  test('password field: what was shown of one record is not shown of the next', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Edit ${ada.eName}`)
    await clickButton(recordsPage, 'Show what I type')
    await expect(form(recordsPage).getByLabel('Password')).toHaveAttribute('type', 'text')
    await clickButton(recordsPage, `Edit ${grace.eName}`)
    await expect(form(recordsPage).getByLabel('Password')).toHaveAttribute('type', 'password')
  })
})

test.describe('duplicates', () => {
  test('duplicates: an email that is in the register is pointed out with a link to its row, and not refused', async ({
    recordsPage,
  }) => {
    await openWithEmployees(recordsPage, [...makeEmployees(60), grace])
    await fillForm(recordsPage, { ...ada, email: 'GRACE@example.com' })
    await form(recordsPage).getByRole('link', { name: grace.eName }).click()
    await expect(focusedRow(recordsPage)).toHaveText(grace.eName)
    await expect(rowOf(recordsPage, grace.eName)).toBeInViewport()
    expect((await readForm(recordsPage)).email).toBe('GRACE@example.com')
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await recordsPage.getByRole('searchbox').fill('grace@')
    await expect(rows(recordsPage)).toHaveCount(2)
  })

  test('duplicates: Tab leads from a known email to the password, and no letter typed in the form is a shortcut', async ({
    recordsPage,
  }) => {
    await openWithEmployees(recordsPage)
    const { keyboard } = recordsPage
    await keyboard.press('n')
    await keyboard.type('Carl')
    await keyboard.press('Tab')
    await keyboard.type(grace.email)
    const link = form(recordsPage).getByRole('link', { name: grace.eName })
    await expect(link).toBeVisible()
    await keyboard.press('Tab')
    await keyboard.type('Sunshine42!')
    expect(await readForm(recordsPage)).toEqual({
      eName: 'Carl',
      email: grace.email,
      password: 'Sunshine42!',
    })
    await expect(form(recordsPage).getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
      `In the register already: ${grace.eName}`,
    )
    await link.focus()
    await keyboard.type('n/?')
    await expect(link).toBeFocused()
    await expect(recordsPage.getByRole('dialog')).toHaveCount(0)
  })

  test('duplicates: a record is no duplicate of itself, and a search does not hide the row of the link', async ({
    recordsPage,
  }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Edit ${grace.eName}`)
    await expect(form(recordsPage).getByRole('link')).toHaveCount(0)
    await recordsPage.getByRole('searchbox').fill('alan')
    await expect(rows(recordsPage)).toHaveCount(1)
    await form(recordsPage).getByLabel('Email').fill(ada.email)
    await form(recordsPage).getByRole('link', { name: ada.eName }).click()
    await expect(focusedRow(recordsPage)).toHaveText(ada.eName)
  })
})

test.describe('the keyboard', () => {
  test('keyboard: arrows move through the rows, and e, c, m and Delete work on the row they are on', async ({
    recordsPage,
  }) => {
    await recordsPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openWithEmployees(recordsPage)
    await recordsPage.keyboard.press('/')
    await recordsPage.keyboard.press('ArrowDown')
    await expect(focusedRow(recordsPage)).toHaveText(ada.eName)
    await recordsPage.keyboard.press('ArrowDown')
    await expect(focusedRow(recordsPage)).toHaveText(grace.eName)
    await recordsPage.keyboard.press('c')
    await expect(toast(recordsPage, `Password of ${grace.eName} copied.`)).toBeVisible()
    expect(await readClipboard(recordsPage)).toBe(grace.password)
    await recordsPage.keyboard.press('m')
    await expect(toast(recordsPage, `Email of ${grace.eName} copied.`)).toBeVisible()
    await recordsPage.keyboard.press('ArrowUp')
    await recordsPage.keyboard.press('e')
    await expect(form(recordsPage).getByLabel('Employee Name')).toBeFocused()
    expect(await readForm(recordsPage)).toEqual(ada)
    await recordsPage.keyboard.press('Escape')
    await expect(focusedRow(recordsPage)).toHaveText(ada.eName)
    await expect(form(recordsPage).getByRole('button', { name: 'Submit' })).toBeVisible()
    await recordsPage.keyboard.press('ArrowDown')
    await recordsPage.keyboard.press('Delete')
    await expect(names(recordsPage)).toHaveText([ada.eName, alan.eName])
    await expect(focusedRow(recordsPage)).toHaveText(alan.eName)
  })

  test('keyboard: after a delete the focus goes to the next row, and after the last one to the form', async ({
    recordsPage,
  }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Delete ${ada.eName}`)
    await expect(recordsPage.getByRole('button', { name: `Delete ${grace.eName}` })).toBeFocused()
    await recordsPage.keyboard.press('Enter')
    await expect(recordsPage.getByRole('button', { name: `Delete ${alan.eName}` })).toBeFocused()
    await recordsPage.keyboard.press('Enter')
    await expect(form(recordsPage).getByLabel('Employee Name')).toBeFocused()
  })

  test('keyboard: Ctrl+Z undoes the last delete, and only takes back typing in a field', async ({
    recordsPage,
  }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Delete ${grace.eName}`)
    await expect(outboxList(recordsPage)).toContainText(grace.eName)
    await form(recordsPage).getByLabel('Employee Name').fill('x')
    await recordsPage.keyboard.press('Control+z')
    await expect(rows(recordsPage)).toHaveCount(2)
    await recordsPage.keyboard.press('Escape')
    await rowOf(recordsPage, ada.eName).getByRole('rowheader').click()
    await recordsPage.keyboard.press('Control+z')
    await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName, alan.eName])
  })

  test('keyboard: n goes to the form, ? lists the keys, Escape closes the list', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await recordsPage.keyboard.press('n')
    await expect(form(recordsPage).getByLabel('Employee Name')).toBeFocused()
    await recordsPage.keyboard.type('n?/e')
    await expect(form(recordsPage).getByLabel('Employee Name')).toHaveValue('n?/e')
    await rowOf(recordsPage, ada.eName).getByRole('rowheader').click()
    await recordsPage.keyboard.press('?')
    const list = recordsPage.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(list).toBeVisible()
    await recordsPage.keyboard.press('n')
    await expect(list).toBeVisible()
    await recordsPage.keyboard.press('Escape')
    await expect(list).toHaveCount(0)
  })

  test('keyboard: single letters can be switched off, and stay off', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, 'Keyboard shortcuts')
    await recordsPage.getByRole('checkbox', { name: 'Single-letter shortcuts' }).uncheck()
    await recordsPage.getByRole('button', { name: 'Close' }).click()
    await rowOf(recordsPage, ada.eName).getByRole('rowheader').click()
    await recordsPage.keyboard.press('n')
    await recordsPage.keyboard.press('e')
    await recordsPage.reload()
    await rowOf(recordsPage, ada.eName).getByRole('rowheader').click()
    await recordsPage.keyboard.press('n')
    await recordsPage.keyboard.press('e')
    await expect(form(recordsPage).getByLabel('Employee Name')).toHaveValue('')
    await expect(focusedRow(recordsPage)).toHaveText(ada.eName)
  })

  test('keyboard: Escape leaves editing, and what was typed is put aside', async ({ recordsPage }) => {
    await openWithEmployees(recordsPage)
    await clickButton(recordsPage, `Edit ${grace.eName}`)
    await form(recordsPage).getByLabel('Employee Name').fill('Grace Brewster Hopper')
    await recordsPage.keyboard.press('Escape')
    await expect(focusedRow(recordsPage)).toHaveText(grace.eName)
    await expect(outboxList(recordsPage)).toContainText('Put aside: Grace Brewster Hopper')
    await addEmployee(recordsPage, { eName: 'New', email: 'new@example.com', password: 'x' })
  })
})
