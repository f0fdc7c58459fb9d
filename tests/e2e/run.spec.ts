// Passwords that are replaced one after the other.
import { expect, test } from '../support/e2e/fixture.ts'
import { dumpStorage } from '../support/e2e/records.ts'
import { ada, alan, grace } from '../support/people.ts'

test('a run goes on after a reload, and is undone as a whole', { tag: '@main' }, async ({
  records,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const weak = [ada, alan, grace].map((record) => ({ ...record, password: 'summer2024' }))
  await records.create(...weak)
  await page.getByRole('button', { name: '3 weak passwords' }).click()
  await records.press('Change 3…')
  const bar = page.getByRole('group', { name: 'Passwords to change' })
  await expect(bar).toContainText('1 of 3')
  await expect(records.updateButton).toBeFocused()
  const first = await records.read()
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('2 of 3 Ada Lovelace saved, new password copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.password)
  const suggested = await records.read()
  const { promise: pressed, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/run-bar-*.js', (route) => pressed.then(() => route.continue()))
  await page.reload()
  // The code of the run is still loading.
  await records.update()
  resolve()
  await expect(bar).toContainText('2 of 3')
  expect(await records.read()).toEqual(suggested)
  expect((await dumpStorage(page)).text).not.toMatch(/summer2024|Ada Lovelace/)
  await expect(records.updateButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('3 of 3')
  await page.keyboard.press('s')
  await expect(bar).toContainText('2 of 3 passwords changed.')
  await records.press('Undo all')
  await expect(page.getByText('2 passwords changed back.')).toBeVisible()
  await expect(page.getByRole('button', { name: '3 weak passwords' })).toBeVisible()
})
