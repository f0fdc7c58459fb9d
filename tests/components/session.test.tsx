import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openEncryptedStore } from '../../web/records/outbox/encrypted-store.ts'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, grace, named, nameOf } from '../support/people.ts'
import { openRecords, signIn, type TestPage } from '../support/render.tsx'
import {
  accountPassword,
  addEmployee,
  alert,
  button,
  chooseInMenu,
  dialog,
  expectNames,
  expectPath,
  fillForm,
  form,
  nameField,
  names,
  outboxEntries,
  outboxEntry,
  outboxList,
  passwordField,
  readForm,
  rowButton,
  submitEmployee,
} from './elements.ts'
import { allowConsole, countStoredRows } from './setup.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })
const unsavedEntry = () => outboxEntry('Not saved: Lost Soul')
const storageFull = serviceError('storage-full')
const logOut = () => button('Logout').click()
const unsavedDialog = () => dialog('not saved')
const signedOutText = 'You’ve been signed out. Sign in to see the records.'

async function resetPassword({ backend, colleague }: TestPage) {
  backend.settings.resetLinks.set('token', account.email)
  await (await colleague.identity.loadTeam?.())?.resetPassword('token', 'a new and long one')
}

async function endUnnoticed({ client }: TestPage) {
  client.endSession({ isNoticed: false })
  await client.identity.sessions?.list().catch(() => {})
}

const confirmLogout = () => unsavedDialog().getByRole('button', { name: 'Log out and discard' }).click()

describe('a session that has ended', () => {
  test.each<[string, (testPage: TestPage) => unknown]>([
    ['expired', ({ client }) => client.endSession()],
    ['was removed with its account', ({ backend }) => backend.removeAccount(account.email)],
    ['was ended by a reset link', resetPassword],
    ['is refused by any call', endUnnoticed],
  ])('that %s takes the records from the page', async (_, end) => {
    const testPage = await openRecords([ada, grace])
    await rowButton(ada, 'Copy password').click()
    await expect.poll(() => navigator.clipboard.readText()).toBe(ada.password)
    await rowButton(grace, 'Show password').click()
    await rowButton(grace, 'Edit').click()
    await fillForm({ email: 'typed@example.com' })
    await button('Show password').click()
    await end(testPage)
    await expect.element(alert()).toMatchTextContent(`${signedOutText} Your unsaved changes are kept.`)
    await expectNames()
    await expect.element(page.getByText('No employees yet')).not.toBeInTheDocument()
    await expect.poll(() => navigator.clipboard.readText()).toBe('')
    await expect.element(passwordField()).toHaveAttribute('type', 'password')
    await expect.element(button('Show password')).toBeDisabled()
    await expect.poll(readForm).toEqual({ ...grace, email: 'typed@example.com' })
    await expectPath('/form')
  })

  test('closes the dialogs that show records, and tells of no weak password', async () => {
    const { client } = await openRecords([ada, { ...grace, password: 'summer2024' }])
    await rowButton(ada, 'Delete').click()
    await expectNames(grace)
    await expect.element(button('1 weak password')).toBeVisible()
    await chooseInMenu('Recently deleted')
    await expect.element(button('Restore Ada Lovelace')).toBeVisible()
    client.endSession()
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(alert()).toHaveTextContent(signedOutText)
  })

  test('retains the outbox and the form until the user has signed in again', async () => {
    const { client } = await openRecords([ada])
    client.endSession()
    await submitEmployee(unsaved)
    await expect.element(alert()).toMatchTextContent(signedOutText)
    await expect.element(unsavedEntry()).toBeVisible()
    await fillForm(grace)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect.element(page.getByText('Sign in to continue. Your unsaved changes are kept.')).toBeVisible()
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    await expect.element(accountPassword()).toHaveFocus()
    await expect.element(page.getByRole('link', { name: 'Open the register' })).not.toBeInTheDocument()
    await signIn()
    await expectNames(ada, unsaved)
    await expect.poll(readForm).toEqual(grace)
    await expect.element(alert()).toBeEmptyDOMElement()
  })

  test('continues when the user returns after signing in again in another tab', async () => {
    const { client } = await openRecords([ada])
    client.endSession()
    await submitEmployee(unsaved)
    await fillForm(grace)
    await expect.element(alert()).toMatchTextContent(signedOutText)
    await client.identity.signIn(account.email, account.password)
    document.dispatchEvent(new Event('visibilitychange'))
    await expectNames(ada, unsaved)
    await expect.poll(readForm).toEqual(grace)
    await expect.element(alert()).toBeEmptyDOMElement()
  })

  test('makes logout ask before it deletes unsaved changes', async () => {
    const { client } = await openRecords()
    client.endSession()
    await submitEmployee(unsaved)
    await expect.element(alert()).toMatchTextContent('Your unsaved changes are kept.')
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('1 change is not saved')
    await confirmLogout()
    await expectPath('/')
    await expect.poll(countStoredRows).toBe(0)
  })
})

