import {
  addEmployee,
  dumpStorage,
  expect,
  fillForm,
  form,
  outboxEntry,
  readForm,
  rowButton,
  rowOf,
  submitEmployee,
  table,
  test,
  waitUntilStored,
} from '../support/e2e/fixture.ts'
import { account, ada, grace, named } from '../support/people.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })
test.beforeEach(({ expectedErrors }) => {
  // The browser logs every failed request.
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
})

test('no password is readable in any browser storage, and logout deletes what was stored', async ({
  recordsPage,
  backend,
}) => {
  await addEmployee(recordsPage, ada)
  await rowButton(recordsPage, ada, 'Delete').click()
  await backend.rejectWrites(recordsPage)
  await submitEmployee(recordsPage, unsaved)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await fillForm(recordsPage, grace)
  await waitUntilStored(recordsPage, 3)

  const { text } = await dumpStorage(recordsPage)
  for (const secret of [ada.password, unsaved.password, grace.password, account.password, unsaved.email]) {
    expect(text).not.toContain(secret)
  }
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  await recordsPage.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(recordsPage).toHaveURL('/')
  expect(await dumpStorage(recordsPage)).toMatchObject({ rows: 0 })
})

test('a reload right after a submit restores nothing that has been sent', async ({ recordsPage }) => {
  for (let turn = 0; turn < 3; turn++) {
    await addEmployee(recordsPage, named(`Ada ${turn}`))
    await recordsPage.reload()
    await expect(rowOf(recordsPage, `Ada ${turn}`)).toBeVisible()
    await expect(form(recordsPage).getByRole('textbox', { name: 'Employee Name' })).toHaveValue('')
  }
})

test('without WebCrypto, the browser asks before the page is closed with unsaved data', async ({
  page,
  recordsPage,
}) => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
  await recordsPage.reload()
  await expect(table(recordsPage)).toBeAttached()
  await fillForm(recordsPage, unsaved)
  const dialogs: string[] = []
  recordsPage.on('dialog', async (dialog) => {
    dialogs.push(dialog.type())
    await dialog.accept()
  })
  await recordsPage.reload()
  expect(dialogs).toEqual(['beforeunload'])
  expect(Object.values(await readForm(recordsPage)).join('')).toBe('')
})
