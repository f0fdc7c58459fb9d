// What one browser does, every other shows, without a reload; and an edit in progress is never overwritten.
import type { Page } from '@playwright/test'
import { startNetworkProxy } from '../support/e2e/backend.ts'
import {
  ada,
  addEmployee,
  alan,
  expect,
  fillForm,
  form,
  grace,
  names,
  openColleaguePage,
  outboxList,
  readForm,
  rowOf,
  test,
} from '../support/e2e/fixture.ts'

const startEditing = (page: Page, eName: string) =>
  rowOf(page, eName).getByRole('button', { name: 'Edit' }).click()
const submitUpdate = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()

test('live: adds, updates and deletes show in another browser, in both directions', async ({
  recordsPage,
  baseURL,
}) => {
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await addEmployee(recordsPage, ada)
  await expect(names(theirs)).toHaveText([ada.eName])
  await addEmployee(theirs, grace)
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
  await startEditing(theirs, ada.eName)
  await fillForm(theirs, alan)
  await submitUpdate(theirs)
  await expect(names(recordsPage)).toHaveText([alan.eName, grace.eName])
  await expect(rowOf(recordsPage, alan.eName)).toContainText(alan.email)
  await rowOf(recordsPage, grace.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(theirs)).toHaveText([alan.eName])
  await theirs.context().close()
})

test('live: what happened while the line was lost is there when it is back, with no reload', async ({
  recordsPage,
  baseURL,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
  const line = await startNetworkProxy(baseURL ?? '')
  const theirs = await openColleaguePage(recordsPage, line.url)
  await addEmployee(recordsPage, ada)
  await expect(names(theirs)).toHaveText([ada.eName])
  line.cut()
  await expect(theirs.getByText('No connection to the register.')).toBeVisible()
  await addEmployee(recordsPage, grace)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(recordsPage)).toHaveText([grace.eName])
  await expect(names(theirs)).toHaveText([ada.eName])
  line.mend()
  await expect(names(theirs)).toHaveText([grace.eName])
  await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
  await theirs.context().close()
  await line.close()
})

test('live: an edit in progress is not overwritten, and the form says that the row was changed', async ({
  recordsPage,
  baseURL,
}) => {
  await addEmployee(recordsPage, ada)
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await startEditing(recordsPage, ada.eName)
  await form(recordsPage).getByLabel('Employee Name', { exact: true }).fill('Ada half typ')
  await startEditing(theirs, ada.eName)
  await fillForm(theirs, grace)
  await submitUpdate(theirs)
  await expect(names(recordsPage)).toHaveText([grace.eName])
  const notice = form(recordsPage).getByText('Someone else has changed this record.')
  await expect(notice).toBeVisible()
  expect(await readForm(recordsPage)).toEqual({ ...ada, eName: 'Ada half typ' })
  await form(recordsPage).getByRole('button', { name: 'Use theirs' }).click()
  expect(await readForm(recordsPage)).toEqual(grace)
  await expect(notice).toHaveCount(0)
  await theirs.context().close()
})

test('live: an edit of a row that someone deletes stays, and can put the record back', async ({
  recordsPage,
  baseURL,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await startEditing(recordsPage, ada.eName)
  await fillForm(recordsPage, alan)
  await rowOf(theirs, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(form(recordsPage).getByText('This record has been deleted meanwhile.')).toBeVisible()
  expect(await readForm(recordsPage)).toEqual(alan)
  await submitUpdate(recordsPage)
  const waiting = outboxList(recordsPage)
    .getByRole('listitem')
    .filter({ hasText: `Not saved: ${alan.eName}` })
  await expect(waiting).toContainText('Someone has deleted this record.')
  await waiting.getByRole('button', { name: 'Put back' }).click()
  await expect(names(recordsPage)).toHaveText([alan.eName, grace.eName])
  await expect(names(theirs)).toHaveText([alan.eName, grace.eName])
  await theirs.context().close()
})

test('live: the server is killed and started again; the page comes back by itself with every record', async ({
  recordsPage,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
  await addEmployee(recordsPage, ada)
  await server.kill()
  await expect(recordsPage.getByText('No connection to the register.')).toBeVisible()
  await fillForm(recordsPage, grace)
  await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
  await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toBeVisible()
  await server.restart()
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
  await expect(recordsPage.getByText('No connection to the register.')).toHaveCount(0)
  await recordsPage.reload()
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
})
