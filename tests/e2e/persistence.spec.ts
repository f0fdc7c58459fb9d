import {
  addEmployee,
  dumpStorage,
  edit,
  expect,
  expectNames,
  fillForm,
  form,
  outboxEntry,
  outboxList,
  readForm,
  rowButton,
  rowOf,
  submitEmployee,
  table,
  test,
  update,
  waitUntilStored,
} from '../support/e2e/fixture.ts'
import { account, ada, grace, named, renamed } from '../support/people.ts'

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

test('nothing is lost when the page goes offline during an edit and is reloaded before it is online again', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  const context = recordsPage.context()

  await edit(recordsPage, ada)
  await context.setOffline(true)
  await fillForm(recordsPage, renamed('Ada King'))
  await update(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Ada King')).toBeVisible()
  await edit(recordsPage, grace)
  await fillForm(recordsPage, { password: 'half a passw' })
  await waitUntilStored(recordsPage, 2)
  await recordsPage.reload().catch(() => {})

  await context.setOffline(false)
  await recordsPage.goto('/form')
  await expect.poll(() => readForm(recordsPage)).toEqual({ ...grace, password: 'half a passw' })
  await expect(form(recordsPage).getByRole('button', { name: 'Update' })).toBeVisible()
  await expectNames(recordsPage, 'Ada King', grace)
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
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
