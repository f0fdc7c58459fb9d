import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openAtOnce } from '../../web/lib/presses/use-opening.ts'
import { ada, grace, nameOf, record } from '../support/people.ts'
import { fillAccount, openPage, openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

const hasInMarkup = (text: string) => document.body.outerHTML.includes(text)

describe('a revealed password', () => {
  const cell = () => ui.rowOf(grace).getByRole('textbox')

  test('is hidden after 30 s without input, and any input restarts the 30 s', { tags: 'main' }, async () => {
    await openRecords([grace])
    vi.useFakeTimers()
    await ui.rowButton(grace, 'Show password').click()
    await expect.element(cell()).toHaveAttribute('type', 'text')
    await vi.advanceTimersByTimeAsync(20_000)
    await userEvent.keyboard('{Shift}')
    await vi.advanceTimersByTimeAsync(20_000)
    await expect.element(cell()).toHaveAttribute('type', 'text')
    await vi.advanceTimersByTimeAsync(15_000)
    await expect.element(cell()).toHaveAttribute('type', 'password')
  })

  test('is hidden when the tab is no longer visible', async () => {
    await openRecords([grace])
    await ui.fillForm(ada)
    await ui.button('Show password').click()
    await ui.rowButton(grace, 'Show password').click()
    for (const field of [cell(), ui.passwordField()])
      await expect.element(field).toHaveAttribute('type', 'text')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    for (const field of [cell(), ui.passwordField()])
      await expect.element(field).toHaveAttribute('type', 'password')
  })

  test('of one record in the form is masked for the next one, and when the field is emptied', async () => {
    await openRecords([ada, grace])
    await ui.rowButton(ada, 'Edit').click()
    await ui.button('Show password').click()
    await expect.element(ui.passwordField()).toHaveAttribute('type', 'text')
    await ui.rowButton(grace, 'Edit').click()
    await expect.element(ui.passwordField()).toHaveAttribute('type', 'password')
    await ui.button('Show password').click()
    await expect.element(ui.passwordField()).toHaveAttribute('type', 'text')
    await ui.passwordField().fill('')
    await expect.element(ui.passwordField()).toHaveAttribute('type', 'password')
  })
})

test('the table does not tell how long a password is, neither to the eye nor to assistive technology', async () => {
  await openRecords([record({ password: 'x' }), { ...grace, password: 'x'.repeat(60) }])
  await ui.rowButton(grace, 'Show password').click()
  await expect.element(ui.rowOf(grace).getByRole('textbox')).toHaveValue('x'.repeat(60))
  await ui.rowButton(grace, 'Show password').click()
  const masks = [ada, grace].map((record) => {
    const field = ui.rowOf(record).getByRole('textbox').element() as HTMLInputElement
    const { value, size, scrollWidth } = field
    const html = field.outerHTML.replace(nameOf(record), '')
    return { value, size, scrollWidth, html, text: field.closest('td')?.innerText }
  })
  expect(masks[0]).toEqual(masks[1])
  expect(masks[0]?.value).toBe('•'.repeat(10))
})

describe('the password generator', () => {
  const panel = () => page.getByRole('group', { name: 'Password generator' })
  const suggestion = () => panel().getByRole('status', { name: 'Suggested password' })

  test('suggests passwords as configured, and fills the field only on request', {
    tags: 'main',
  }, async () => {
    await openRecords()
    await ui.fillForm({ ...ada, password: 'password-x' })
    await ui.button('Generate password').click()
    await expect.element(suggestion()).toMatchTextContent(/^\S{20}$/)
    await expect.element(panel().getByText('Strong')).toBeVisible()
    const first = suggestion().element().textContent
    await panel().getByRole('button', { name: 'Generate another password' }).click()
    await expect.element(suggestion()).not.toHaveTextContent(first ?? '')
    await panel().getByLabelText('Characters').selectOptions('Numbers only')
    await panel().getByLabelText('Length').fill('6')
    await expect.element(suggestion()).toMatchTextContent(/^\d{6}$/)
    await expect.element(panel().getByText(/^Very weak/)).toBeVisible()
    // By chance, the suggestion is weak for the same reason.
    const hint = ui.form().getByText('Very weak: contains a very common word').first()
    const panelTop = () => panel().element().getBoundingClientRect().top
    expect(panelTop()).toBeGreaterThanOrEqual(hint.element().getBoundingClientRect().bottom)
    expect(ui.readForm().password).toBe('password-x')
    const chosen = suggestion().element().textContent
    await panel().getByRole('button', { name: 'Use this password' }).click()
    await expect.poll(() => ui.readForm().password).toBe(chosen)
    await expect.element(panel()).not.toBeInTheDocument()
    await ui.submitButton().click()
    await ui.rowButton(ada, 'Show password').click()
    await expect.element(ui.rowOf(ada).getByRole('textbox')).toHaveValue(chosen)
  })

  test('does not submit the form when Enter is pressed in its options, and fills an untouched field', async () => {
    await openRecords()
    await ui.fillForm({ ...ada, password: '' })
    await ui.button('Generate password').click()
    await expect.element(panel()).toBeVisible()
    await ui.press(panel().getByLabelText('Length'), '{Enter}')
    expect(ui.readForm()).toEqual({ ...ada, password: '' })
    await panel().getByRole('button', { name: 'Use this password' }).click()
    await expect.poll(() => ui.readForm().password.length).toBeGreaterThan(8)
  })

  test('opens and closes with its button, also once all parts of the page are loaded', {
    tags: 'main',
  }, async () => {
    await openRecords()
    await expect.element(ui.submitButton()).toBeVisible()
    // As when the page was idle for long.
    openAtOnce()
    for (let i = 0; i < 2; i++) {
      await ui.button('Generate password').click()
      await expect.element(panel()).toBeVisible()
      await ui.button('Generate password').click()
      await expect.element(panel()).not.toBeInTheDocument()
    }
  })
})

describe('a password field', () => {
  test('shows how strong the password is, and accepts a weak one', { tags: 'main' }, async () => {
    await openRecords()
    await ui.fillForm({ ...grace, password: 'hopper1' })
    await expect.element(ui.form().getByText('Very weak: is like the name or email')).toBeVisible()
    // Each change of the description would be read out while the user types.
    await expect.element(ui.passwordField()).toHaveAccessibleDescription('')
    await ui.nameField().click()
    await expect.element(ui.passwordField()).toHaveAccessibleDescription(/Very weak/)
    await ui.passwordField().fill('correct horse battery staple')
    await expect.element(ui.form().getByText('Strong', { exact: true })).toBeVisible()
    await ui.passwordField().fill('x')
    await ui.submitButton().click()
    await expect.element(ui.rowOf(grace)).toBeVisible()
  })

  test('says in one line why a password is weak, on every screen from 360 px', async () => {
    await openRecords()
    await ui.nameField().fill(nameOf(grace))
    for (const width of [1280, 1024, 960, 900, 768, 390, 360]) {
      await page.viewport(width, 900)
      if (!ui.nameField().element().checkVisibility()) await ui.button('Add a record').click()
      for (const password of ['password', 'Grace Hopper', 'summerlove', 'lkjhgfdsa', 'aaaaaaaaaaaa']) {
        await ui.passwordField().fill(password)
        const hint = ui.form().getByText(/^(Very weak|Weak): /)
        await expect.element(hint).toBeVisible()
        const { height } = hint.element().getBoundingClientRect()
        expect(height, `${hint.element().textContent} at ${width} px`).toBeLessThan(20)
      }
    }
  })

  test.each([
    ['/', 'username', 'new-password'],
    ['/signin', 'username webauthn', 'current-password'],
  ])(
    'on %s is shown on request, hidden when it is sent, and never in the markup',
    async (path, emailAutocomplete, autocomplete) => {
      allowConsole(/Sign-(up|in) failed/)
      await openPage(path)
      const email = page.getByLabelText('Email')
      await fillAccount({ email: 'nobody@example.com', password: 'short' })
      await ui.press(ui.button('Show password'), '{Enter}')
      await expect.element(ui.accountPassword()).toHaveAttribute('type', 'text')
      await expect.element(ui.button('Show password')).toHaveAttribute('aria-pressed', 'true')
      await expect.element(email).toHaveAttribute('autocomplete', emailAutocomplete)
      await expect.element(ui.accountPassword()).toHaveAttribute('autocomplete', autocomplete)
      await expect.element(ui.accountPassword()).toHaveAttribute('spellcheck', 'false')
      await expect.element(ui.accountPassword()).toHaveAttribute('writingsuggestions', 'false')
      expect(hasInMarkup('short')).toBe(false)
      await ui.press(ui.accountPassword(), '{Enter}')
      await expect.element(ui.alert()).not.toBeEmptyDOMElement()
      await expect.element(ui.accountPassword()).toHaveAttribute('type', 'password')
      await expect.element(ui.accountPassword()).toHaveValue('short')
      expect(hasInMarkup('short')).toBe(false)
      await ui.expectPath(path)
    },
  )

  test('of the form or the table never has its value in the markup', { tags: 'main' }, async () => {
    await openRecords()
    await ui.fillForm(ada)
    expect(hasInMarkup(ada.password)).toBe(false)
    await ui.submitButton().click()
    await ui.rowButton(ada, 'Show password').click()
    await ui.rowButton(ada, 'Edit').click()
    await expect.poll(() => ui.readForm().password).toBe(ada.password)
    expect(hasInMarkup(ada.password)).toBe(false)
  })

  test('of the records page is neither filled nor remembered by password managers, nor is the search', async () => {
    await openRecords([ada])
    for (const field of [ui.nameField(), ui.emailField(), ui.searchBox()])
      await expect.element(field).toHaveAttribute('autocomplete', 'off')
    await expect.element(ui.passwordField()).toHaveAttribute('autocomplete', 'new-password')
    const inputs = page.getByCss('input:not([type=checkbox], [type=file])').elements()
    expect(inputs.length).toBeGreaterThan(4)
    for (const input of inputs) {
      expect(input).toHaveAttribute('data-1p-ignore')
      expect(input).toHaveAttribute('data-lpignore', 'true')
      expect(input).toHaveAttribute('data-bwignore')
    }
    // A password manager would remember what is searched for.
    for (const outside of [ui.searchBox(), ui.table()]) expect(outside.element().closest('form')).toBeNull()
  })
})

describe('copying', () => {
  const clipboard = navigator.clipboard
  const readClipboard = () => clipboard.readText()
  beforeEach(() => {
    // The browser's own clipboard: no other file uses it.
    vi.mocked(clipboard.writeText).mockRestore()
    vi.mocked(clipboard.readText).mockRestore()
  })

  afterEach(() => {
    // biome-ignore lint/suspicious/noExplicitAny: deletes the property of the instance, so that the prototype's is seen
    delete (navigator as any).clipboard
  })

  test('copies on plain HTTP, where there is no clipboard API, or reports that the browser does not allow it', async () => {
    await openRecords([grace])
    // Shadows the API of the prototype.
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    await ui.rowButton(grace, 'Copy password').click()
    await expect.element(ui.toast('Password of Grace Hopper copied.')).toBeVisible()
    expect(await readClipboard()).toBe(grace.password)
    await expect.element(ui.rowButton(grace, 'Copy password')).toHaveFocus()
    vi.spyOn(document, 'execCommand').mockReturnValue(false)
    await ui.rowButton(grace, 'Copy password').click()
    await expect.element(ui.toast('Your browser blocked copying')).toBeVisible()
  })

  test('copies without showing, and clears a password from the clipboard after 60 s, but not an email, or what was copied since', {
    tags: 'main',
  }, async () => {
    await openRecords([grace])
    vi.useFakeTimers()
    await ui.rowButton(grace, 'Copy password').click()
    await expect.element(ui.toast('copied')).toBeVisible()
    await expect.element(ui.rowOf(grace).getByRole('textbox')).toHaveAttribute('type', 'password')
    await vi.advanceTimersByTimeAsync(40_000)
    expect(await readClipboard()).toBe(grace.password)
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.poll(readClipboard).toBe('')
    await ui.rowButton(grace, 'Copy email').click()
    await expect.poll(readClipboard).toBe(grace.email)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await readClipboard()).toBe(grace.email)
    await ui.rowButton(grace, 'Copy password').click()
    await expect.poll(readClipboard).toBe(grace.password)
    await clipboard.writeText('of another program')
    await vi.advanceTimersByTimeAsync(62_000)
    expect(await readClipboard()).toBe('of another program')
  })

  test('keeps what was copied elsewhere after a password, also where the page may not read it, and clears the password on return', async () => {
    await openRecords([grace])
    vi.spyOn(navigator.permissions, 'query').mockRejectedValue(new TypeError())
    vi.useFakeTimers()
    const copyPassword = async () => {
      await ui.rowButton(grace, 'Copy password').click()
      await expect.poll(readClipboard).toBe(grace.password)
    }
    const changes: string[] = []
    clipboard.addEventListener('clipboardchange', ({ type }) => changes.push(type))
    await copyPassword()
    await expect.poll(() => changes).toHaveLength(1)
    dispatchEvent(new Event('blur'))
    await clipboard.writeText('of another program')
    await expect.poll(() => changes).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readClipboard()).toBe('of another program')

    await copyPassword()
    const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await readClipboard()).toBe(grace.password)
    focus.mockRestore()
    dispatchEvent(new Event('focus'))
    await vi.advanceTimersByTimeAsync(600)
    await expect.poll(readClipboard).toBe('')
  })

  test('clears a password in the next gesture if the browser refuses before, unless the user was elsewhere', async () => {
    await openRecords([grace])
    vi.spyOn(navigator.permissions, 'query').mockRejectedValue(new TypeError())
    const write = vi.spyOn(clipboard, 'writeText')
    vi.useFakeTimers()
    const copyAndWait = async () => {
      await ui.rowButton(grace, 'Copy password').click()
      await expect.poll(readClipboard).toBe(grace.password)
      write.mockClear().mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
      await vi.advanceTimersByTimeAsync(60_000)
      await expect.poll(() => write.mock.calls).toEqual([['']])
    }
    await copyAndWait()
    await ui.searchBox().click()
    await expect.poll(readClipboard).toBe('')
    await copyAndWait()
    dispatchEvent(new Event('blur'))
    await ui.searchBox().click()
    expect(write.mock.calls).toEqual([['']])
  })
})
