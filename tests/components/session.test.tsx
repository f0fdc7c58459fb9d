import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openEncryptedStore } from '../../web/records/model/outbox/encrypted-store.ts'
import { messageDurationMs } from '../../web/ui/message.tsx'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, grace, named, nameOf } from '../support/people.ts'
import { openRecords, signIn, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole, countStoredRows } from './setup.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })
const unsavedEntry = () => ui.outboxEntry('Lost Soul')
const storageFull = serviceError('storage-full')
const logOut = () => ui.button('Logout').click()
const unsavedDialog = () => ui.dialog('not saved')
const signInLink = () => page.getByRole('link', { name: 'Sign in' })
const signedOutText = 'You’ve been signed outSign in to see the records.'

async function resetPassword({ backend, colleague }: TestPage) {
  const token = backend.makeResetLink(account.email) ?? ''
  await colleague.identity.team?.resetPassword(token, 'a new and long one')
}

async function endUnnoticed({ client }: TestPage) {
  client.endSession({ isNoticed: false })
  await client.identity.sessions?.list().catch(() => {})
}

const confirmLogout = () => unsavedDialog().getByRole('button', { name: 'Log out and discard' }).click()

test('a logout sends what is reported, and requests nothing that waited until the browser is idle', async () => {
  const idle: (() => void)[] = []
  vi.spyOn(window, 'requestIdleCallback').mockImplementation((run) =>
    idle.push(() => run({ didTimeout: true, timeRemaining: () => 0 })),
  )
  const { backend, client } = await openRecords([ada])
  const release = client.holdCalls(['signOut'])
  await ui.rowButton(ada, 'Show password').click()
  await logOut()
  await expect.poll(() => client.countCalls('signOut')).toBe(1)
  const requested = client.countCalls('history')
  for (const run of idle) run()
  await import('../../web/records/model/search/find-password-issues.ts')
  release()
  await ui.expectPath('/')
  expect([backend.reports.length, client.countCalls('history')]).toEqual([1, requested])
})

const isInert = () => document.querySelector('main')?.inert

test('while a session is being ended, nothing can be entered that would be deleted', async () => {
  const { client } = await openRecords([ada])
  const release = client.holdCalls(['signOut'])
  expect(isInert()).toBe(false)
  await logOut()
  await expect.poll(isInert).toBe(true)
  release()
  await ui.expectPath('/')
})

test('while the records can’t be loaded, the page says why and what happens next, and tries again on a press', async () => {
  const { client, reload } = await openRecords([ada])
  const repair = client.failCalls(serviceError('storage-unavailable'), ['list'])
  await reload()
  const title = page.getByText('The records can’t be loaded right now', { exact: true })
  await expect.element(title).toBeVisible()
  await expect.element(page.getByText('The server isn’t available.')).toBeVisible()
  await expect
    .element(page.getByRole('paragraph').filter({ hasText: 'tries again every few seconds' }))
    .toBeVisible()
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.dispatchEvent(new Event('offline'))
  await expect.element(page.getByText('You’re offline.')).toBeVisible()
  await expect
    .element(page.getByRole('paragraph').filter({ hasText: 'aren’t kept on this device' }))
    .toBeVisible()
  isOnline.mockRestore()
  const attempts = client.countCalls('list')
  await ui.button('Try again').click()
  await expect.poll(() => client.countCalls('list')).toBeGreaterThan(attempts)
  await expect
    .element(page.getByRole('paragraph').filter({ hasText: 'tries again every few seconds' }))
    .toBeVisible()
  repair()
  await ui.expectNames(ada)
  await expect.element(title).not.toBeInTheDocument()
  await expect.element(page.getByText('The server isn’t available.')).not.toBeInTheDocument()
})

