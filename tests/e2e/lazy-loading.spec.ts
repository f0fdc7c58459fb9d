// What is loaded only when it is wanted may be missing: without a network, or when a newer page has taken its place.
import { ada, addEmployee, expect, form, signIn, signUp, test } from '../support/e2e/fixture.ts'

const lazyParts = [
  { button: 'Import', opens: ['dialog', 'Import'] },
  { button: 'Export', opens: ['dialog', 'Export'] },
  { button: 'Keyboard shortcuts', opens: ['dialog', 'Keyboard shortcuts'] },
  { button: 'Change password', opens: ['dialog', 'Change password'] },
  { button: 'Generate one', opens: ['group', 'Password generator'] },
] as const

for (const { button, opens } of lazyParts) {
  test(`${button}: where its part can’t be loaded that is said, and the next press tries again`, async ({
    recordsPage,
    expectedErrors,
  }) => {
    expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/)
    await addEmployee(recordsPage, ada)
    const opened = recordsPage.getByRole(opens[0], { name: opens[1] })
    await recordsPage.route('**/assets/*.js', (route) => route.abort())
    await recordsPage.getByRole('button', { name: button, exact: true }).click()
    await expect(recordsPage.getByText('This could not be loaded.')).toBeVisible()
    await expect(opened).toHaveCount(0)
    await recordsPage.unroute('**/assets/*.js')
    await recordsPage.getByRole('button', { name: button, exact: true }).click()
    await expect(opened).toBeVisible()
  })
}

test('a newer page on the server: what an open tab misses is said, and the rest goes on', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /404/, /MIME type/)
  await recordsPage.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await recordsPage.getByRole('button', { name: 'Generate one' }).click()
  await expect(recordsPage.getByText('This could not be loaded.')).toBeVisible()
  await expect(form(recordsPage).getByRole('button', { name: 'Generate one' })).toHaveAttribute(
    'aria-expanded',
    'false',
  )
  await addEmployee(recordsPage, ada)
})

test('/form shows a message and can be loaded again when its chunk cannot be loaded', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/)
  const message = page.getByText('This could not be loaded.')
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.route('**/assets/records-page-*.js', (route) => route.abort())
  await signUp(page)
  await signIn(page)
  await expect(message).toBeVisible()
  await page.reload()
  await expect(message).toBeVisible()
  const failedAgain = page.waitForEvent('requestfailed')
  await retry.click()
  await failedAgain
  await expect(message).toBeVisible()
  await page.unroute('**/assets/records-page-*.js')
  await retry.click()
  await expect(form(page)).toBeVisible()
})

test('opening the register loads no part before it is wanted', async ({ recordsPage }) => {
  const scripts: string[] = []
  recordsPage.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await recordsPage.reload()
  await expect(recordsPage.getByText('Nobody is in the register yet')).toBeVisible()
  expect(scripts.filter((path) => /dialog|panel|hint|papaparse|upload/.test(path))).toEqual([])
  expect(scripts.some((path) => path.includes('/assets/index'))).toBe(true)
})
