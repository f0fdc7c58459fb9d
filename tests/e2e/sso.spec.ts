// Single sign-on in a real browser, with a provider on another site, against the real server.
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { ssoPaths } from '../../contract/identity/sso.ts'
import { paths } from '../../contract/protocol.ts'
import type { ServerProcess } from '../support/e2e/backend.ts'
import { allowConsole, test as base, expect, signIn, signUp } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { account } from '../support/people.ts'
import { startSsoServer } from '../support/sso/server.ts'

const people = [
  { sub: 'ada-1', email: account.email, email_verified: true },
  { sub: 'bob-1', email: 'bob@example.com', email_verified: true },
  { sub: 'mia-1', email: 'mia@example.com', email_verified: false },
]

const test = base.extend<{ settings: Record<string, string> }>({
  settings: [{}, { option: true }],
  backend: async ({ settings }, use) => {
    const server = await startSsoServer(people, settings)
    await use(server)
    await server.stop()
  },
})

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Example Login' })

async function identifyAs(page: Page, login: string) {
  await page.getByLabel('Who are you?').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Waits for the provider's page: dialogs of ours have such a button too. */
async function cancelThere(page: Page) {
  await expect(page.getByLabel('Who are you?')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
}

async function signInThere(page: Page, login = 'ada-1', path = '/signin') {
  await page.goto(path)
  await button(page).click()
  await identifyAs(page, login)
}

async function expectForm(page: Page) {
  await expect(recordsIn(page).form).toBeVisible()
  await expect(page).toHaveURL(/\/form$/)
}

test('signs up and in by the button below the form, on both screens, and leaves no answer in the address', {
  tag: '@main',
}, async ({ page, openBrowser }) => {
  await page.goto('/')
  await expect(button(page)).toBeVisible()
  await signInThere(page)
  await expectForm(page)
  await recordsIn(page).chooseInMenu('Sessions and passkeys')
  await expect(page.getByText('You sign in with Example Login.')).toBeVisible()
  // Who signs in there has no password.
  await expect(page.getByText('Sign in with your fingerprint')).toBeVisible()
  await expect(page.getByText('Your password stays valid.')).toHaveCount(0)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await recordsIn(page).chooseInMenu('Team')
  await page.getByRole('button', { name: `More about ${account.email}` }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Signs in with Example Login' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')).toMatchObject({
    email: account.email,
  })

  await page.goBack()
  await expect(page).toHaveURL(/\/signin$/)
  await page.getByRole('link', { name: 'Open the register' }).click()
  await expectForm(page)
  // In another browser, from the other screen.
  const other = await openBrowser()
  await signInThere(other, 'bob-1', '/')
  await expectForm(other)
})

/** What axe finds in the page. */
async function findViolations(page: Page) {
  await page.evaluate(axe.source)
  return (await page.evaluate<axe.AxeResults>('axe.run()')).violations
}

test('takes an account over, and says once that its password no longer works', async ({ page }) => {
  // The register may still read details when its cookie is cleared.
  allowConsole(/status of 401/)
  await signUp(page)
  await signInThere(page)
  await expect(page.getByText('Its password and passkeys no longer work.')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open the register' }).click()
  await expectForm(page)
  await page.context().clearCookies({ domain: '127.0.0.1' })
  await page.goto('/signin')
  await button(page).click()
  await expectForm(page)
})

test('says in words why somebody may not come in, and lets them try again', async ({ page }) => {
  allowConsole(/Sign-in failed/, /status of 40[13]/)
  await signInThere(page, 'mia-1')
  await expect(page.getByRole('alert')).toContainText('Your account there has no verified email address.')
  await expect(page).toHaveURL(/\/signin$/)
  expect(await findViolations(page)).toEqual([])
  // Whom the provider takes them for was refused: it asks again.
  await button(page).click()
  await cancelThere(page)
  await expect(page.getByRole('alert')).toContainText(
    'You weren’t signed in there. Try again, or ask your administrator.',
  )
  // Some providers refuse without the state.
  await page.goto('/signin?error=access_denied&error_description=A+text+of+the+provider')
  await expect(page.getByRole('alert')).toContainText('You weren’t signed in there. Try again, or ask')
  await expect(page).toHaveURL(/\/signin$/)
  await expect(page.getByText('A text of the provider')).toHaveCount(0)
  await page.goto('/signin?code=x&state=y')
  await expect(page.getByRole('alert')).toContainText('Signing in took too long, or was done already.')
  await expect(page).toHaveURL(/\/signin$/)
  await page.reload()
  await expect(page.getByRole('alert')).toBeEmpty()
  expect(await findViolations(page)).toEqual([])
  await button(page).click()
  await identifyAs(page, 'ada-1')
  await expectForm(page)
})

test('two tabs sign in at the same time, and Back from the provider leads to a screen that works', async ({
  page,
  context,
}) => {
  const second = await context.newPage()
  for (const tab of [page, second]) {
    await tab.goto('/signin?unrelated=1')
    await button(tab).click()
    await expect(tab.getByLabel('Who are you?')).toBeVisible()
  }
  await page.goBack()
  await expect(button(page)).toBeEnabled()
  await button(page).click()
  await identifyAs(page, 'ada-1')
  await expectForm(page)
  await identifyAs(second, 'ada-1')
  await expectForm(second)
})

test('a reload while the answer is sent, and the provider’s address in another tab, lead to a sign-in that works', async ({
  page,
  context,
}) => {
  // The request of the page that is reloaded.
  await page.route(`**${ssoPaths.session}`, () => {}, { times: 1 })
  const isSent = page.waitForRequest(`**${ssoPaths.session}`)
  await signInThere(page)
  await isSent
  await page.reload()
  await expect(page).toHaveURL(/\/signin$/)
  await button(page).click()
  await expectForm(page)

  // As the link of a mail that the provider has sent does.
  // The page that is left may still open its stream.
  await page.goto('about:blank')
  await context.clearCookies()
  await page.goto('/signin')
  await button(page).click()
  await expect(page.getByLabel('Who are you?')).toBeVisible()
  const second = await context.newPage()
  await second.goto(page.url())
  await identifyAs(second, 'ada-1')
  await expectForm(second)
})

test('who comes back from the provider in a tab with a link for a new password is signed in', async ({
  page,
  backend,
}) => {
  const { runCommand } = backend as ServerProcess
  await signUp(page)
  await page.goto((await runCommand('account', 'reset-link', account.email)).trim())
  await expect(page.getByRole('heading', { name: 'Set a New Password' })).toBeVisible()
  await signInThere(page, 'ada-1', '/')
  await expect(page.getByText('Its password and passkeys no longer work.')).toBeVisible()
  await expect(page).toHaveURL(/\/signin$/)
})

test('a session that has ended is begun again at the provider, and a half-typed record is still there', async ({
  page,
  backend,
}) => {
  allowConsole(/status of 401/)
  const { runCommand } = backend as ServerProcess
  await signInThere(page)
  await expectForm(page)
  await recordsIn(page).form.getByLabel('Employee Name').fill('Half-typed')
  await runCommand('account', 'revoke-sessions', account.email)
  await expect(page.getByText('1 unsaved change is kept.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await button(page).click()
  await expectForm(page)
  await expect(recordsIn(page).form.getByLabel('Employee Name')).toHaveValue('Half-typed')
})

test('an answer that comes back without a network is sent when there is one', async ({ page, context }) => {
  // What the page loads while it is idle may fail, and is loaded again.
  allowConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/, /A part of the page could not be loaded/)
  let attempts = 0
  await page.route(`**${ssoPaths.session}`, async (route) => {
    attempts++
    if (attempts > 1) return route.continue()
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await signInThere(page)
  await expect.poll(() => attempts).toBe(1)
  await context.setOffline(false)
  await expectForm(page)
})

test.describe('where people are invited', () => {
  test.use({ settings: { SIGN_UP: 'invited' } })

  test('an invitation is used up by signing in at the provider', async ({ page, backend, openBrowser }) => {
    allowConsole(/Sign-in failed/, /status of 403/)
    const { runCommand } = backend as ServerProcess
    const stranger = await openBrowser()
    await signInThere(stranger)
    await expect(stranger.getByRole('alert')).toContainText('You need an invitation.')
    const link = await runCommand('account', 'invite')
    await page.goto(link.trim())
    await button(page).click()
    await identifyAs(page, 'ada-1')
    await expectForm(page)
    expect(await runCommand('--json', 'account', 'list')).toContain('"sso":true')
  })
})

test('who has no password confirms at the provider, and comes back to the dialog and a half-typed record', async ({
  page,
  openBrowser,
}) => {
  // It loads both sites eight times.
  test.slow()
  const bob = await openBrowser()
  await signInThere(bob, 'bob-1')
  await expectForm(bob)
  await signInThere(page)
  await expectForm(page)
  await recordsIn(page).form.getByLabel('Employee Name').fill('Half-typed')
  await recordsIn(page).chooseInMenu('Team')
  const more = page.getByRole('button', { name: 'More about bob@example.com' })
  const remove = page.getByRole('button', { name: 'Remove bob@example.com…' })
  await more.click()
  await remove.click()
  const confirm = page.getByRole('button', { name: 'Confirm with Example Login' })
  await expect(confirm).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  // Who cancels there is asked again.
  allowConsole(/status of 401 .*confirmation/)
  await confirm.click()
  await cancelThere(page)
  await more.click()
  await remove.click()
  // Who is somebody else there reads so, and confirms again.
  allowConsole(/Sign-in failed/)
  await confirm.click()
  await identifyAs(page, 'mia-1')
  await expect(page.getByRole('alert')).toContainText('You signed in there as somebody else.')
  await page.goto('/form#team')
  await more.click()
  await remove.click()
  await confirm.click()
  await identifyAs(page, 'ada-1')
  await more.click()
  await remove.click()
  await expect(page.getByText('You’ve just confirmed that it’s you.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove bob@example.com', exact: true }).click()
  await expect(page).toHaveURL(/leaver/)
  await expect(recordsIn(page).form.getByLabel('Employee Name')).toHaveValue('Half-typed')
})

test.describe('where the provider has a long name', () => {
  const name = 'The Single Sign-On of Example Industries'
  test.use({ settings: { OIDC_NAME: name }, viewport: { width: 320, height: 640 } })

  test('its buttons have as many lines as they need on a phone', async ({ page, openBrowser }) => {
    const bob = await openBrowser()
    for (const [visitor, login] of [
      [bob, 'bob-1'],
      [page, 'ada-1'],
    ] as const) {
      await visitor.goto('/signin')
      const signIn = visitor.getByRole('button', { name: `Sign in with ${name}` })
      await expect(signIn).toBeInViewport({ ratio: 1 })
      await signIn.click()
      await identifyAs(visitor, login)
      await expectForm(visitor)
    }
    await recordsIn(page).chooseInMenu('Team')
    await page.getByRole('button', { name: 'More about bob@example.com' }).click()
    await page.getByRole('button', { name: 'Remove bob@example.com…' }).click()
    const confirm = page.getByRole('button', { name: `Confirm with ${name}` })
    await confirm.scrollIntoViewIfNeeded()
    await expect(confirm).toBeInViewport({ ratio: 1 })
  })
})

test.describe('where the provider is down', () => {
  test.use({ settings: { OIDC_ISSUER: 'http://localhost:9' } })

  test('says so, and passwords work', async ({ page }) => {
    allowConsole(/Sign-in failed/, /status of 503/)
    await page.goto('/signin')
    await button(page).click()
    await expect(page.getByRole('alert')).toContainText(
      'Single sign-on isn’t available right now. Try again later, or use your password.',
    )
    await signUp(page)
    await signIn(page)
    await expectForm(page)
  })
})

test.describe('where there is nothing else', () => {
  test.use({ settings: { OIDC_ONLY: 'yes' } })

  for (const path of ['/signin', '/'])
    test(`${path} offers nothing else, from the first paint on, and moves nothing when it knows more`, async ({
      page,
    }) => {
      const policy = Promise.withResolvers<void>()
      await page.route(`**${paths.policy}`, async (route) => {
        await policy.promise
        await route.continue()
      })
      // The outline, which the page shows until it has been loaded.
      const script = Promise.withResolvers<void>()
      await page.route(/assets\/index-.*\.js/, async (route) => {
        await script.promise
        await route.continue()
      })
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.locator('.shell-card s')).toBeVisible()
      await expect(page.locator('.shell-card i').first()).toBeHidden()
      script.resolve()

      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('form input')).toHaveCount(2)
      const card = page.locator('form')
      const empty = await card.boundingBox()
      for (const hidden of [
        page.getByLabel('Email'),
        page.getByLabel('Password', { exact: true }),
        page.locator('[type=submit]'),
      ])
        await expect(hidden).toBeHidden()
      policy.resolve()
      await expect(button(page)).toBeVisible()
      await expect(page.getByText('Passwords and passkeys are switched off here.')).toBeVisible()
      expect(await card.boundingBox()).toEqual(empty)
      expect(await findViolations(page)).toEqual([])
      await button(page).click()
      await identifyAs(page, 'ada-1')
      await expectForm(page)
    })

  test('a page that was stored while there was nothing else offers passwords again', async ({
    page,
    backend,
  }) => {
    await page.goto('/signin')
    await expect(button(page)).toBeVisible()
    await expect(page.getByLabel('Email')).toBeHidden()
    await (backend as ServerProcess).restart({ OIDC_ONLY: '' })
    await page.reload()
    await expect(page.getByLabel('Email')).toBeVisible()
  })
})

test.describe('where there is nothing else, with a service worker', () => {
  test.use({ settings: { OIDC_ONLY: 'yes' }, serviceWorkers: 'allow' })

  test('the page that it has stored offers nothing else either', async ({ page, backend }) => {
    allowConsole(/Failed to load resource|net::ERR/)
    await page.goto('/signin')
    const state = () => page.evaluate(() => navigator.serviceWorker.controller?.state)
    await expect.poll(state).toBe('activated')
    await page.reload()
    await expect(button(page)).toBeVisible()
    await expect(page.getByLabel('Email')).toBeHidden()
    await (backend as ServerProcess).kill()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('form input')).toHaveCount(2)
    await expect(page.getByLabel('Email')).toBeHidden()
  })
})

test.describe('where there is nothing else any more', () => {
  test('passwords, passkeys and reset links are not offered, those that are there are refused in words, invitations work', async ({
    page,
    backend,
    openBrowser,
  }) => {
    allowConsole(/Sign-in failed|link/i, /status of 403/)
    const server = backend as ServerProcess
    const visitor = await openBrowser()
    await signUp(visitor, { ...account, email: 'bob@example.com' })
    const resetLink = (await server.runCommand('account', 'reset-link', 'bob@example.com')).trim()
    await server.restart({ OIDC_ONLY: 'yes', SIGN_UP: 'invited' })
    const invitation = (await server.runCommand('account', 'invite')).trim()

    await visitor.goto(resetLink)
    await expect(visitor.getByText('Passwords and passkeys are switched off here.').first()).toBeVisible()
    expect(await findViolations(visitor)).toEqual([])

    await page.goto(invitation)
    await expect(page.getByText('Passwords and passkeys are switched off here.')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await button(page).click()
    await identifyAs(page, 'ada-1')
    await expectForm(page)

    await recordsIn(page).chooseInMenu('Change password')
    await expect(page.getByText('Passwords and passkeys are switched off here.')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await recordsIn(page).chooseInMenu('Sessions and passkeys')
    await expect(page.getByText('You sign in with Example Login.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await recordsIn(page).chooseInMenu('Team')
    await expect(page.getByRole('listitem').filter({ hasText: 'bob@example.com' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Reset/ })).toHaveCount(0)
    expect(await findViolations(page)).toEqual([])
  })
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('no answer of the provider is stored; without a network the stored page keeps the answer until there is one', async ({
    page,
    context,
    backend,
  }) => {
    allowConsole(/Failed to load resource|net::ERR/)
    const server = backend as ServerProcess
    await page.goto('/signin')
    const state = () => page.evaluate(() => navigator.serviceWorker.controller?.state)
    await expect.poll(state).toBe('activated')
    await button(page).click()
    await expect(page.getByLabel('Who are you?')).toBeVisible()
    // The provider answers, and on the way back the network is gone.
    await server.kill()
    const isBack = page.waitForRequest(/signin\?code=/).then(() => context.setOffline(true))
    await identifyAs(page, 'ada-1')
    await isBack
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await expect(page).toHaveURL(/\/signin$/)
    await server.restart()
    await context.setOffline(false)
    await expectForm(page)
    const stored = await page.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => url)
    })
    expect(stored.length).toBeGreaterThan(3)
    expect(stored.filter((url) => /code=|state=|signin/.test(url))).toEqual([])
  })
})

test('speaks the language of the page', async ({ browser, baseURL }) => {
  allowConsole(/Sign-in failed/)
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'ar' })
  const page = await context.newPage()
  await page.goto('/signin?code=x&state=y')
  await expect(page.getByRole('button', { name: 'تسجيل الدخول عبر Example Login' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('استغرق تسجيل الدخول وقتًا طويلًا')
  await context.close()
})
