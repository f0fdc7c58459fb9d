// Behavior that exists only on Firebase, or differs from that with our own server.
import { readFileSync } from 'node:fs'
import {
  addEmployee,
  expect,
  expectNames,
  fillForm,
  form,
  names,
  outboxList,
  rowButton,
  rows,
  signIn,
  signUp,
  test,
} from '../support/e2e/fixture.ts'
import { createHostedAdmin } from '../support/firebase/hosted-backend.ts'
import { account, ada, grace } from '../support/people.ts'

test('the static host serves the page with our headers at every route', async ({ request }) => {
  for (const path of ['/', '/signin', '/form', '/login']) {
    const response = await request.get(path)
    expect(response.ok()).toBe(true)
    expect(await response.text()).toContain('<div id="root">')
    const headers = response.headers()
    expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^']+'; style-src 'self';/)
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

  test('a reload without a network shows the form and unsaved changes', async ({
    recordsPage,
    context,
    expectedErrors,
  }) => {
    expectedErrors.push(/Failed to load resource/, /net::ERR/, /cleardot\.gif/)
    await addEmployee(recordsPage, ada)
    const state = () => recordsPage.evaluate(() => navigator.serviceWorker.controller?.state)
    // If the worker could not load all files, the browser installs it at the next visit.
    await expect(async () => {
      await recordsPage.reload()
      await expect.poll(state, { timeout: 5_000 }).toBe('activated')
    }).toPass()
    await context.setOffline(true)
    await fillForm(recordsPage, grace)
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toBeVisible()
    await recordsPage.reload()
    await expect(form(recordsPage)).toBeVisible()
    await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toBeVisible()
    await context.setOffline(false)
    await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName], { timeout: 30_000 })
  })
})

test('Firestore’s SDK is loaded for /form, but not for the account screens', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  const firestore = () => scripts.filter((url) => url.includes('/documents-'))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/signin')
  expect(firestore()).toEqual([])
  await signIn(page)
  await expect(form(page)).toBeVisible()
  await expect.poll(firestore).toHaveLength(1)
})

test('local and session storage contain no token and no key (§3)', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  const stored = await recordsPage.evaluate(() => ({ ...localStorage, ...sessionStorage }))
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

test('logout deletes the session from the browser (§4)', async ({ recordsPage }) => {
  const sessions = () =>
    recordsPage.evaluate(async () => {
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
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  await expect(recordsPage).toHaveURL('/')
  expect(await sessions()).toBe(0)
})

test('an add without a network stays in the outbox across a reload, and creates one record', async ({
  recordsPage,
  context,
  expectedErrors,
}) => {
  // The SDK loads an image from Google to detect a network; our content security policy blocks it.
  expectedErrors.push(/Failed to load resource/, /net::ERR/, /cleardot\.gif/)
  await addEmployee(recordsPage, ada)
  await context.setOffline(true)
  await fillForm(recordsPage, grace)
  await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
  await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toBeVisible()
  await context.setOffline(false)
  await recordsPage.reload()
  await expectNames(recordsPage, ada, grace)
  await expect(outboxList(recordsPage).getByText('Not saved: Grace Hopper')).toHaveCount(0)
  await recordsPage.reload()
  await expectNames(recordsPage, ada, grace)
})

test('live: changes made while the network was unavailable appear when it is back, without a reload', async ({
  recordsPage,
  openColleague,
}) => {
  await addEmployee(recordsPage, ada)
  const theirs = await openColleague()
  await expectNames(theirs, ada)
  await theirs.context().setOffline(true)
  await expect(theirs.getByText('No connection to the register.')).toBeVisible({ timeout: 20_000 })
  await addEmployee(recordsPage, grace)
  await rowButton(recordsPage, ada, 'Delete').click()
  await expectNames(theirs, ada)
  await theirs.context().setOffline(false)
  await expectNames(theirs, grace)
  await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
})

test('reports a session ended by the project’s owner, and retains typed text', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/400/)
  await fillForm(recordsPage, ada)
  await createHostedAdmin().deleteAccount(account.email)
  // Simulates returning to the tab. Repeated, because the page may not have subscribed yet.
  await expect(async () => {
    await recordsPage.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const notice = recordsPage.getByText(
      'You’ve been signed out. Sign in to see the records. Your unsaved changes are kept.',
    )
    await expect(notice).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 15_000 })
  await expect(form(recordsPage).getByLabel('Employee Name')).toHaveValue(ada.eName)
})

test('an account that the rules exclude sees a message and no records', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 403/)
  const shipped = readFileSync('firestore.rules', 'utf8')
  await createHostedAdmin().setRules(shipped.replace('return signedInWithPassword();', 'return false;'))
  try {
    await signUp(page)
    await signIn(page)
    await expect(page.getByRole('alert')).toHaveText(/^Your account doesn’t have access to this register\./)
    await expect(rows(page)).toHaveCount(0)
  } finally {
    await createHostedAdmin().setRules(shipped)
  }
})
