// A change in one browser appears in every other without a reload, and never overwrites an edit in progress.
import {
  addEmployee,
  edit,
  expect,
  expectNames,
  fillForm,
  form,
  outboxEntry,
  readForm,
  rowButton,
  test,
  update,
} from '../support/e2e/fixture.ts'
import { ada, alan, grace, record, renamed } from '../support/people.ts'

test('changes made while the connection was lost appear when it is restored, without a reload', {
  // tests/firebase/hosted.spec.ts does the same with Firebase.
  tag: '@own-server',
}, async ({ recordsPage, openColleague, networkProxy }) => {
  const theirs = await openColleague(networkProxy.url)
  await addEmployee(recordsPage, ada)
  await expectNames(theirs, ada)
  networkProxy.cut()
  await expect(theirs.getByText('No connection to the register.')).toBeVisible()
  await addEmployee(recordsPage, grace)
  await rowButton(recordsPage, ada, 'Delete').click()
  await expectNames(recordsPage, grace)
  await expectNames(theirs, ada)
  networkProxy.restore()
  await expectNames(theirs, grace)
  await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
})

test('two people who edit one record keep the changes of both, and choose where both changed one field', async ({
  recordsPage,
  openColleague,
}) => {
  await addEmployee(recordsPage, ada)
  const theirs = await openColleague()
  const theirRecord = record({ password: 'their new password' })
  const merged = renamed('Ada King', theirRecord)
  for (const page of [recordsPage, theirs]) await edit(page, ada)
  await fillForm(recordsPage, merged)
  await fillForm(recordsPage, { password: ada.password })
  await fillForm(theirs, theirRecord)
  await update(theirs)
  await expect.poll(() => readForm(recordsPage)).toEqual(merged)

  await edit(theirs, ada)
  await fillForm(theirs, renamed('Ada Byron', theirRecord))
  await update(theirs)
  const choice = form(recordsPage).getByRole('group', { name: 'Name' })
  await expect(choice).toBeVisible()
  await update(recordsPage)
  await expect(choice.getByRole('radio').first()).toBeFocused()
  await choice.getByRole('radio', { name: 'Yours' }).click()
  await update(recordsPage)
  for (const page of [recordsPage, theirs]) {
    await expectNames(page, merged)
    await edit(page, merged)
    expect(await readForm(page)).toEqual(merged)
  }
})

test('an edit in progress of a record that someone deletes stays in the form, and can restore the record', async ({
  recordsPage,
  openColleague,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  const theirs = await openColleague()
  await edit(recordsPage, ada)
  await fillForm(recordsPage, alan)
  await rowButton(theirs, ada, 'Delete').click()
  await expect(
    form(recordsPage).getByText('Someone deleted this record while you were editing.'),
  ).toBeVisible()
  expect(await readForm(recordsPage)).toEqual(alan)
  await update(recordsPage)
  const entry = outboxEntry(recordsPage, 'Not saved: Alan Turing')
  await expect(entry).toContainText('Someone deleted this record.')
  await entry.getByRole('button', { name: 'Restore' }).click()
  for (const page of [recordsPage, theirs]) await expectNames(page, alan, grace)
})
