// How the password of a record is replaced: many in a run, and one that has to be taken back.
import { expect, test } from '../support/e2e/fixture.ts'
import { dumpStorage } from '../support/e2e/records.ts'
import { ada, alan, grace } from '../support/people.ts'

test('a run goes on after a reload, and is undone as a whole', async ({ records, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const weak = [ada, alan, grace].map((record) => ({ ...record, password: 'summer2024' }))
  await records.create(...weak)
  await page.getByRole('button', { name: '3 weak passwords' }).click()
  await records.press('Start changing these passwords')
  const bar = page.getByRole('group', { name: 'Passwords to change' })
  await expect(bar).toContainText('1 of 3')
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
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('3 of 3')
  await page.keyboard.press('s')
  await expect(bar).toContainText('2 of 3 passwords changed.')
  await records.press('Undo all')
  await expect(page.getByText('2 passwords changed back.')).toBeVisible()
  await expect(page.getByRole('button', { name: '3 weak passwords' })).toBeVisible()
})

test('a new password that another system refuses is replaced by the previous one, which can be shown and used again', async ({
  records,
}) => {
  await records.add(ada)
  await records.edit(ada)
  await records.fill({ password: 'refused elsewhere' })
  await records.update()
  await expect(records.undoBar).toContainText('Saved Ada Lovelace')
  // The rows have just moved: for a moment they ignore the mouse.
  await records.rowOf(ada).press('Enter')
  const previous = records.form.getByRole('list', { name: 'Previous passwords' })
  await previous.getByRole('button', { name: 'Show' }).click()
  await expect(previous.getByRole('textbox')).toHaveValue(ada.password)
  await previous.getByRole('button', { name: 'Use again' }).click()
  await expect(records.field('password')).toHaveValue(ada.password)
  await records.update()
  await expect(records.form.getByRole('button', { name: 'Submit' })).toBeVisible()
  await records.rowButton(ada, 'Show password').click()
  await expect(records.rowOf(ada).getByRole('textbox')).toHaveValue(ada.password)
})