describe('a session that has ended', () => {
  test.each<[string, (testPage: TestPage) => unknown]>([
    ['expired', ({ client }) => client.endSession()],
    ['was removed with its account', ({ backend }) => backend.removeAccount(account.email)],
    ['was ended by a reset link', resetPassword],
    ['is refused by any call', endUnnoticed],
  ])('that %s takes the records from the page', { tags: 'main' }, async (_, end) => {
    const testPage = await openRecords([ada, grace])
    await ui.rowButton(ada, 'Copy password').click()
    await expect.poll(() => navigator.clipboard.readText()).toBe(ada.password)
    await ui.rowButton(grace, 'Show password').click()
    await ui.rowButton(grace, 'Edit').click()
    await ui.fillForm({ email: 'typed@example.com' })
    await ui.button('Show password').click()
    await end(testPage)
    await expect.element(ui.alert()).toMatchTextContent(`${signedOutText}1 unsaved change is kept.`)
    await ui.expectNames()
    await expect.element(page.getByText('No employees yet')).not.toBeInTheDocument()
    await expect.poll(() => navigator.clipboard.readText()).toBe('')
    await expect.element(ui.passwordField()).toHaveAttribute('type', 'password')
    await expect.element(ui.button('Show password')).toBeDisabled()
    await expect.poll(ui.readForm).toEqual({ ...grace, email: 'typed@example.com' })
    await ui.expectPath('/form')
  })

  test('closes the dialogs that show records, and tells of no weak password', async () => {
    const { client } = await openRecords([ada, { ...grace, password: 'summer2024' }])
    await ui.rowButton(ada, 'Delete').click()
    await ui.expectNames(grace)
    await expect.element(ui.button('1 weak password')).toBeVisible()
    await ui.chooseInMenu('Recently deleted')
    await expect.element(ui.button('Restore Ada Lovelace')).toBeVisible()
    client.endSession()
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await expect.element(ui.button('1 weak password')).not.toBeInTheDocument()
    await expect.element(ui.alert()).toHaveTextContent(`${signedOutText}Sign in`)
  })

  test.each(['Export', '1 weak password', 'Show password'])(
    'moves the focus from %s to the sign-in',
    async (name) => {
      const { client } = await openRecords([{ ...ada, password: 'summer2024' }])
      await expect.element(ui.button('1 weak password')).toBeVisible()
      ui.focus(ui.button(name))
      client.endSession()
      await expect.element(signInLink()).toHaveFocus()
    },
  )

  test('leaves nothing to add, to search, to import or to send again, and says it once', async () => {
    const { client } = await openRecords([ada, grace])
    await ui.press(ui.rowButton(grace, 'Delete'), '{Enter}')
    await expect.element(ui.undoButton()).toBeVisible()
    await ui.nameField().click()
    await client.cutNetwork()
    await ui.submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    client.endSession()
    await client.restoreNetwork()
    await expect.element(ui.alert()).toMatchTextContent(`${signedOutText}1 unsaved change is kept.`)
    await expect.element(signInLink()).toHaveFocus()
    for (const gone of [ui.form(), ui.searchBox(), ui.button('Import'), ui.button('Retry'), ui.table()])
      await expect.element(gone).not.toBeInTheDocument()
    await expect.element(page.getByText('Loading…')).not.toBeInTheDocument()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
    await userEvent.keyboard('{Control>}z{/Control}')
    await signInLink().click()
    await signIn()
    await expect.element(ui.undoButton()).toBeVisible()
  })

  test('takes the lists of new passwords from the page, of a run and of an import', async () => {
    const { client } = await openRecords([{ ...ada, password: 'summer2024' }])
    await ui.pressButtons('1 weak password', 'Change 1…')
    await expect.element(ui.updateButton()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await ui.paste('Name,Email\nGrace Hopper,grace@example.com')
    await ui.dialog().getByText('1 row has no password. Generate one.').click()
    await ui.button('Import 1 record').click()
    await expect.element(ui.button('Copy with passwords')).toHaveLength(2)
    client.endSession()
    await expect.element(ui.button('Copy with passwords')).toHaveLength(0)
  })

  /** Ends the session, after which an add and the form are unsaved. */
  async function openEnded() {
    const testPage = await openRecords([ada])
    await testPage.client.cutNetwork()
    await ui.submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    await ui.fillForm(grace)
    testPage.client.endSession()
    await testPage.client.restoreNetwork()
    await expect.element(ui.alert()).toMatchTextContent(`${signedOutText}2 unsaved changes are kept.`)
    await expect.poll(ui.readForm).toEqual(grace)
    return testPage
  }

  test('retains the outbox and the form until the user has signed in again', { tags: 'main' }, async () => {
    await openEnded()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect.element(page.getByText('Sign in to continue. Your unsaved changes are kept.')).toBeVisible()
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    await expect.element(ui.accountPassword()).toHaveFocus()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await ui.expectPath('/')
    await expect.element(page.getByText('Signed in as')).not.toBeInTheDocument()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    await expect.element(page.getByRole('link', { name: 'Open the register' })).not.toBeInTheDocument()
    await signIn()
    await ui.expectNames(ada, unsaved)
    await expect.poll(ui.readForm).toEqual(grace)
    await expect.element(ui.alert()).toBeEmptyDOMElement()
  })

  test('is said where the form of an edit does not cover it, and is the only main action', async () => {
    const { client } = await openRecords([ada])
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.viewport(width, height)
      await ui.rowButton(ada, 'Edit').click()
      await ui.nameField().fill('Ada King')
      client.endSession()
      await expect.element(ui.alert()).toMatchTextContent(signedOutText)
      const link = signInLink().element()
      const { x, y, width: w, height: h } = link.getBoundingClientRect()
      expect(document.elementFromPoint(x + w / 2, y + h / 2)?.closest('a')).toBe(link)
      const backgroundOf = (element: Element) => getComputedStyle(element).backgroundColor
      expect(backgroundOf(ui.updateButton().element())).not.toBe(backgroundOf(link))
      await client.identity.signIn(account.email, account.password)
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      await expect.element(ui.alert()).toBeEmptyDOMElement()
      await ui.form().getByRole('button', { name: 'Cancel' }).click()
    }
  })

  test.each(['visibilitychange', 'focus'])('continues on %s after a sign-in elsewhere', async (type) => {
    const { client } = await openEnded()
    await client.identity.signIn(account.email, account.password)
    document.dispatchEvent(new Event(type, { bubbles: true }))
    await ui.expectNames(ada, unsaved)
    await expect.poll(ui.readForm).toEqual(grace)
    await expect.element(ui.alert()).toBeEmptyDOMElement()
  })

  test('retains them also where the browser stores nothing, and says what closing the page would lose', async () => {
    vi.spyOn(Crypto.prototype, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto)
    const { client, stored } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    await ui.submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    await expect.element(page.getByText('Keep this page open until they are saved.')).toBeVisible()
    await ui.fillForm(grace)
    client.endSession()
    await expect.element(ui.alert()).toMatchTextContent(signedOutText)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn()
    await expect.element(unsavedEntry()).toBeVisible()
    await expect.poll(ui.readForm).toEqual(grace)
    repair()
    await ui.outboxEntry('Lost Soul').getByRole('button', { name: 'Retry' }).click()
    await expect.poll(stored).toEqual([ada, unsaved])
  })

  test('says to who signs in next that they wait in the tab, where the browser stores nothing', async () => {
    vi.spyOn(Crypto.prototype, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto)
    const { client, stored } = await openRecords([ada])
    // What tells it is loaded with the tooltips, once the page is idle.
    await expect.element(page.getByCss('[popover=manual]')).toBeInTheDocument()
    const repair = client.failCalls(storageFull)
    await ui.submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    client.endSession()
    repair()
    await page.getByRole('link', { name: 'Sign in' }).click()
    const other = { ...account, email: 'other@example.com' }
    await client.identity.createAccount(other.email, other.password)
    await signIn(other)
    const waiting = page.getByText(`Unsaved changes of ${account.email} wait in this tab.`)
    await expect.element(waiting).toBeVisible()
    await expect.element(unsavedEntry()).not.toBeInTheDocument()
    client.endSession()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn()
    await expect.element(unsavedEntry()).toBeVisible()
    await expect.element(waiting).not.toBeInTheDocument()
    await ui.outboxEntry('Lost Soul').getByRole('button', { name: 'Retry' }).click()
    await expect.poll(stored).toEqual([ada, unsaved])
  })

  test('makes logout ask before it deletes unsaved changes', async () => {
    await openEnded()
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('2 changes are not saved')
    await confirmLogout()
    await ui.expectPath('/')
    await expect.poll(countStoredRows).toBe(0)
  })
})