describe('logout', () => {
  test('waits for operations in flight, so that they are saved', async () => {
    const { client, backend } = await openRecords()
    const release = client.holdCalls()
    for (const employee of [ada, grace]) await submitEmployee(employee)
    await logOut()
    expect(client.countCalls('signOut')).toBe(0)
    release()
    await expectPath('/')
    expect(backend.employees().map(nameOf)).toEqual(['Ada Lovelace', 'Grace Hopper'])
  })

  test('asks before it deletes unsaved changes; Enter and Escape cancel', async () => {
    const testPage = await openRecords()
    testPage.client.failCalls(storageFull)
    for (const [employee, changes, key] of [
      [unsaved, '1 change is not saved', '{Escape}'],
      [ada, '2 changes are not saved', '{Enter}'],
    ] as const) {
      await submitEmployee(employee)
      await expect.element(outboxEntry(`Not saved: ${nameOf(employee)}`)).toBeVisible()
      await logOut()
      await expect.element(unsavedDialog()).toMatchTextContent(changes)
      await expect.element(unsavedDialog().getByRole('button', { name: 'Stay logged in' })).toHaveFocus()
      await userEvent.keyboard(key)
      await expect.element(unsavedDialog()).not.toBeInTheDocument()
      await expect.element(button('Logout')).toHaveFocus()
    }
    await expectPath('/form')
    await testPage.reload()
    await expect.element(outboxEntries()).toHaveLength(2)
    await logOut()
    await confirmLogout()
    await expectPath('/')
    await signIn()
    await expect.element(form()).toBeVisible()
    await expect.element(outboxList()).toBeEmptyDOMElement()
    await expect.element(names()).toHaveLength(0)
  })

  test('continues without an answer when everything has been saved in the meantime', async () => {
    const { client } = await openRecords()
    const release = client.holdCalls()
    await submitEmployee(ada)
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('1 change is not saved')
    release()
    await expectPath('/')
    await signIn()
    await expectNames(ada)
  })

  test('security: leaves no records for the account that signs in next', async () => {
    const { client } = await openRecords([ada])
    await logOut()
    await expectPath('/')
    const release = client.holdCalls(['list'])
    const other = { ...account, email: 'other@example.com' }
    await client.identity.createAccount(other.email, other.password)
    await signIn(other)
    await expect.element(form()).toBeVisible()
    await expectNames()
    release()
    await expectNames(ada)
  })

  test('security: is noticed by a page that the browser had kept for its Back button', async () => {
    await openRecords([ada])
    // Such a page misses the event of this.
    localStorage.removeItem('user')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await expectPath('/')
  })

  test('asks before it deletes the unsaved changes of other tabs, unless they are saved in the meantime', async () => {
    await openRecords()
    await expect.element(form()).toBeVisible()
    const user = JSON.parse(localStorage.getItem('user') ?? '')
    const otherTab = await openEncryptedStore(user.uid, {
      id: 'other',
      getOtherTabIds: async () => new Set(),
    })
    await otherTab.put('form-other', { fields: unsaved, editing: null })
    await nameField().fill('Half typed')
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('2 changes are not saved')
    await expect.element(unsavedDialog()).toMatchTextContent('1 of them is in another tab.')
    await unsavedDialog().getByRole('button', { name: 'Stay logged in' }).click()
    await nameField().fill('')
    await logOut()
    await expect.element(unsavedDialog()).toMatchTextContent('1 change is not saved')
    await expectPath('/form')
    await otherTab.delete('form-other')
    await expectPath('/')
  })

  test('fails without the service, and loses nothing @spec-8', async () => {
    allowConsole(/Logout failed/)
    const { client } = await openRecords()
    await client.cutNetwork()
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    await logOut()
    await confirmLogout()
    const logged = () => vi.mocked(console.error).mock.calls
    await expect.poll(logged).toContainEqual(['Logout failed:', expect.anything()])
    await expect.element(unsavedDialog()).not.toBeInTheDocument()
    await expectPath('/form')
    await expect.element(unsavedEntry()).toBeVisible()
    await client.restoreNetwork()
    await expectNames(unsaved)
    await logOut()
    await expectPath('/')
  })
})

test('a browser storage that cannot be read is reported; the page works, and logs out', async () => {
  const testPage = await openRecords()
  const repair = testPage.client.failCalls(storageFull)
  await submitEmployee(unsaved)
  await expect.element(unsavedEntry()).toBeVisible()
  repair()
  const readError = () => {
    throw new DOMException('unreadable', 'UnknownError')
  }
  const broken = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(readError)
  await testPage.reload()
  const message = 'Unsaved changes from your last visit can’t be read right now.'
  await expect.element(alert()).toMatchTextContent(message)
  await addEmployee(ada)
  broken.mockRestore()
  await testPage.reload()
  await expect.element(unsavedEntry()).toBeVisible()
  for (const method of ['getAll', 'getAllKeys'] as const)
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(readError)
  await testPage.reload()
  await logOut()
  await expectPath('/')
})
