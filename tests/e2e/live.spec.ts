// A change in one browser appears in every other without a reload, and never overwrites an edit in progress.
import { expect, test } from '../support/e2e/fixture.ts'
import { ada, alan, grace } from '../support/people.ts'

test('an edit in progress of a record that someone deletes stays in the form, and can restore the record', async ({
  records,
  openColleague,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  for (const employee of [ada, grace]) await records.add(employee)
  const theirs = await openColleague()
  await records.edit(ada)
  await records.fill(alan)
  await theirs.delete(ada)
  const message = 'Someone deleted this record while you were editing.'
  await expect(records.form.getByText(message)).toBeVisible()
  expect(await records.read()).toEqual(alan)
  await records.update()
  const entry = records.entry('Your edit of Alan Turing')
  await expect(entry).toContainText('wasn’t saved because someone deleted it.')
  await entry.getByRole('button', { name: 'Restore with my edit' }).click()
  for (const page of [records, theirs]) await page.expectNames(alan, grace)
})
