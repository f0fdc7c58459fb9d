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
import { ada, alan, grace } from '../support/people.ts'

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
