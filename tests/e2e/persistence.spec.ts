// Unsaved data survives a reload of the real page, encrypted in the real browser storage.
import type { Page } from '@playwright/test'
import {
  addEmployee,
  dumpStorage,
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
  waitUntilStored,
} from '../support/e2e/fixture.ts'
import { account, ada, grace, renamed } from '../support/people.ts'

const unsaved = { eName: 'Lost Soul', email: 'lost@example.com', password: 'a secret that must not be lost' }
const startEditing = (page: Page, eName: string) => rowButton(page, eName, 'Edit').click()
const pressUpdate = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()

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

test('logout asks because of a half-typed record in another tab', async ({ recordsPage }) => {
  const otherTab = await recordsPage.context().newPage()
  await otherTab.goto('/form')
  await form(otherTab).getByLabel('Employee Name').fill('Half typed')
  await waitUntilStored(otherTab, 1)
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  const dialog = recordsPage.getByRole('dialog', { name: '1 change is not saved' })
  await expect(dialog).toContainText('It is in another tab. Logging out deletes it from this browser')
  await dialog.getByRole('button', { name: 'Stay logged in' }).click()
  await expect(form(otherTab).getByLabel('Employee Name')).toHaveValue('Half typed')
})

test('a draft is restored after a reload, in the mode it was typed in', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  await startEditing(recordsPage, ada.eName)
  await fillForm(recordsPage, unsaved)
  await waitUntilStored(recordsPage, 1)
  await recordsPage.reload()
  await expect(form(recordsPage).getByLabel('Employee Name', { exact: true })).toHaveValue(unsaved.eName)
  expect(await readForm(recordsPage)).toEqual(unsaved)
  await pressUpdate(recordsPage)
  await expectNames(recordsPage, unsaved)
})

test('nothing is lost when the page goes offline during an edit and is reloaded before it is online again', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  const context = recordsPage.context()

  await startEditing(recordsPage, ada.eName)
  await context.setOffline(true)
  await form(recordsPage).getByLabel('Employee Name', { exact: true }).fill('Ada King')
  await pressUpdate(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Ada King')).toBeVisible()
  await startEditing(recordsPage, grace.eName)
  await form(recordsPage).getByLabel('Password', { exact: true }).fill('half a passw')
  await waitUntilStored(recordsPage, 2)
  await recordsPage.reload().catch(() => {})

  await context.setOffline(false)
  await recordsPage.goto('/form')
  await expect(form(recordsPage).getByLabel('Password', { exact: true })).toHaveValue('half a passw')
  expect(await readForm(recordsPage)).toEqual({ ...grace, password: 'half a passw' })
  await expect(form(recordsPage).getByRole('button', { name: 'Update' })).toBeVisible()
  await expectNames(recordsPage, 'Ada King', grace)
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
})

test('a reload right after a submit restores nothing that has been sent', async ({ recordsPage }) => {
  for (let turn = 0; turn < 3; turn++) {
    await addEmployee(recordsPage, renamed(ada, `Ada ${turn}`))
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
  expect(await readForm(recordsPage)).toEqual({ eName: '', email: '', password: '' })
})
