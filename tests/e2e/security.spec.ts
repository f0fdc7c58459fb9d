// What docs/security.md says of the page, and no other test of it proves.
import { ada, addEmployee, expect, names, table, test } from '../support/e2e/fixture.ts'

const hostile = {
  eName: '"><img src=x onerror="document.title=1"><a href="javascript:alert(1)">Eve</a>',
  email: 'eve@example.com',
  password: '</script><script>document.title=1</script>',
}

test('security: 1.2.1, 3.2.2 a record that is markup is shown as text, also where the search marks it', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, hostile)
  await expect(names(recordsPage)).toHaveText([hostile.eName])
  await recordsPage.getByRole('searchbox', { name: 'Search' }).fill('img src')
  await expect(names(recordsPage)).toHaveText([hostile.eName])
  await expect(table(recordsPage).locator('mark').first()).toBeVisible()
  await expect(table(recordsPage).locator('img, a, script')).toHaveCount(0)
  await expect(recordsPage).toHaveTitle(/Staffbook/)
})

test('security: 14.3.1 after logout no record is left in the page', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  await expect(recordsPage).toHaveURL('/')
  const left = await recordsPage.content()
  for (const text of Object.values(ada)) expect(left).not.toContain(text)
})
