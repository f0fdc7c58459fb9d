// The account of the person at the page.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { account, ada, add, expect, form, grace, row, signIn, test } from '../support/e2e/fixture.ts'

const newPassword = 'another one of one’s own'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Change password' })

async function change(page: Page, password: string, next: string) {
  await dialog(page).getByLabel('Current password').fill(password)
  await dialog(page).getByLabel('New password').fill(next)
  await dialog(page).getByRole('button', { name: 'Change password' }).click()
}

test.beforeEach(async ({ register }) => {
  await register.getByRole('button', { name: 'Change password' }).click()
})

test('account: a new password takes the place of the old one, and the page works on', async ({
  register,
  expectedErrors,
}) => {
  await change(register, account.password, newPassword)
  await expect(dialog(register)).toContainText('Your password is changed.')
  await expect(dialog(register).getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await register.keyboard.press('Enter')
  await expect(register.getByRole('button', { name: 'Change password' })).toBeFocused()
  await register.getByRole('button', { name: 'Logout' }).click()
  expectedErrors.push(/Sign-in failed/, /Failed to load resource/)
  await signIn(register).catch(() => {})
  await expect(register.getByRole('alert')).toContainText('Error:')
  await signIn(register, { ...account, password: newPassword })
  await expect(register).toHaveURL('/form')
})

test('account: a new password brings a new cookie, and every tab of this browser works and hears on with it', async ({
  register,
  context,
}) => {
  const tab = await context.newPage()
  await tab.goto('/form')
  await expect(form(tab)).toBeVisible()
  const tokenOf = async () => (await context.cookies()).find(({ name }) => name === 'session')?.value
  const before = await tokenOf()
  await change(register, account.password, newPassword)
  await expect(dialog(register)).toContainText('Your password is changed.')
  expect(await tokenOf()).not.toBe(before)
  await register.keyboard.press('Enter')
  await add(register, ada)
  await expect(row(tab, ada.eName)).toBeVisible()
  await add(tab, grace)
  await expect(row(register, grace.eName)).toBeVisible()
})

test('account: what is wrong is said, what was typed stays, and the field has the focus', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/The password was not changed/, /Failed to load resource/)
  await change(register, 'not the one', newPassword)
  await expect(dialog(register).getByRole('alert')).toHaveText('The current password is not right.')
  await expect(dialog(register).getByLabel('Current password')).toBeFocused()
  await expect(dialog(register).getByLabel('New password')).toHaveValue(newPassword)
  await change(register, account.password, 'password')
  await expect(dialog(register).getByRole('alert')).toContainText('password')
  await expect(dialog(register).getByLabel('New password')).toBeFocused()
})

test('account: it opens with the focus on the first field, and each password can be shown', async ({
  register,
}) => {
  const current = dialog(register).getByLabel('Current password')
  const next = dialog(register).getByLabel('New password')
  await expect(current).toBeFocused()
  await register.keyboard.type('my old one')
  await expect(current).toHaveValue('my old one')
  await dialog(register).getByRole('button', { name: 'Show the current one' }).click()
  await expect(current).toHaveAttribute('type', 'text')
  await expect(next).toHaveAttribute('type', 'password')
  await dialog(register).getByRole('button', { name: 'Show the new one' }).click()
  await next.fill(newPassword)
  await expect(next).toHaveAttribute('type', 'text')
  await expect(next).toHaveAttribute('autocomplete', 'new-password')
  await expect(current).toHaveAttribute('autocomplete', 'current-password')
  const markup = await register.content()
  for (const secret of ['my old one', newPassword]) expect(markup).not.toContain(secret)
})

test('account: axe finds nothing, no password stands in the markup, and Escape leaves', async ({
  register,
}) => {
  await dialog(register).getByLabel('New password').fill(newPassword)
  expect(await register.content()).not.toContain(newPassword)
  for (const colorScheme of ['light', 'dark'] as const) {
    await register.emulateMedia({ reducedMotion: 'reduce', colorScheme })
    await register.setViewportSize({ width: 320, height: 640 })
    const { violations } = await new AxeBuilder({ page: register }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }
  await register.keyboard.press('Escape')
  await expect(dialog(register)).toHaveCount(0)
})
