// Which files the page loads, and when. Depends on the real build and the real server.
import { paths } from '../../contract/protocol.ts'
import {
  addEmployee,
  createEmployees,
  expect,
  expectNames,
  form,
  signIn,
  signUp,
  test,
} from '../support/e2e/fixture.ts'
import { account, ada } from '../support/people.ts'

const lazyParts = [
  { button: 'Import', opens: ['dialog', 'Import'] },
  { button: 'Export', opens: ['dialog', 'Export'] },
  { menu: 'Account menu', button: 'Keyboard shortcuts', opens: ['dialog', 'Keyboard shortcuts'] },
  { menu: 'Account menu', button: 'Change password', opens: ['dialog', 'Change password'] },
  { menu: 'Account menu', button: 'Where you’re signed in', opens: ['dialog', 'Where you’re signed in'] },
  { menu: 'Account menu', button: 'Colleagues', opens: ['dialog', 'Colleagues'] },
  { menu: 'Account menu', button: 'Invite a colleague', opens: ['dialog', 'Invite a colleague'] },
  { menu: 'Account menu', button: 'Recently deleted', opens: ['dialog', 'Recently deleted'] },
  { menu: 'Account menu', button: 'Help', opens: ['dialog', 'Help'] },
  { button: 'Generate password', opens: ['group', 'Password generator'] },
] as const

test('a part of the page that cannot be loaded is reported, and the next click tries again', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/)
  await addEmployee(recordsPage, ada)
  const message = recordsPage.getByText('This part of the page didn’t load.').first()
  for (const { button, opens, ...part } of lazyParts) {
    const press = async () => {
      if ('menu' in part) await recordsPage.getByRole('button', { name: part.menu }).click()
      await recordsPage.getByRole('button', { name: button, exact: true }).click()
    }
    const opened = recordsPage.getByRole(opens[0], { name: opens[1] })
    await recordsPage.route('**/assets/*.js', (route) => route.abort())
    await press()
    await expect(message).toBeVisible()
    await expect(opened).toHaveCount(0)
    await recordsPage.unroute('**/assets/*.js')
    await press()
    await expect(opened).toBeVisible()
    await recordsPage.reload()
  }
})

test('/form shows a message and can be loaded again when its chunk cannot be loaded', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/)
  const message = page.getByText('This part of the page didn’t load.')
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.route('**/assets/records-page-*.js', (route) => route.abort())
  // All tests of a worker share one server, where `account` may exist already.
  const newcomer = { ...account, email: 'newcomer@example.com' }
  await signUp(page, newcomer)
  await signIn(page, newcomer)
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

test('the screen of a link can be loaded again when its chunk cannot be loaded', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/could not be loaded/, /Failed to load resource/, /net::ERR/, /410/)
  await page.route('**/assets/reset-screen-*.js', (route) => route.abort())
  await page.goto('/signin#reset=unknown')
  await expect(page.getByText('This part of the page didn’t load.')).toBeVisible()
  await expect(page).toHaveURL('/signin')
  await page.unroute('**/assets/reset-screen-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('This link has expired or was used.')).toBeVisible()
})

/** The chunks that check passwords. */
const loadedWhenIdle = ['find-password-issues', 'password-strength']

test('no dialog, panel or parser is loaded before it is needed', async ({ recordsPage }) => {
  const scripts: string[] = []
  recordsPage.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  const countScripts = (pattern: RegExp) => scripts.filter((path) => pattern.test(path)).length
  await recordsPage.reload()
  await expect(recordsPage.getByText('No employees yet')).toBeVisible()
  // Another chunk would be requested only when these have arrived: one more round trip.
  const chunks = scripts.map((path) => path.replace(/^\/assets\/(.*)-[\w-]{8}\.js$/, '$1'))
  expect(chunks.filter((name) => !loadedWhenIdle.includes(name)).sort()).toEqual([
    'index',
    'records-page',
    'rolldown-runtime',
  ])
  await recordsPage.getByRole('button', { name: 'Import', exact: true }).click()
  await recordsPage.getByLabel('Or paste rows').fill('Ada\tada@example.com\tengine')
  await recordsPage.getByRole('button', { name: 'Read these rows' }).click()
  await expect(recordsPage.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  expect(countScripts(/papaparse/)).toBe(1)
})

test('the list is requested once, and before the script of the page has been loaded', async ({
  recordsPage,
}) => {
  await createEmployees(recordsPage, [ada])
  let requestCount = 0
  const { promise: listRequested, resolve } = Promise.withResolvers<void>()
  recordsPage.on('request', (request) => {
    if (new URL(request.url()).pathname !== paths.books) return
    requestCount++
    resolve()
  })
  await recordsPage.route('**/assets/index-*.js', async (route) => {
    await listRequested
    await route.continue()
  })
  await recordsPage.reload()
  await expectNames(recordsPage, ada)
  expect(requestCount).toBe(1)
})

test('an early list is not shown to the account that signs in after it', async ({ recordsPage }) => {
  await recordsPage.evaluate(() => localStorage.setItem('user', 'not a user'))
  await recordsPage.goto('/form')
  await expect(recordsPage).toHaveURL('/')
  await createEmployees(recordsPage, [ada])
  await recordsPage.getByRole('link', { name: 'Sign in' }).click()
  await expect(recordsPage.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await recordsPage.getByLabel('Email', { exact: true }).fill(account.email)
  await recordsPage.getByLabel('Password', { exact: true }).fill(account.password)
  const listRequest = recordsPage.waitForRequest((request) => request.url().endsWith(paths.books))
  await recordsPage.getByRole('button', { name: 'Sign In' }).click()
  await listRequest
  await expectNames(recordsPage, ada)
})

test('a chosen theme overrides the theme of the system, and applies from the first paint of the next visit', async ({
  recordsPage,
}) => {
  const readBackground = () =>
    recordsPage.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const theme = recordsPage.getByRole('combobox', { name: 'Theme' })
  await recordsPage.emulateMedia({ colorScheme: 'light' })
  await recordsPage.getByRole('button', { name: 'Account menu' }).click()
  const light = await readBackground()
  await theme.selectOption('Dark')
  const dark = await readBackground()
  expect(dark).not.toBe(light)
  await recordsPage.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.firstTheme = document.documentElement.dataset.theme
    }).observe(document, { childList: true, subtree: true })
  })
  await recordsPage.reload()
  await expect(recordsPage.locator('html[data-first-theme="dark"]')).toBeAttached()
  expect(await readBackground()).toBe(dark)
  await recordsPage.getByRole('button', { name: 'Account menu' }).click()
  await theme.selectOption('System')
  expect(await readBackground()).toBe(light)
  expect(await recordsPage.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('the page can be installed, and the icons of its manifest exist', async ({ page, request }) => {
  await page.goto('/')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const response = await request.get(href ?? '')
  expect(response.headers()['content-type']).toContain('manifest')
  const manifest = await response.json()
  expect(manifest).toMatchObject({ name: 'Staffbook', start_url: '/form', display: 'standalone' })
  for (const { src } of manifest.icons) expect((await request.get(src)).ok()).toBe(true)
})
