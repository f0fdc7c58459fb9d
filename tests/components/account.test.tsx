import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { account } from '../support/people.ts'
import { openPage, openRecords, signIn } from '../support/render.tsx'
import { button, expectPath } from './elements.ts'
import { allowConsole } from './setup.ts'

describe('the account screens', () => {
  test('link to each other', async () => {
    await openPage('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expectPath('/signin')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expectPath('/')
  })

  test('show a signed-in visitor a link to /form', async () => {
    const testPage = await openRecords()
    for (const path of ['/', '/signin']) {
      await testPage.reload(path)
      await expect.element(page.getByText(`Signed in as ${account.email}`)).toBeVisible()
      await page.getByRole('link', { name: 'Open the register' }).click()
      await expectPath('/form')
    }
  })
})

describe('the dialog that changes the password', () => {
  const newPassword = 'another one of one’s own'
  const dialog = () => page.getByRole('dialog', { name: 'Change password' })
  const currentField = () => dialog().getByLabelText('Current password')
  const newField = () => dialog().getByLabelText('New password')

  async function changePassword(password: string, next: string) {
    await currentField().fill(password)
    await newField().fill(next)
    await dialog().getByRole('button', { name: 'Change password' }).click()
  }

  beforeEach(async () => {
    await openRecords()
    await button('Change password').click()
  })

  test('replaces the old password, and the session continues', async () => {
    await changePassword(account.password, newPassword)
    await expect.element(dialog()).toMatchTextContent('Your password is changed.')
    await expect.element(dialog().getByRole('button', { name: 'Close' }).last()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Change password')).toHaveFocus()
    await button('Logout').click()
    await expectPath('/')
    allowConsole(/Sign-in failed/)
    await signIn()
    await expect.element(page.getByRole('alert')).toMatchTextContent('Error:')
    await signIn({ ...account, password: newPassword })
    await expectPath('/form')
  })

  test('reports the error, retains the input, and focuses the invalid field', async () => {
    allowConsole(/The password was not changed/)
    await changePassword('not the one', newPassword)
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('The current password is not right.')
    await expect.element(currentField()).toHaveFocus()
    await expect.element(newField()).toHaveValue(newPassword)
    await changePassword(account.password, 'short')
    await expect.element(dialog().getByRole('alert')).toMatchTextContent('Please choose a password of 8')
    await expect.element(newField()).toHaveFocus()
  })

  test('starts in its first field, shows each password on request, and never has one in the markup', async () => {
    await expect.element(currentField()).toHaveFocus()
    await userEvent.keyboard('my old one')
    await expect.element(currentField()).toHaveValue('my old one')
    await dialog().getByRole('button', { name: 'Show the current one' }).click()
    await expect.element(currentField()).toHaveAttribute('type', 'text')
    await expect.element(newField()).toHaveAttribute('type', 'password')
    await dialog().getByRole('button', { name: 'Show the new one' }).click()
    await newField().fill(newPassword)
    await expect.element(newField()).toHaveAttribute('type', 'text')
    await expect.element(newField()).toHaveAttribute('autocomplete', 'new-password')
    await expect.element(currentField()).toHaveAttribute('autocomplete', 'current-password')
    for (const password of ['my old one', newPassword])
      expect(document.body.outerHTML.includes(password)).toBe(false)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog()).not.toBeInTheDocument()
  })
})