describe('logout', () => {
  test('waits for operations in flight, so that they are saved', { tags: 'main' }, async () => {
    const { client, stored } = await openRecords()
    const release = client.holdCalls()
    for (const employee of [ada, grace]) await ui.submitEmployee(employee)
    await ui.button('Logout').dblClick()
    expect(client.countCalls('signOut')).toBe(0)
    release()
    await ui.expectPath('/')
    expect([stored(), client.countCalls('signOut')]).toEqual([[ada, grace], 1])
  })

  test('asks before it deletes unsaved changes; Enter and Escape cancel', { tags: 'main' }, async () => {
    const testPage = await openRecords()
    testPage.client.failCalls(storageFull)
    for (const [employee, changes, key] of [
      [unsaved, '1 change is not saved', '{Escape}'],
      [ada, '2 changes are not saved', '{Enter}'],
    ] as const) {
      await ui.submitEmployee(employee)
      await expect.element(ui.outboxEntry(`Not saved: ${nameOf(employee)}`)).toBeVisible()
      await logOut()
      await expect.element(unsavedDialog()).toMatchTextContent(changes)
      await expect.element(unsavedDialog().getByRole('button', { name: 'Stay logged in' })).toHaveFocus()
      await userEvent.keyboard(key)
      await expect.element(unsavedDialog()).not.toBeInTheDocument()
      await expect.element(ui.button('Logout')).toHaveFocus()
    }
    await ui.expectPath('/form')
    await testPage.reload()
    await expect.element(ui.outboxEntries()).toHaveLength(2)
    await logOut()
    await confirmLogout()
    await ui.expectPath('/')
    await signIn()
    await expect.element(ui.form()).toBeVisible()
    await expect.element(ui.outboxList()).toBeEmptyDOMElement()
    await expect.element(ui.names()).toHaveLength(0)
  })

  test('continues without an answer when everything has been saved in the meantime', async () => {
    const { client } = await openRecords()
    const release = client.holdCalls()
    await ui.submitEmployee(ada)
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('1 change is not saved')
    release()
    await ui.expectPath('/')
    await signIn()
    await ui.expectNames(ada)
  })

  test('security: leaves no records for the account that signs in next', { tags: 'main' }, async () => {
    const { client } = await openRecords([ada])
    await ui.rowButton(ada, 'Show password').click()
    await logOut()
    await expect.element(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    for (const text of Object.values(ada)) expect(document.body.innerHTML).not.toContain(text)
    expect([...document.querySelectorAll('input')].map(({ value }) => value)).toEqual(['', ''])
    const release = client.holdCalls(['list'])
    const other = { ...account, email: 'other@example.com' }
    await client.identity.createAccount(other.email, other.password)
    await signIn(other)
    await expect.element(ui.form()).toBeVisible()
    await ui.expectNames()
    release()
    await ui.expectNames(ada)
  })

  test('security: is noticed by a page that the browser had kept for its Back button', async () => {
    await openRecords([ada])
    // Such a page misses the event of this.
    localStorage.removeItem('user')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await ui.expectPath('/')
  })

  test('asks before it deletes the unsaved changes of other tabs, unless they are saved in the meantime', async () => {
    await openRecords()
    await expect.element(ui.form()).toBeVisible()
    const user = JSON.parse(localStorage.getItem('user') ?? '')
    const otherTab = { id: 'other', getOtherTabIds: async () => new Set<string>() }
    const other = await openEncryptedStore(user.uid, otherTab, () => true)
    await other.put('form-other', { fields: unsaved, editing: null })
    await ui.nameField().fill('Half typed')
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('2 changes are not saved')
    await expect.element(unsavedDialog()).toMatchTextContent('1 of them is in another tab.')
    await unsavedDialog().getByRole('button', { name: 'Stay logged in' }).click()
    await ui.nameField().fill('')
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('1 change is not saved')
    await ui.expectPath('/form')
    await other.delete('form-other')
    await ui.expectPath('/')
  })

  test('fails without the service, and loses nothing @spec-8', async () => {
    allowConsole(/Logout failed/)
    const { client } = await openRecords()
    await client.cutNetwork()
    await ui.submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    await logOut()
    await confirmLogout()
    const logged = () => vi.mocked(console.error).mock.calls
    await expect.poll(logged).toContainEqual(['Logout failed:', expect.anything()])
    await expect.element(unsavedDialog()).not.toBeInTheDocument()
    await expect.poll(isInert).toBe(false)
    await ui.expectPath('/form')
    await expect.element(unsavedEntry()).toBeVisible()
    await client.restoreNetwork()
    await ui.expectNames(unsaved)
    await logOut()
    await ui.expectPath('/')
  })
})

test('a browser storage that cannot be read is reported; the page works, and logs out', async () => {
  const testPage = await openRecords()
  const repair = testPage.client.failCalls(storageFull)
  await ui.submitEmployee(unsaved)
  await expect.element(unsavedEntry()).toBeVisible()
  repair()
  const readError = () => {
    throw new DOMException('unreadable', 'UnknownError')
  }
  const broken = vi.spyOn(IDBObjectStore.prototype, 'getAllKeys').mockImplementation(readError)
  await testPage.reload()
  const message = 'Unsaved changes from your last visit can’t be read right now.'
  await expect.element(ui.alert()).toMatchTextContent(message)
  await ui.addEmployee(ada)
  broken.mockRestore()
  await testPage.reload()
  await expect.element(unsavedEntry()).toBeVisible()
  vi.spyOn(IDBObjectStore.prototype, 'getAllKeys').mockImplementation(readError)
  await testPage.reload()
  await logOut()
  await ui.expectPath('/')
})

test('offers to reload the page once the browser has stored a newer build, again after another message', async () => {
  const isStored = vi.spyOn(caches, 'match').mockResolvedValue(new Response())
  await openRecords([ada])
  // What is loaded while the page is idle.
  await expect.element(page.getByCss('[popover=manual]')).toBeInTheDocument()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const changeWorker = () => navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))
  changeWorker()
  await expect.poll(() => isStored.mock.settledResults.length).toBe(1)
  await expect.element(ui.toast()).not.toBeInTheDocument()
  isStored.mockResolvedValue(undefined)
  changeWorker()
  await expect.element(ui.button('Reload')).toBeVisible()
  vi.advanceTimersByTime(2 * messageDurationMs)
  await expect.element(ui.toast('A new version is ready.')).toBeVisible()
  await ui.rowButton(ada, 'Copy email').click()
  await expect.element(ui.toast(/./)).toMatchTextContent('Email of Ada Lovelace copied.')
  vi.advanceTimersByTime(messageDurationMs)
  await expect.element(ui.button('Reload')).toBeVisible()
})
