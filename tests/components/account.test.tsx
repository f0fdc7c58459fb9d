import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import type { SignUpPolicy } from '../../contract/accounts.ts'
import { ServiceError } from '../../web/backends/ports.ts'
import { serviceError } from '../support/memory-services.ts'
import { account, ada } from '../support/people.ts'
import { fillAccount, openPage, openRecords, signIn } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

describe('the account screens', () => {
  test('show a signed-in visitor a link to /form', async () => {
    const testPage = await openRecords()
    for (const path of ['/', '/signin']) {
      await testPage.reload(path)
      await expect.element(page.getByText(`Signed in as ${account.email}`)).toBeVisible()
      const link = page.getByRole('link', { name: 'Open the register' })
      await expect.element(link).toHaveFocus()
      const formTop = page.getByRole('textbox', { name: 'Email' }).element().getBoundingClientRect().top
      expect(link.element().getBoundingClientRect().bottom).toBeLessThan(formTop)
      await link.click()
      await ui.expectPath('/form')
    }
  })

  test('send what a password manager has filled in without an event, also after one event', async () => {
    const { client } = await openPage('/signin')
    await client.identity.createAccount(account.email, account.password)
    await expect.element(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
    const fill = (name: string, value: string) => {
      const input = page.getByCss(`input[name=${name}]`).element() as HTMLInputElement
      input.value = value
      return input
    }
    fill('email', `another.${account.email}`)
    // Renders the screen again.
    fill('password', `${account.password}!`).dispatchEvent(new InputEvent('input', { bubbles: true }))
    // React renders it after the event.
    await Promise.resolve()
    fill('email', account.email)
    fill('password', account.password)
    // Renders the screen again.
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await ui.expectPath('/form')
  })

  test.each([
    ['/', 'Password'],
    ['/signin', 'Password'],
    ['/form', 'Current password'],
    ['/form', 'New password'],
  ])('%s says beside the field %s that Caps Lock is on, and moves nothing', async (path, label) => {
    if (path === '/form') await openRecords().then(() => ui.chooseInMenu('Change password'))
    else await openPage(path)
    const field = page.getByLabelText(label, { exact: true })
    await expect.element(field).toBeVisible()
    await ui.whenEffectsRan()
    const notice = page.getByRole('status').filter({ hasText: 'Caps Lock is on.' })
    ui.focus(field)
    const measure = () =>
      [...document.querySelectorAll('input, button')].map((element) => element.getBoundingClientRect().top)
    const tops = measure()
    const type = (type: string, isOn: boolean) =>
      field
        .element()
        .dispatchEvent(new KeyboardEvent(type, { key: 'A', bubbles: true, modifierCapsLock: isOn }))
    for (const event of ['keydown', 'keyup']) {
      type(event, true)
      await expect.element(notice).toBeVisible()
      expect(measure()).toEqual(tops)
      type(event, false)
      await expect.element(notice).not.toBeInTheDocument()
    }
    type('keydown', true)
    await expect.element(notice).toBeVisible()
    ui.focus(page.getByRole('button', { name: /^(Sign|Change)/ }).last())
    await expect.element(notice).not.toBeInTheDocument()
  })

  test.each([
    [` ${account.password}`, true],
    [`${account.password} `, true],
    [`${account.password}!`, false],
  ])(
    'refuse the password "%s", and say whether it begins or ends with a space: %s',
    async (password, hasSpace) => {
      const { client } = await openPage('/signin')
      allowConsole(/Sign-in failed/)
      await client.identity.createAccount(account.email, account.password)
      for (const email of [account.email, 'unknown@example.com']) {
        await signIn({ email, password })
        await expect
          .element(page.getByRole('alert'))
          .toHaveTextContent(
            `Error: Wrong email or password.${hasSpace ? ' The password that you typed begins or ends with a space.' : ''}`,
          )
        for (const field of [page.getByLabelText('Email'), ui.accountPassword()])
          await expect.element(field).toHaveAttribute('aria-invalid', 'true')
      }
      await page.getByLabelText('Email').fill(account.email)
      await expect.element(ui.accountPassword()).toHaveAttribute('aria-invalid', 'false')
    },
  )

  test('sign in although the browser’s storage is full, until the page is closed', {
    tags: 'main',
  }, async () => {
    const { client } = await openPage('/signin')
    await client.identity.createAccount(account.email, account.password)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await signIn()
    await ui.expectPath('/form')
    await expect.element(page.getByText(`Logged in as: ${account.email}`)).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await ui.expectPath('/')
  })

  test.each<[string, SignUpPolicy]>([
    ['Sign-up is closed. Ask your administrator for an account.', 'closed'],
    ['You need an invitation. Ask a colleague for a link.', 'invited'],
  ])('say before anything is typed: %s', { tags: 'main' }, async (text, signUp) => {
    const testPage = await openPage('/signin')
    testPage.backend.settings.signUp = signUp
    await testPage.reload('/')
    await expect.element(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect.element(page.getByText(text)).not.toBeInTheDocument()
  })

  test('say the same once, also where the service refuses what they have said', async () => {
    allowConsole(/Sign-up failed/)
    const testPage = await openPage('/signin')
    testPage.backend.settings.signUp = 'invited'
    await testPage.reload('/')
    const text = page.getByText('You need an invitation. Ask a colleague for a link.')
    await expect.element(text).toBeVisible()
    await fillAccount()
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect.element(ui.alert()).toHaveTextContent('You need an invitation. Ask a colleague for a link.')
    expect(text.elements()).toHaveLength(1)
  })

  test.each(['/', '/signin'])(
    '%s follows the policy, not the older one that a stored page tells',
    async (path) => {
      const { dataset } = document.documentElement
      onTestFinished(() => void delete dataset.policy)
      dataset.policy = 'sso-only sign-up-restricted'
      await openPage(path)
      await expect.element(page.getByLabelText('Email')).toBeVisible()
      expect(dataset.policy).toBe('')
    },
  )

  test('say who may sign up once the browser is online, if the screen was opened offline', async () => {
    const { client, backend, reload } = await openPage('/signin')
    backend.settings.signUp = 'invited'
    await client.cutNetwork()
    await reload('/')
    await expect.poll(() => client.countCalls('policy')).toBeGreaterThan(0)
    await client.restoreNetwork()
    const text = page.getByText('You need an invitation.')
    await expect.element(text).not.toBeInTheDocument()
    await expect
      .poll(() => {
        dispatchEvent(new Event('online'))
        return text.elements()
      })
      .toHaveLength(1)
  })

  test('can be filled in while the policy is being loaded, and say nothing if it cannot be loaded or anyone may sign up', async () => {
    const { client, reload } = await openPage('/')
    await expect.poll(() => client.countCalls('policy')).toBeGreaterThan(0)
    const expectNoStatus = async () => {
      for (const status of page.getByRole('status').all()) await expect.element(status).toBeEmptyDOMElement()
    }
    await expectNoStatus()
    const release = client.holdCalls(['policy'])
    await reload('/')
    await page.getByLabelText('Email').fill(account.email)
    await client.cutNetwork()
    release()
    await ui.accountPassword().fill(account.password)
    await client.restoreNetwork()
    await expectNoStatus()
    await ui.button('Sign Up').click()
    await ui.expectPath('/signin')
  })

  test('show and announce that they are working when it takes a while', async () => {
    await commands.emulateMedia({ reducedMotion: 'no-preference' })
    const { client } = await openPage('/')
    const release = client.holdCalls(['createAccount'])
    await fillAccount()
    await ui.button('Sign Up').click()
    await expect.element(page.getByText('Creating your account…')).toBeInTheDocument()
    expect(getComputedStyle(ui.button('Sign Up').element()).cursor).toBe('progress')
    release()
    await expect.element(page.getByText('Your account is ready')).toBeVisible()
    await expect.element(page.getByText('Creating your account…')).not.toBeInTheDocument()
  })

  test('say how long to wait after too many attempts', { tags: 'main' }, async () => {
    allowConsole(/Sign-in failed/)
    const { client } = await openPage('/signin')
    const durations = { '1 second': 1, '40 seconds': 40, '15 minutes': 896, '3 hours': 10_800 }
    for (const [duration, seconds] of Object.entries(durations)) {
      const retryAfterMs = seconds * 1_000
      const error = new ServiceError('too-many-requests', 'Too many attempts.', { retryAfterMs })
      const repair = client.failCalls(error, ['signIn'])
      await signIn()
      const message = `Error: Too many attempts. Try again in ${duration}.`
      await expect.element(ui.alert()).toHaveTextContent(message)
      await expect.element(ui.accountPassword()).toHaveAttribute('aria-invalid', 'false')
      repair()
    }
  })

  test('mark the field that a sign-up was refused for', async () => {
    allowConsole(/Sign-up failed/)
    const { client } = await openPage('/')
    await client.identity.createAccount(account.email, account.password)
    const marks = () =>
      [page.getByLabelText('Email'), ui.accountPassword()].map((field) => field.element().ariaInvalid)
    await fillAccount({ ...account, password: 'short' })
    await ui.button('Sign Up').click()
    await expect.poll(marks).toEqual(['false', 'true'])
    await fillAccount()
    await ui.press(ui.button('Sign Up'), '{Enter}')
    await expect.poll(marks).toEqual(['true', 'false'])
  })

  test('return to the search in the address after signing in, by any way to the sign-in screen', async () => {
    const testPage = await openRecords([ada])
    testPage.client.endSession()
    localStorage.removeItem('user')
    await testPage.reload('/form?q=lovelace')
    await ui.expectPath('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await fillAccount({ ...account, email: 'new@example.com' })
    await ui.button('Sign Up').click()
    await ui.expectPath('/signin')
    await signIn()
    await ui.expectPath('/form?q=lovelace')
    testPage.client.endSession()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await ui.accountPassword().fill(account.password)
    await ui.button('Sign In').click()
    await ui.expectPath('/form?q=lovelace')
    await ui.button('Logout').click()
    await ui.expectPath('/')
    await signIn()
    await ui.expectPath('/form')
  })

  test('say whom to ask about a forgotten password, or send a link if the service can', async () => {
    allowConsole(/No link was sent/)
    const testPage = await openPage('/signin')
    const help = page.getByText('Ask a colleague or your administrator for a reset link.')
    await expect.element(help).toBeVisible()
    const sent: string[] = []
    testPage.client.identity.sendPasswordReset = async (email) => {
      if (!email) throw serviceError('invalid-email')
      sent.push(email)
    }
    await testPage.reload()
    const sendButton = ui.button('Send a reset link')
    await sendButton.click()
    await expect.element(page.getByText('Enter a valid email address.')).toBeVisible()
    await page.getByLabelText('Email').fill(account.email)
    await sendButton.click()
    await expect.element(page.getByText(`If ${account.email} has an account, a link`)).toBeVisible()
    expect(sent).toEqual([account.email])
  })
})

describe('the dialog that changes the password', () => {
  const newPassword = 'another one of one’s own'
  const currentField = () => ui.dialog().getByLabelText('Current password', { exact: true })
  const newField = () => ui.dialog().getByLabelText('New password', { exact: true })

  async function changePassword(password: string, next: string) {
    await currentField().fill(password)
    await newField().fill(next)
    await ui.dialog().getByRole('button', { name: 'Change password' }).click()
  }

  beforeEach(async () => {
    await openRecords()
    await ui.chooseInMenu('Change password')
  })

  test('replaces the old password, and the session continues', { tags: 'main' }, async () => {
    await changePassword(account.password, newPassword)
    await expect.element(ui.dialog()).toMatchTextContent('Password changed.')
    await expect.element(ui.dialog().getByRole('button', { name: 'Close' }).last()).toHaveFocus()
    await ui.moveFocus('{Enter}', ui.button('Account menu'))
    await ui.button('Logout').click()
    await ui.expectPath('/')
    await signIn({ ...account, password: newPassword })
    await ui.expectPath('/form')
  })

  test('reports the error, retains the input, and focuses the invalid field', { tags: 'main' }, async () => {
    allowConsole(/The password was not changed/)
    await changePassword('not the one', newPassword)
    const alert = ui.dialog().getByRole('alert')
    await expect.element(alert).toHaveTextContent('That isn’t your current password.')
    await expect.element(currentField()).toHaveFocus()
    await expect.element(newField()).toHaveValue(newPassword)
    await changePassword(account.password, 'short')
    await expect.element(alert).toMatchTextContent('Choose a password of 8')
    await expect.element(newField()).toHaveFocus()
  })

  test('starts in its first field, shows each password on request, and never has one in the markup', async () => {
    await expect.element(currentField()).toHaveFocus()
    await userEvent.keyboard('my old one')
    await expect.element(currentField()).toHaveValue('my old one')
    await ui.dialog().getByRole('button', { name: 'Show current password' }).click()
    await expect.element(currentField()).toHaveAttribute('type', 'text')
    await expect.element(newField()).toHaveAttribute('type', 'password')
    await ui.dialog().getByRole('button', { name: 'Show new password' }).click()
    await newField().fill(newPassword)
    await expect.element(newField()).toHaveAttribute('type', 'text')
    await expect.element(newField()).toHaveAttribute('autocomplete', 'new-password')
    await expect.element(currentField()).toHaveAttribute('autocomplete', 'current-password')
    for (const password of ['my old one', newPassword])
      expect(document.body.outerHTML.includes(password)).toBe(false)
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
  })
})

describe('the account menu', () => {
  const menuButton = () => ui.button('Account menu')
  const item = () => ui.button('Change password')
  const entries = () => ui.dialog().getByRole('listitem')
  const sessionEntries = () =>
    ui.dialog().getByRole('region', { name: 'Where you’re signed in' }).getByRole('listitem')

  /** Opens the records page of `account`, and signs the account in in this many other browsers. */
  async function openWithOthers(count: number) {
    const testPage = await openRecords()
    const others = await Promise.all(Array.from({ length: count }, () => testPage.backend.connect()))
    for (const { identity } of others) await identity.signIn(account.email, account.password)
    return { ...testPage, others }
  }

  test('the dialog that changes the password opens also by the address to which password managers lead', async () => {
    const testPage = await openRecords()
    await testPage.reload('/form?q=ada#change-password')
    await expect.element(ui.dialog()).toMatchTextContent('Change password')
    await expect.element(ui.dialog().getByLabelText('Current password', { exact: true })).toHaveFocus()
    expect([location.search, location.hash]).toEqual(['?q=ada', ''])
  })

  test('opens and closes by keyboard, and gives the focus back, also after a dialog', {
    tags: 'main',
  }, async () => {
    await openRecords()
    await expect.element(item()).not.toBeInTheDocument()
    await ui.tabTo(menuButton())
    await userEvent.keyboard('{Enter}')
    await expect.element(item()).toBeVisible()
    for (const part of [page.getByText(`Logged in as: ${account.email}`), ui.button('Logout')])
      await expect.element(part).toBeVisible()
    await ui.moveFocus('{Tab}', item())
    await ui.moveFocus('{Escape}', menuButton())
    await expect.element(item()).not.toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await ui.tabTo(ui.button('Help'))
    await userEvent.keyboard('{Enter}')
    await expect.element(ui.dialog('Help')).toMatchTextContent('Staffbook 1.2.3')
    await ui.moveFocus('{Escape}', menuButton())
    await expect.element(ui.dialog()).not.toBeInTheDocument()
  })

  test('opens with the arrows, which move in it from end to end, as do Home and End', async () => {
    await openRecords()
    ui.focus(menuButton())
    for (const [key, target] of [
      ['{ArrowDown}', item()],
      ['{ArrowDown}', ui.button('Sessions and passkeys')],
      ['{End}', ui.button('Help')],
      ['{ArrowDown}', item()],
      ['{ArrowUp}', ui.button('Help')],
      ['{Home}', item()],
      ['{Escape}', menuButton()],
      ['{ArrowUp}{ArrowUp}{ArrowUp}', page.getByRole('combobox', { name: 'Language' })],
      ['{ArrowUp}', page.getByRole('combobox', { name: 'Theme' })],
      ['{ArrowDown}{ArrowDown}', ui.button('Keyboard shortcuts')],
    ] as const)
      await ui.moveFocus(key, target)
    expect(document.documentElement.dataset.theme).toBe('system')
  })

  test('offers no sessions, colleagues and hand-over if the service has none', async () => {
    const testPage = await openRecords([ada])
    delete testPage.client.identity.sessions
    delete testPage.client.identity.team
    await testPage.reload()
    await expect.element(ui.rowButton(ada, 'Edit')).toBeInTheDocument()
    await menuButton().click()
    await expect.element(item()).toBeVisible()
    for (const name of ['Sessions and passkeys', 'Team', 'Hand over Ada Lovelace'])
      await expect.element(ui.button(name)).not.toBeInTheDocument()
  })

  test('lists the sessions, this browser first, and signs out one of them, or all others', {
    tags: 'main',
  }, async () => {
    const { client, others } = await openWithOthers(3)
    const countSignedIn = async () => {
      const lists = await Promise.allSettled(others.map(({ documents }) => documents.list()))
      return lists.filter(({ status }) => status === 'fulfilled').length
    }
    await ui.chooseInMenu('Sessions and passkeys')
    const other = /^Another browser.*Active .* ago.*Signed in 3 Nov 2026/
    const own = /^Firefox on Linux.*Active now · this browser/
    await ui.expectTexts(sessionEntries(), [own, other, other, other])
    await sessionEntries().nth(1).getByRole('button').click()
    await expect.element(ui.dialog().getByText('Signed out.')).toBeVisible()
    await ui.expectTexts(sessionEntries(), [own, /Signed out$/, other, other])
    await sessionEntries().nth(1).getByRole('button').click({ force: true })
    expect(await countSignedIn()).toBe(2)
    await ui.dialog().getByRole('button', { name: 'Sign out all other browsers' }).click()
    await ui.expectTexts(sessionEntries(), [own, ...Array(3).fill(/Signed out$/)])
    await expect.element(ui.dialog().getByText('You’re not signed in anywhere else.')).toBeVisible()
    expect(await countSignedIn()).toBe(0)
    await expect(client.documents.list()).resolves.toEqual([])
  })

  test.each([
    ['Sessions and passkeys', 'sessions'],
    ['Team', 'team'],
    ['Recently deleted', 'history'],
    ['Activity', 'history'],
  ] as const)('reports in "%s" a list that cannot be read, and reads it again', async (name, method) => {
    allowConsole(/ (were|was) not read/)
    const { client, colleague } = await openRecords([ada])
    await colleague.remove(ada)
    const stopFailing = client.failCalls(serviceError('storage-unavailable'), [method])
    await ui.chooseInMenu(name)
    const alert = ui.dialog().getByRole('alert').filter({ hasText: 'isn’t available right now' })
    await expect.element(alert).toBeVisible()
    stopFailing()
    await ui.button('Try again').click()
    await expect.element(entries().first()).toBeVisible()
    await expect.element(alert).not.toBeInTheDocument()
    expect(ui.dialog().element().contains(document.activeElement)).toBe(true)
  })

  test('reports a session that cannot be ended', async () => {
    allowConsole(/The sessions were not read or ended/)
    const { client } = await openWithOthers(1)
    await ui.chooseInMenu('Sessions and passkeys')
    await expect.element(sessionEntries()).toHaveLength(2)
    client.failCalls(serviceError('busy'), ['sessions'])
    await sessionEntries().nth(1).getByRole('button').click()
    await expect.element(ui.dialog().getByRole('alert').filter({ hasText: 'busy' })).toBeVisible()
    await expect.element(sessionEntries()).toHaveLength(2)
  })
})
