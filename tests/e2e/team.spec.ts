// How people come in and back in by links. Depends on the command line beside a running server, and on the browser's history.
import type { BrowserContext, Page, Request } from '@playwright/test'
import { startServer } from '../support/e2e/backend.ts'
import { addEmployee, expect, form, names, rowOf, signIn, testWithOwnServer } from '../support/e2e/fixture.ts'
import { account, ada } from '../support/people.ts'

const test = testWithOwnServer.extend<{ openBrowser(): Promise<Page> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off this pattern
  server: async ({}, use) => {
    const server = await startServer({ signUp: 'invited' })
    await use(server)
    await server.stop()
  },
  openBrowser: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ baseURL: baseURL ?? '' })
      contexts.push(context)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

const colleague = { email: 'colleague@example.com', password: 'another long one' }
const newPassword = 'a new and good one'
const usedLink = 'This link has expired or was used. Ask for a new one.'

const tokenOf = (link: string) => link.slice(link.indexOf('=') + 1)
const emailField = (page: Page) => page.getByLabel('Email', { exact: true })
const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })

/** Records the requests of every page of this browser. */
function recordRequests(context: BrowserContext): Request[] {
  const requests: Request[] = []
  context.on('request', (request) => requests.push(request))
  return requests
}

/** What a request carries besides its body. Fragments are never sent. */
async function readAddressAndHeaders(request: Request): Promise<string> {
  const { href, hash } = new URL(request.url())
  const headers = await request.allHeaders().catch(() => request.headers())
  return href.slice(0, href.length - hash.length) + JSON.stringify(headers)
}

/** The addresses that Back and Forward lead to, and what this tab has stored. */
async function readTraces(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  const stored = await page.evaluate(() => [history.state, { ...localStorage }, { ...sessionStorage }])
  return JSON.stringify([entries.map(({ url }) => url), stored])
}

async function signUpByLink(page: Page, link: string, { email, password } = account) {
  await page.goto(link)
  await expect(page.getByText('You’re invited.')).toBeVisible()
  await emailField(page).fill(email)
  await passwordField(page).fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/signin')
}

async function chooseInMenu(page: Page, item: string) {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('button', { name: item }).click()
}

/** Makes a link in the page, and returns it. */
async function inviteInPage(page: Page): Promise<string> {
  await chooseInMenu(page, 'Invite a colleague')
  const dialog = page.getByRole('dialog', { name: 'Invite a colleague' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  return link
}

test('the operator invites the first colleague, who invites the second; every link lets one person in, and its token is sent in bodies only', async ({
  server,
  page,
  context,
  openBrowser,
}) => {
  await page.goto('/')
  await expect(page.getByText('You need an invitation. Ask a colleague for a link.')).toBeVisible()
  const requests = recordRequests(context)
  const link = await server.runCommand('account', 'invite')
  const token = tokenOf(link)
  await signUpByLink(page, link)
  expect(await readTraces(page)).not.toContain(token)
  await signIn(page)
  expect(await readTraces(page)).not.toContain(token)
  expect(requests.some((request) => request.postData()?.includes(token))).toBe(true)
  for (const request of requests) expect(await readAddressAndHeaders(request)).not.toContain(token)
  expect(server.log()).not.toContain(token)

  const nextLink = await inviteInPage(page)
  const second = await openBrowser()
  await signUpByLink(second, nextLink, colleague)
  await signIn(second, colleague)
  await addEmployee(second, ada)
  await expect(rowOf(page, ada)).toBeVisible()
  const third = await openBrowser()
  await third.goto(nextLink)
  await expect(third.getByText(usedLink)).toBeVisible()
})

test('a reset link sets a new password, ends all sessions of the account, and leaves no trace', async ({
  server,
  page,
  baseURL,
  openBrowser,
  expectedErrors,
}) => {
  expectedErrors.push(/401/)
  await signUpByLink(page, await server.runCommand('account', 'invite'))
  await signIn(page)
  await addEmployee(page, ada)
  const second = await page.context().newPage()
  await second.goto('/form')
  const other = await openBrowser()
  const requests = recordRequests(other.context())
  const link = await server.runCommand('account', 'reset-link', account.email)
  const token = tokenOf(link)
  expect(link).toBe(`${baseURL}/signin#reset=${token}`)
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Set a New Password' })).toBeVisible()
  await expect(emailField(other)).toHaveValue(account.email)
  await passwordField(other).fill(newPassword)
  await other.getByRole('button', { name: 'Set Password' }).click()
  await expect(other.getByText('Your new password is set. Please sign in.')).toBeVisible()
  for (const tab of [page, second]) {
    await expect(tab.getByRole('alert').filter({ hasText: 'You’ve been signed out.' })).toBeVisible()
    await expect(names(tab)).toHaveCount(0)
  }
  await passwordField(other).fill(newPassword)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await expect(form(other)).toBeVisible()
  expect(await readTraces(other)).not.toContain(token)
  for (const request of requests) expect(await readAddressAndHeaders(request)).not.toContain(token)
  expect(server.log()).not.toContain(token)
  await other.goto(link)
  await expect(other.getByText(usedLink)).toBeVisible()
})
