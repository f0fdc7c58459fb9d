// A change in one browser appears in every other without a reload, and never overwrites an edit in progress.
import type { Page } from '@playwright/test'
import { startNetworkProxy } from '../support/e2e/backend.ts'
import {
  addEmployee,
  expect,
  fillForm,
  form,
  names,
  openColleaguePage,
  outboxEntry,
  outboxList,
  readForm,
  rowOf,
  submitEmployee,
  test,
  testWithOwnServer,
} from '../support/e2e/fixture.ts'
import { ada, alan, grace } from '../support/people.ts'

/** These tests interrupt the connection to our server. tests/firebase/hosted.spec.ts does the same with Firebase. */
const ownServer = { tag: '@own-server' }

const startEditing = (page: Page, eName: string) =>
  rowOf(page, eName).getByRole('button', { name: 'Edit' }).click()
const submitUpdate = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()

test('adds, updates and deletes appear in another browser, in both directions', async ({
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

test(
  'changes made while the connection was lost appear when it is restored, without a reload',
  ownServer,
  async ({ recordsPage, baseURL, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/, /net::ERR/)
    const proxy = await startNetworkProxy(baseURL ?? '')
    const theirs = await openColleaguePage(recordsPage, proxy.url)
    await addEmployee(recordsPage, ada)
    await expect(names(theirs)).toHaveText([ada.eName])
    proxy.cut()
    await expect(theirs.getByText('No connection to the register.')).toBeVisible()
    await addEmployee(recordsPage, grace)
    await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
    await expect(names(recordsPage)).toHaveText([grace.eName])
    await expect(names(theirs)).toHaveText([ada.eName])
    proxy.restore()
    await expect(names(theirs)).toHaveText([grace.eName])
    await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
    await theirs.context().close()
    await proxy.close()
  },
)

test('an edit in progress is not overwritten, and the form reports that the record has changed', async ({
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

test('an edit in progress of a record that someone deletes stays in the form, and can restore the record', async ({
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
  const entry = outboxEntry(recordsPage, `Not saved: ${alan.eName}`)
  await expect(entry).toContainText('Someone has deleted this record.')
  await entry.getByRole('button', { name: 'Put back' }).click()
  await expect(names(recordsPage)).toHaveText([alan.eName, grace.eName])
  await expect(names(theirs)).toHaveText([alan.eName, grace.eName])
  await theirs.context().close()
})

testWithOwnServer(
  'the page reconnects with every record after the server was killed and restarted',
  ownServer,
  async ({ recordsPage, server, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/, /net::ERR/)
    await addEmployee(recordsPage, ada)
    await server.kill()
    await expect(recordsPage.getByText('No connection to the register.')).toBeVisible()
    await submitEmployee(recordsPage, grace)
    await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toBeVisible()
    await server.restart()
    await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
    await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
    await expect(recordsPage.getByText('No connection to the register.')).toHaveCount(0)
    await recordsPage.reload()
    await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
  },
)
