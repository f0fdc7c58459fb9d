import { allowConsole, expect, test } from '../support/e2e/fixture.ts'
import { dumpStorage } from '../support/e2e/records.ts'
import { account, ada, grace, named } from '../support/people.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })

test('no password is readable in any browser storage, and logout deletes what was stored', {
  tag: '@main',
}, async ({ records, page, backend }) => {
  // The browser logs every failed request.
  allowConsole(/Failed to load resource/, /net::ERR/)
  await records.add(ada)
  await records.delete(ada)
  await backend.rejectWrites(page)
  await records.submit(unsaved)
  await expect(records.entry('Not saved: Lost Soul')).toBeVisible()
  await records.fill(grace)
  await records.waitUntilStored(3)
  const { text } = await dumpStorage(page)
  for (const secret of [ada.password, unsaved.password, grace.password, account.password, unsaved.email])
    expect(text).not.toContain(secret)
  await records.press('Logout')
  await records.press('Log out and discard')
  await expect(page).toHaveURL('/')
  expect(await dumpStorage(page)).toMatchObject({ rows: 0 })
})

test('a reload right after a submit restores nothing that has been sent', async ({ records, page }) => {
  await records.add(ada)
  await page.reload()
  await expect(records.rowOf(ada)).toBeVisible()
  expect(Object.values(await records.read()).join('')).toBe('')
})

test('an exception is told, and Reload shows the page with what was typed', async ({ records, page }) => {
  allowConsole(/broken/)
  await records.add(ada)
  await records.fill(grace)
  await page.getByRole('searchbox').focus()
  await page.evaluate(() => {
    const get = () => {
      throw new Error('broken')
    }
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get })
  })
  // Whatever is rendered next meets the exception, perhaps before the key.
  await page.keyboard.press('a')
  await expect(page.getByRole('alert')).toHaveText(
    'The page stopped because of an error. Your unsaved changes are kept.',
  )
  await page.getByRole('button', { name: 'Reload' }).click()
  await records.expectNames(ada)
  expect(await records.read()).toEqual(grace)
})

test('without WebCrypto, the browser asks before the page is closed with unsaved data', async ({
  records,
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
  await page.reload()
  await expect(records.table).toBeAttached()
  await records.fill(unsaved)
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.type())
    await dialog.accept()
  })
  await page.reload()
  expect(dialogs).toEqual(['beforeunload'])
  expect(Object.values(await records.read()).join('')).toBe('')
})
