import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { account } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import { button, expectPath } from './elements.ts'
import { allowConsole } from './setup.ts'

const newPassword = 'a new and good one'

describe('a link that sets a new password', () => {
  beforeEach(() => sessionStorage.clear())

  /** Opens a link for `account` in a browser that is not signed in. */
  async function openLink() {
    const testPage = await openRecords()
    localStorage.clear()
    testPage.backend.settings.resetLinks.set('the-token', account.email)
    await testPage.reload('/signin#reset=the-token')
    await expect.element(page.getByRole('heading', { name: 'Set a New Password' })).toBeVisible()
    return testPage
  }
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })

  test('sets it for the account that is shown, and leads to the sign-in screen', async () => {
    await openLink()
    for (const text of [location.href, JSON.stringify(history.state), document.documentElement.outerHTML])
      expect(text).not.toContain('the-token')
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    await expect.element(page.getByLabelText('Password', { exact: true })).toHaveFocus()
    await userEvent.keyboard(newPassword)
    await userEvent.keyboard('{Enter}')
    await expect.element(status('Your new password is set. Please sign in.')).toBeVisible()
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    expect(JSON.stringify(sessionStorage)).not.toContain('the-token')
    await page.getByLabelText('Password', { exact: true }).fill(newPassword)
    await userEvent.keyboard('{Enter}')
    await expectPath('/form')
  })

  test('survives a reload, and keeps a password that is refused', async () => {
    allowConsole(/The password was not set/)
    const { reload } = await openLink()
    await reload('/signin')
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
    await page.getByLabelText('Password', { exact: true }).fill('short')
    await button('Set Password').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/8 .*128 characters/)
    await expect.element(page.getByLabelText('Password', { exact: true })).toHaveValue('short')
  })

  test('that has expired or was used says so on the sign-in screen', async () => {
    const testPage = await openLink()
    testPage.backend.settings.resetLinks.clear()
    await testPage.reload('/signin#reset=the-token')
    await expect.element(status('This link has expired or was used. Ask for a new one.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  test('can be left for the sign-in screen', async () => {
    await openLink()
    await button('Sign in instead').click()
    await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  test('can be used after the connection was lost', async () => {
    const { client, reload } = await openLink()
    await client.cutNetwork()
    await reload('/signin')
    await expect.element(status('Reload the page to try again.')).toBeVisible()
    await client.restoreNetwork()
    await reload('/signin')
    await expect.element(page.getByLabelText('Email')).toHaveValue(account.email)
  })
})
