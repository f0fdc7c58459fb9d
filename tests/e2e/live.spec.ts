// A change in one browser appears in every other without a reload, and never overwrites an edit in progress.
import type { Page } from '@playwright/test'
import { startNetworkProxy } from '../support/e2e/backend.ts'
import {
  addEmployee,
  expect,
  expectNames,
  fetchEmployees,
  fillForm,
  form,
  names,
  openColleaguePage,
  outboxEntry,
  outboxList,
  readForm,
  rowButton,
  rowOf,
  submitEmployee,
  test,
  testWithOwnServer,
  waitUntilStored,
} from '../support/e2e/fixture.ts'
import { ada, alan, grace } from '../support/people.ts'

/** These tests interrupt the connection to our server. tests/firebase/hosted.spec.ts does the same with Firebase. */
const ownServer = { tag: '@own-server' }

const startEditing = (page: Page, eName: string) => rowButton(page, eName, 'Edit').click()
const fillField = (page: Page, label: string, text: string) =>
  form(page).getByLabel(label, { exact: true }).fill(text)
const submitUpdate = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()

test('adds, updates and deletes appear in another browser, in both directions', async ({
  recordsPage,
  baseURL,
}) => {
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await addEmployee(recordsPage, ada)
  await expectNames(theirs, ada)
  await addEmployee(theirs, grace)
  await expectNames(recordsPage, ada, grace)
  await startEditing(theirs, ada.eName)
  await fillForm(theirs, alan)
  await submitUpdate(theirs)
  await expectNames(recordsPage, alan, grace)
  await expect(rowOf(recordsPage, alan)).toContainText(alan.email)
  await rowButton(recordsPage, grace, 'Delete').click()
  await expectNames(theirs, alan)
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
    await expectNames(theirs, ada)
    proxy.cut()
    await expect(theirs.getByText('No connection to the register.')).toBeVisible()
    await addEmployee(recordsPage, grace)
    await rowButton(recordsPage, ada, 'Delete').click()
    await expectNames(recordsPage, grace)
    await expectNames(theirs, ada)
    proxy.restore()
    await expectNames(theirs, grace)
    await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
    await theirs.context().close()
    await proxy.close()
  },
)

test('two people who edit different fields of one record both keep their change', async ({
  recordsPage,
  baseURL,
}) => {
  await addEmployee(recordsPage, ada)
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await startEditing(recordsPage, ada.eName)
  await startEditing(theirs, ada.eName)
  await fillField(recordsPage, 'Employee Name', 'Ada King')
  await fillField(theirs, 'Password', 'their new password')
  await submitUpdate(theirs)
  const merged = { ...ada, eName: 'Ada King', password: 'their new password' }
  await expect.poll(() => readForm(recordsPage)).toEqual(merged)
  await submitUpdate(recordsPage)
  for (const page of [recordsPage, theirs]) {
    await expectNames(page, merged)
    await startEditing(page, merged.eName)
    expect(await readForm(page)).toEqual(merged)
  }
  await theirs.context().close()
})

for (const [whose, expected] of [
  ['Yours', 'Ada King'],
  ['Theirs', 'Ada Byron'],
] as const) {
  test(`two people who edit the same field of one record: ${whose} is kept`, async ({
    recordsPage,
    baseURL,
  }) => {
    await addEmployee(recordsPage, ada)
    const theirs = await openColleaguePage(recordsPage, baseURL)
    await startEditing(recordsPage, ada.eName)
    await fillField(recordsPage, 'Employee Name', 'Ada King')
    await startEditing(theirs, ada.eName)
    await fillForm(theirs, { ...ada, eName: 'Ada Byron', password: 'their new password' })
    await submitUpdate(theirs)
    const choice = form(recordsPage).getByRole('group', { name: 'Name' })
    await expect(choice).toBeVisible()
    await waitUntilStored(recordsPage, 1)
    await recordsPage.reload()
    await expect(choice).toBeVisible()
    await submitUpdate(recordsPage)
    await expect(choice.getByRole('radio').first()).toBeFocused()
    await choice.getByRole('radio', { name: whose }).click()
    await submitUpdate(recordsPage)
    await expectNames(recordsPage, expected)
    await expectNames(theirs, expected)
    await startEditing(theirs, expected)
    expect(await readForm(theirs)).toEqual({ ...ada, eName: expected, password: 'their new password' })
    await theirs.context().close()
  })
}

test(
  'an update that waited for the connection keeps what others have changed, or asks, also after a reload',
  ownServer,
  async ({ recordsPage, baseURL, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/, /net::ERR/)
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    const proxy = await startNetworkProxy(baseURL ?? '')
    const offline = await openColleaguePage(recordsPage, proxy.url)
    await expectNames(offline, ada, grace)
    proxy.cut()
    for (const { eName } of [ada, grace]) {
      await startEditing(offline, eName)
      await fillField(offline, 'Employee Name', `${eName} of mine`)
      await submitUpdate(offline)
    }
    await expect(outboxList(offline).getByRole('listitem')).toHaveCount(2)
    await startEditing(recordsPage, ada.eName)
    await fillField(recordsPage, 'Password', 'their new password')
    await submitUpdate(recordsPage)
    await startEditing(recordsPage, grace.eName)
    await fillField(recordsPage, 'Employee Name', 'Admiral Hopper')
    await submitUpdate(recordsPage)
    await expectNames(recordsPage, ada, 'Admiral Hopper')
    proxy.restore()
    await offline.reload()
    await expectNames(offline, `${ada.eName} of mine`, 'Admiral Hopper')
    const entry = outboxEntry(offline, `Not saved: ${grace.eName} of mine`)
    await expect(entry).toContainText('Someone else changed the same field')
    await offline.reload()
    await entry.getByRole('button', { name: 'Choose' }).click()
    await form(offline).getByRole('radio', { name: 'Yours' }).click()
    await submitUpdate(offline)
    const saved = [`${ada.eName} of mine`, `${grace.eName} of mine`]
    await expect(names(recordsPage)).toHaveText(saved)
    await expect(outboxList(offline).getByRole('listitem')).toHaveCount(0)
    expect((await fetchEmployees(recordsPage)).map(({ password }) => password)).toEqual([
      'their new password',
      grace.password,
    ])
    await offline.context().close()
    await proxy.close()
  },
)

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
  await rowButton(theirs, ada, 'Delete').click()
  await expect(
    form(recordsPage).getByText('Someone deleted this record while you were editing.'),
  ).toBeVisible()
  expect(await readForm(recordsPage)).toEqual(alan)
  await submitUpdate(recordsPage)
  const entry = outboxEntry(recordsPage, `Not saved: ${alan.eName}`)
  await expect(entry).toContainText('Someone deleted this record.')
  await entry.getByRole('button', { name: 'Restore' }).click()
  await expectNames(recordsPage, alan, grace)
  await expectNames(theirs, alan, grace)
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
    await expectNames(recordsPage, ada, grace)
    await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
    await expect(recordsPage.getByText('No connection to the register.')).toHaveCount(0)
    await recordsPage.reload()
    await expectNames(recordsPage, ada, grace)
  },
)
