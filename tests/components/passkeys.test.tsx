import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type PasskeyService, ServiceError } from '../../web/backends/ports.ts'
import { serviceError } from '../support/memory-services.ts'
import { account } from '../support/people.ts'
import { openPage, openRecords, signIn, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

const cancelled = new ServiceError('cancelled', 'Cancelled.')

async function addPasskey({ client }: TestPage, name = 'Laptop') {
  const passkeys = client.identity.passkeys as PasskeyService
  await passkeys.create(name, account.password)
}

describe('the sign-in screen', () => {
  const passkeyButton = () => ui.button('Use a passkey')

  async function chooseSuggested({ settings }: TestPage['backend']) {
    await expect.poll(() => settings.chooseSuggested).toBeDefined()
    settings.chooseSuggested?.()
  }

  /** Opens it for `account`, which has a passkey. */
  async function openSignIn() {
    const testPage = await openRecords()
    await addPasskey(testPage)
    await ui.button('Logout').click()
    await ui.expectPath('/')
    await testPage.reload('/signin')
    await expect.element(passkeyButton()).toBeVisible()
    return testPage
  }

  test('suggests a passkey, which signs in as a password does', { tags: 'main' }, async () => {
    const { backend, colleague } = await openSignIn()
    await expect.element(page.getByLabelText('Email')).toHaveFocus()
    const { team } = colleague.identity
    const own = (await team?.listColleagues())?.find(({ email }) => email === account.email)
    await team?.createPasswordReset(own?.id ?? '', 'another long one')
    await chooseSuggested(backend)
    await ui.expectPath('/form')
    const notice = page.getByText('colleague@example.com made a link to reset your password')
    await expect.element(notice).toBeVisible()
  })

  test('offers a button too; after a refusal it says nothing, suggests again, and the password still works', {
    tags: 'main',
  }, async () => {
    const { backend } = await openSignIn()
    backend.settings.passkeyRefusal = cancelled
    await passkeyButton().click()
    await expect.element(passkeyButton()).toHaveFocus()
    await expect.element(ui.alert()).toBeEmptyDOMElement()
    backend.settings.passkeyRefusal = undefined
    await passkeyButton().click()
    await ui.expectPath('/form')
    await ui.button('Logout').click()
    await signIn()
    await ui.expectPath('/form')
  })

  test('says that a passkey is not accepted, and suggests others again once somebody acts', async () => {
    allowConsole(/Sign-in failed/)
    const testPage = await openSignIn()
    const { settings } = testPage.backend
    const removed = new Map(settings.passkeys)
    const stopFailing = testPage.client.failCalls(serviceError('account-removed'), ['signIn'])
    await chooseSuggested(testPage.backend)
    await expect.element(ui.alert()).toMatchTextContent('Error: This account was removed.')
    stopFailing()
    settings.passkeys.clear()
    await passkeyButton().click()
    await expect.element(ui.alert()).toHaveTextContent('Error: This passkey isn’t accepted any more.')
    for (const [id, passkey] of removed) settings.passkeys.set(id, passkey)
    expect(settings.chooseSuggested).toBeUndefined()
    await page.getByLabelText('Email').click()
    await chooseSuggested(testPage.backend)
    await ui.expectPath('/form')
  })

  test('suggests nothing while a password is checked', async () => {
    allowConsole(/Sign-in failed/)
    const { backend, client } = await openSignIn()
    await expect.poll(() => backend.settings.chooseSuggested).toBeDefined()
    const release = client.holdCalls(['signIn', 'passkeys'])
    await passkeyButton().click()
    await signIn({ ...account, password: 'not the password' })
    await expect.element(page.getByText('Signing in…')).toBeInTheDocument()
    expect(backend.settings.chooseSuggested).toBeUndefined()
    release()
    await expect.element(ui.alert()).toMatchTextContent('Error:')
    await ui.expectPath('/signin')
    await chooseSuggested(backend)
    await ui.expectPath('/form')
  })

  test('offers the button once the browser is online, if the screen was opened offline', async () => {
    const { client, reload } = await openPage('/')
    await client.cutNetwork()
    await reload('/signin')
    await expect.poll(() => client.countCalls('passkeys')).toBeGreaterThan(0)
    await expect.element(passkeyButton()).not.toBeInTheDocument()
    await client.restoreNetwork()
    dispatchEvent(new Event('online'))
    await expect.element(passkeyButton()).toBeVisible()
  })

  test('shows nothing of passkeys where there are none', async () => {
    const testPage = await openPage('/signin')
    await expect.element(passkeyButton()).toBeVisible()
    testPage.backend.settings.unavailablePasskeys = 'plain-http'
    await testPage.reload()
    await expect.poll(() => testPage.client.countCalls('passkeys')).toBeGreaterThan(1)
    await expect.element(passkeyButton()).not.toBeInTheDocument()
    delete testPage.client.identity.passkeys
    await testPage.reload()
    await expect.element(page.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username')
    await expect.element(passkeyButton()).not.toBeInTheDocument()
  })
})

describe('the list of passkeys', () => {
  const section = () => ui.dialog().getByRole('region', { name: 'Passkeys' })
  const entries = () => section().getByRole('listitem')
  const addButton = () => section().getByRole('button', { name: 'Add a passkey' })
  const alert = () => section().getByRole('alert').filter({ hasText: /./ })
  const open = () => ui.chooseInMenu('Sessions and passkeys')

  async function enterPassword(password = account.password) {
    await section().getByLabelText('Your password', { exact: true }).fill(password)
    await userEvent.keyboard('{Enter}')
  }

  test('asks for the password, adds a passkey, names it as the browser or as one likes, and removes it', {
    tags: 'main',
  }, async () => {
    allowConsole(/Nothing was changed/)
    await openRecords()
    await open()
    await addButton().click()
    const nameField = section().getByLabelText('Name', { exact: true })
    await expect.element(nameField).toHaveValue('Firefox on Linux')
    await expect.element(section().getByLabelText('Your password', { exact: true })).toHaveFocus()
    await enterPassword('not the password')
    await expect.element(alert()).toHaveTextContent('That isn’t your password.')
    await nameField.fill(' Work laptop ')
    await enterPassword()
    await expect.element(section().getByText('Passkey “Work laptop” added.')).toBeVisible()
    await expect.element(addButton()).toHaveFocus()
    await addButton().click()
    await enterPassword()
    await ui.expectTexts(entries(), [
      /^Work laptop.*Added 3 May 2026 · not used yet · synced/,
      /^Firefox on Linux.*Added/,
    ])
    await section().getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
    await expect.element(section().getByText('Passkey “Work laptop” removed.')).toBeVisible()
    const removed = section().getByRole('button', { name: 'Removed the passkey Work laptop' })
    await expect.element(removed).toHaveFocus()
    await expect.element(removed).toHaveAttribute('aria-disabled', 'true')
  })

  test('says calmly that nothing was added after a refusal, and why another passkey cannot be added', async () => {
    allowConsole(/Nothing was changed/)
    const { backend } = await openRecords()
    await open()
    backend.settings.passkeyRefusal = cancelled
    await addButton().click()
    await enterPassword()
    await expect.element(section().getByRole('status')).toHaveTextContent('Cancelled. No passkey was added.')
    await expect.element(addButton()).toHaveFocus()
    backend.settings.passkeyRefusal = serviceError('too-many-passkeys')
    await addButton().click()
    await enterPassword()
    await expect.element(alert()).toMatchTextContent('This account has 20 passkeys.')
    await expect.element(section().getByCss('[name=password]')).toHaveAttribute('aria-invalid', 'false')
    await section().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(addButton()).toHaveFocus()
    await expect.element(entries()).toHaveLength(0)
  })

  test.each([
    ['Passkeys need HTTPS', 'plain-http'],
    ['Passkeys need a domain name', 'ip-address'],
    ['Passkeys aren’t set up on this server.', 'no-public-url'],
    ['This browser can’t use passkeys.', 'no-webauthn'],
  ] as const)('says why none can be added: %s', async (text, reason) => {
    const testPage = await openRecords()
    await addPasskey(testPage)
    testPage.backend.settings.unavailablePasskeys = reason
    await open()
    await expect.element(section().getByText(text)).toBeVisible()
    await expect.element(addButton()).not.toBeInTheDocument()
    await expect.element(entries()).toHaveLength(1)
  })
})
