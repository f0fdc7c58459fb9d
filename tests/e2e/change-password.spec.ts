// The account of the person at the page.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import {
  account,
  ada,
  addEmployee,
  expect,
  form,
  grace,
  rowOf,
  signIn,
  test,
} from '../support/e2e/fixture.ts'

const newPassword = 'another one of one’s own'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Change password' })

async function changePassword(page: Page, password: string, next: string) {
  await dialog(page).getByLabel('Current password').fill(password)
  await dialog(page).getByLabel('New password').fill(next)
  await dialog(page).getByRole('button', { name: 'Change password' }).click()
}

test.beforeEach(async ({ recordsPage }) => {
  await recordsPage.getByRole('button', { name: 'Change password' }).click()
})

test('account: a new password takes the place of the old one, and the page works on', async ({
  recordsPage,
  expectedErrors,
}) => {
  await changePassword(recordsPage, account.password, newPassword)
  await expect(dialog(recordsPage)).toContainText('Your password is changed.')
  await expect(dialog(recordsPage).getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await recordsPage.keyboard.press('Enter')
  await expect(recordsPage.getByRole('button', { name: 'Change password' })).toBeFocused()
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  expectedErrors.push(/Sign-in failed/, /Failed to load resource/)
  await signIn(recordsPage).catch(() => {})
  await expect(recordsPage.getByRole('alert')).toContainText('Error:')
  await signIn(recordsPage, { ...account, password: newPassword })
  await expect(recordsPage).toHaveURL('/form')
})

test('account: a new password brings a new cookie, and every tab of this browser works and hears on with it', async ({
  recordsPage,
  context,
}) => {
  const tab = await context.newPage()
  await tab.goto('/form')
  await expect(form(tab)).toBeVisible()
  const tokenOf = async () => (await context.cookies()).find(({ name }) => name === 'session')?.value
  const before = await tokenOf()
  await changePassword(recordsPage, account.password, newPassword)
  await expect(dialog(recordsPage)).toContainText('Your password is changed.')
  expect(await tokenOf()).not.toBe(before)
  await recordsPage.keyboard.press('Enter')
  await addEmployee(recordsPage, ada)
  await expect(rowOf(tab, ada.eName)).toBeVisible()
  await addEmployee(tab, grace)
  await expect(rowOf(recordsPage, grace.eName)).toBeVisible()
})

test('account: what is wrong is said, what was typed stays, and the field has the focus', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/The password was not changed/, /Failed to load resource/)
  await changePassword(recordsPage, 'not the one', newPassword)
  await expect(dialog(recordsPage).getByRole('alert')).toHaveText('The current password is not right.')
  await expect(dialog(recordsPage).getByLabel('Current password')).toBeFocused()
  await expect(dialog(recordsPage).getByLabel('New password')).toHaveValue(newPassword)
  await changePassword(recordsPage, account.password, 'password')
  await expect(dialog(recordsPage).getByRole('alert')).toContainText('password')
  await expect(dialog(recordsPage).getByLabel('New password')).toBeFocused()
})

test('account: it opens with the focus on the first field, and each password can be shown', async ({
  recordsPage,
}) => {
  const current = dialog(recordsPage).getByLabel('Current password')
  const next = dialog(recordsPage).getByLabel('New password')
  await expect(current).toBeFocused()
  await recordsPage.keyboard.type('my old one')
  await expect(current).toHaveValue('my old one')
  await dialog(recordsPage).getByRole('button', { name: 'Show the current one' }).click()
  await expect(current).toHaveAttribute('type', 'text')
  await expect(next).toHaveAttribute('type', 'password')
  await dialog(recordsPage).getByRole('button', { name: 'Show the new one' }).click()
  await next.fill(newPassword)
  await expect(next).toHaveAttribute('type', 'text')
  await expect(next).toHaveAttribute('autocomplete', 'new-password')
  await expect(current).toHaveAttribute('autocomplete', 'current-password')
  const markup = await recordsPage.content()
  for (const secret of ['my old one', newPassword]) expect(markup).not.toContain(secret)
})

test('account: axe finds nothing, no password stands in the markup, and Escape leaves', async ({
  recordsPage,
}) => {
  await dialog(recordsPage).getByLabel('New password').fill(newPassword)
  expect(await recordsPage.content()).not.toContain(newPassword)
  for (const colorScheme of ['light', 'dark'] as const) {
    await recordsPage.emulateMedia({ reducedMotion: 'reduce', colorScheme })
    await recordsPage.setViewportSize({ width: 320, height: 640 })
    const { violations } = await new AxeBuilder({ page: recordsPage }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }
  await recordsPage.keyboard.press('Escape')
  await expect(dialog(recordsPage)).toHaveCount(0)
})
