import { addEmployee, expect, form, rowOf, testWithOwnServer } from '../support/e2e/fixture.ts'
import { account, ada, grace } from '../support/people.ts'

testWithOwnServer(
  'a changed password replaces the session cookie, and every tab of the browser stays signed in and live',
  async ({ recordsPage, context, expectedErrors }) => {
    // The event stream may be opened again before the new cookie has arrived.
    expectedErrors.push(/401/)
    const otherTab = await context.newPage()
    await otherTab.goto('/form')
    await expect(form(otherTab)).toBeVisible()
    const readToken = async () => (await context.cookies()).find(({ name }) => name === 'session')?.value
    const before = await readToken()
    await recordsPage.getByRole('button', { name: 'Account menu' }).click()
    await recordsPage.getByRole('button', { name: 'Change password' }).click()
    const dialog = recordsPage.getByRole('dialog', { name: 'Change password' })
    await dialog.getByLabel('Current password', { exact: true }).fill(account.password)
    await dialog.getByLabel('New password', { exact: true }).fill('another one of one’s own')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(dialog).toContainText('Password changed.')
    expect(await readToken()).not.toBe(before)
    await recordsPage.keyboard.press('Enter')
    await addEmployee(recordsPage, ada)
    await expect(rowOf(otherTab, ada)).toBeVisible()
    await addEmployee(otherTab, grace)
    await expect(rowOf(recordsPage, grace)).toBeVisible()
  },
)
