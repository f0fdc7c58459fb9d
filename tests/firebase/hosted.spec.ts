// Behavior that exists only on Firebase, or differs from that with our own server.
import { readFileSync } from 'node:fs'
import { allowConsole, expect, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { createHostedAdmin } from '../support/firebase/hosted-backend.ts'
import { account, ada, grace } from '../support/people.ts'

test('the static host serves the page with our headers at every route', async ({ request }) => {
  for (const path of ['/', '/signin', '/form', '/login']) {
    const response = await request.get(path)
    expect(response.ok()).toBe(true)
    expect(await response.text()).toContain('<div id="root">')
    const headers = response.headers()
    expect(headers['content-security-policy']).toMatch(
      /script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-[^']+';/,
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cache-control']).toBe('no-cache')
  }
  const [asset] = /\/assets\/[^"]+\.js/.exec(await (await request.get('/')).text()) ?? []
  expect((await request.get(asset ?? '')).headers()['cache-control']).toContain('immutable')
  const worker = (await request.get('/sw.js')).headers()
  expect([worker['content-type'], worker['cache-control']]).toEqual([
    expect.stringContaining('javascript'),
    'no-cache',
  ])
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a reload without network shows the form and unsaved changes', async ({ records, page, context }) => {
    allowConsole(/Failed to load resource/, /net::ERR/, /cleardot\.gif/)
    await records.add(ada)
    const state = () => page.evaluate(() => navigator.serviceWorker.controller?.state)
    // If the worker could not load all files, the browser installs it at the next visit.
    await expect(async () => {
      await page.reload()
      await expect.poll(state, { timeout: 5_000 }).toBe('activated')
    }).toPass()
    await context.setOffline(true)
    await records.submit(grace)
    const expectUnsaved = async () => {
      const entry = records.waiting('Grace Hopper')
      // The first record waits too if a reload came before its response: then one card holds both.
      const show = page.getByRole('button', { name: 'Show waiting changes' })
      await expect(entry.or(show)).toBeVisible()
      if (await show.isVisible()) await show.click()
      await expect(entry).toBeVisible()
    }
    await expectUnsaved()
    await page.reload()
    await expect(records.form).toBeVisible()
    await expectUnsaved()
    await context.setOffline(false)
    await expect(records.names).toHaveText([ada.eName, grace.eName], { timeout: 30_000 })
  })
})

test('Firestore’s SDK is loaded for /form, but not for the account screens', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  const firestore = () => scripts.filter((url) => url.includes('/firestore-'))
  await signUp(page)
  expect(firestore()).toEqual([])
  await signIn(page)
  await expect(recordsIn(page).form).toBeVisible()
  await expect.poll(firestore).toHaveLength(1)
})

test('what is added before a slow first sign-in has made the account a member is saved', async ({ page }) => {
  const submitted = Promise.withResolvers<void>()
  await page.route('**/assets/firestore-*.js', (route) => submitted.promise.then(() => route.continue()))
  await signUp(page)
  await signIn(page)
  const records = recordsIn(page)
  await records.submit(ada)
  submitted.resolve()
  await records.expectNames(ada)
})

for (const request of ['Listen/channel', 'documents:batchGet'])
  test(`what is added is saved if a first sign-in has lost ${request}`, async ({ page }) => {
    // The SDK then loads an image to test the network, which the Content Security Policy blocks.
    allowConsole(/ERR_FAILED/, /cleardot\.gif/)
    await signUp(page)
    const answered = page.waitForResponse('**/documents:batchGet**')
    // Without a response, the list could not make the account a member either.
    await page.route('**/Listen/channel**', (route) => answered.then(() => route.fallback()))
    await page.route(`**/${request}**`, (route) => route.abort(), { times: 1 })
    const lost = page.waitForEvent('requestfailed', (failed) => failed.url().includes(request))
    await Promise.all([lost, signIn(page)])
    await recordsIn(page).add(ada)
  })

test('what waits for a first sign-in that is then lost is saved', async ({ page }) => {
  allowConsole(/ERR_FAILED/, /cleardot\.gif/)
  await signUp(page)
  const submitted = Promise.withResolvers<void>()
  await page.route('**/documents:batchGet**', (route) => submitted.promise.then(() => route.abort()), {
    times: 1,
  })
  await signIn(page)
  const records = recordsIn(page)
  await records.submit(ada)
  submitted.resolve()
  await records.expectNames(ada)
})

test('local and session storage contain no token and no key (§3)', async ({ records, page }) => {
  await records.add(ada)
  const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  expect(JSON.parse(stored.user ?? '')).toEqual({
    uid: expect.any(String),
    email: account.email,
    emailVerified: false,
    isAnonymous: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    lastLoginAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  // Tokens, API keys and the names of Firebase's fields for them.
  expect(JSON.stringify(stored)).not.toMatch(/eyJ[\w-]{10}|AIza|refreshToken|accessToken|stsTokenManager/)
})

test('logout deletes the session from the browser (§4)', async ({ records, page }) => {
  const sessions = () =>
    page.evaluate(async () => {
      const open = indexedDB.open('firebaseLocalStorageDb')
      await new Promise((resolve) => {
        open.onsuccess = resolve
      })
      const all = open.result.transaction('firebaseLocalStorage').objectStore('firebaseLocalStorage').getAll()
      await new Promise((resolve) => {
        all.onsuccess = resolve
      })
      return all.result.length
    })
  expect(await sessions()).toBe(1)
  await records.press('Logout')
  await expect(page).toHaveURL('/')
  expect(await sessions()).toBe(0)
})

test('reports a session ended by the project’s owner, and retains typed text', async ({ records, page }) => {
  allowConsole(/400/)
  await records.fill(ada)
  await createHostedAdmin().deleteAccount(account.email)
  // Simulates returning to the tab. Repeated, because the page may not have subscribed yet.
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText('1 unsaved change is kept.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect.poll(records.read).toEqual(ada)
})

test('an account that the rules exclude sees a message and no records', async ({ page }) => {
  allowConsole(/status of 403/)
  const shipped = readFileSync('firestore.rules', 'utf8')
  await createHostedAdmin().setRules(shipped.replace('return signedInWithPassword();', 'return false;'))
  try {
    await signUp(page)
    await signIn(page)
    await expect(page.getByRole('alert')).toHaveText(/^Your account doesn’t have access to this register\./)
    await expect(recordsIn(page).rows).toHaveCount(0)
  } finally {
    await createHostedAdmin().setRules(shipped)
  }
})

test('a team shares deleted records, history and the end of an access, without a server of ours', async ({
  page,
  records,
  openBrowser,
}) => {
  allowConsole(/status of 40[03]/)
  const colleague = { email: 'colleague@example.com', password: 'another long one' }
  const second = await openBrowser()
  await signUp(second, colleague)
  await signIn(second, colleague)
  const theirs = recordsIn(second)
  await records.add(ada)
  await theirs.delete(ada)
  await records.expectNames()
  await records.chooseInMenu('Recently deleted')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').filter({ hasText: ada.eName })).toContainText(colleague.email)
  await dialog.getByRole('button', { name: /^Restore/ }).click()
  await page.keyboard.press('Escape')
  await records.expectNames(ada)

  await records.chooseInMenu('Team')
  const team = page.getByRole('dialog', { name: 'Team' })
  await expect(team.getByText('2 accounts can read and change every record.')).toBeVisible()
  await team.getByRole('button', { name: `More about ${colleague.email}` }).click()
  await team.getByRole('button', { name: `Remove ${colleague.email}…` }).click()
  await team.getByLabel('Your password', { exact: true }).fill(account.password)
  await team.getByRole('button', { name: `Remove ${colleague.email}`, exact: true }).click()
  const banner = page.getByRole('region', { name: 'What must we change?' })
  await expect(banner).toContainText(`${colleague.email} knew one password`)
  await expect(second.getByText(/^You’ve been signed out/)).toBeVisible()
})

test('a link shows a credential once, without an account, and also to who is signed in and stays so', async ({
  page,
  records,
  openBrowser,
}) => {
  allowConsole(/status of 40[03]/)
  const makeLink = async () => {
    await records.rowButton(ada, 'Hand over').click()
    await records.press('Make a link')
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    await page.keyboard.press('Escape')
    return link
  }
  await records.add(ada)
  const link = await makeLink()
  const [employee, late] = [await openBrowser(link), await openBrowser(link)]
  for (const browser of [employee, late]) {
    await browser.goto(link)
    await browser.getByRole('button', { name: 'Show' }).click()
    await expect(
      browser.getByLabel('Password', { exact: true }).or(browser.getByText(/already used/)),
    ).toBeVisible()
  }
  await expect(employee.getByLabel('Password', { exact: true })).toHaveValue(ada.password)
  await expect(late.getByText('It was already used')).toBeVisible()
  const stored = await employee.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  for (const secret of [ada.password, ...(link.split('=')[1] ?? '').split('.')])
    expect(stored).not.toContain(secret)
  await records.edit(ada)
  await expect(records.form).toContainText(
    /handed over (just now|\d minutes? ago), opened (just now|\d minutes? ago)/,
  )

  await page.goto(await makeLink())
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(ada.password)
  await expect.poll(createHostedAdmin().countAnonymous).toBe(0)
  await page.goto('/form')
  await records.expectNames(ada)
})
