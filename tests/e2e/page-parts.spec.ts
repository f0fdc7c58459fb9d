// What is loaded only when it is wanted may be missing: without a network, or when a newer page has taken its place.
import { ada, add, expect, form, test } from '../support/e2e/fixture.ts'

const parts = [
  { button: 'Import', opens: ['dialog', 'Import'] },
  { button: 'Export', opens: ['dialog', 'Export'] },
  { button: 'Keyboard shortcuts', opens: ['dialog', 'Keyboard shortcuts'] },
  { button: 'Change password', opens: ['dialog', 'Change password'] },
  { button: 'Generate one', opens: ['group', 'Password generator'] },
] as const

for (const { button, opens } of parts) {
  test(`${button}: where its part can’t be loaded that is said, and the next press tries again`, async ({
    register,
    expectedErrors,
  }) => {
    expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/)
    await add(register, ada)
    const opened = register.getByRole(opens[0], { name: opens[1] })
    await register.route('**/assets/*.js', (route) => route.abort())
    await register.getByRole('button', { name: button, exact: true }).click()
    await expect(register.getByText('This could not be loaded.')).toBeVisible()
    await expect(opened).toHaveCount(0)
    await register.unroute('**/assets/*.js')
    await register.getByRole('button', { name: button, exact: true }).click()
    await expect(opened).toBeVisible()
  })
}

test('a newer page on the server: what an open tab misses is said, and the rest goes on', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /404/, /MIME type/)
  await register.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await register.getByRole('button', { name: 'Generate one' }).click()
  await expect(register.getByText('This could not be loaded.')).toBeVisible()
  await expect(form(register).getByRole('button', { name: 'Generate one' })).toHaveAttribute(
    'aria-expanded',
    'false',
  )
  await add(register, ada)
})

test('opening the register loads no part before it is wanted', async ({ register }) => {
  const scripts: string[] = []
  register.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await register.reload()
  await expect(register.getByText('Nobody is in the register yet')).toBeVisible()
  expect(scripts.filter((path) => /dialog|panel|hint|papaparse|upload/.test(path))).toEqual([])
  expect(scripts.some((path) => path.includes('/assets/index'))).toBe(true)
})
