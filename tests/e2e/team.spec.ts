// How people come in and back in by links. Depends on the command line beside a running server, and on the browser's history.
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page, Request, Route } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import type { ServerProcess } from '../support/e2e/backend.ts'
import {
  allowConsole,
  expect,
  sendAccount,
  signIn,
  signUp,
  testWithOwnServer as test,
} from '../support/e2e/fixture.ts'
import { dumpStorage, recordsIn } from '../support/e2e/records.ts'
import { account, ada, grace } from '../support/people.ts'

test.use({ signUp: 'invited' })

const colleague = { email: 'colleague@example.com', password: 'another long one' }
const usedLink = 'It has expired or was used.'
const tokenOf = (link: string) => link.slice(link.indexOf('=') + 1)

/** Records the requests of every page of this browser. */
function recordRequests(context: BrowserContext): Request[] {
  const requests: Request[] = []
  context.on('request', (request) => requests.push(request))
  return requests
}

/** Checks that secrets are in no address that Back and Forward lead to, in nothing stored, not in the DOM, and in requests only in bodies. */
async function expectNoTrace(secrets: string[], page: Page, requests: Request[] = []) {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  const state = await page.evaluate(() => JSON.stringify(history.state))
  const traces = [...entries.map(({ url }) => url), state, (await dumpStorage(page)).text]
  traces.push((await page.content()).replaceAll('&amp;', '&'))
  for (const request of requests) {
    // Fragments are never sent.
    const [address = ''] = request.url().split('#')
    const headers = await request.allHeaders().catch(() => request.headers())
    traces.push(address, JSON.stringify(headers))
  }
  expect(secrets.filter((secret) => traces.join(' ').includes(secret))).toEqual([])
}

/** Checks that the server neither prints nor stores secrets, but, to be sure of the search, an email. */
const expectOnServer = async ({ findTraces }: ServerProcess, ...secrets: string[]) =>
  expect(await findTraces(account.email, ...secrets)).toEqual([account.email])

async function signUpByLink(page: Page, link: string, credentials = account) {
  await page.goto(link)
  await expect(page.getByText('You’re invited.')).toBeVisible()
  await sendAccount(page, 'Sign Up', credentials)
  await expect(page).toHaveURL('/signin')
}

/** Makes a link in the page, and returns it. */
async function inviteInPage(page: Page): Promise<string> {
  await recordsIn(page).chooseInMenu('Team')
  const dialog = page.getByRole('dialog', { name: 'Team' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  return link
}

test('the sign-up screen moves nothing when it says that an invitation is needed', async ({ page }) => {
  const email = page.getByLabel('Email')
  const expectStill = async (open: () => Promise<unknown>) => {
    const policy = Promise.withResolvers<void>()
    await page.route(`**${paths.policy}`, async (route) => {
      await policy.promise
      await route.continue()
    })
    await open()
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    const before = await email.boundingBox()
    policy.resolve()
    await expect(page.getByText('You need an invitation.')).toBeVisible()
    expect(await email.boundingBox()).toEqual(before)
    await page.unroute(`**${paths.policy}`)
  }
  await expectStill(() => page.goto('/'))
  const known = page.waitForResponse(`**${paths.policy}`)
  await page.goto('/signin')
  await known
  await expectStill(() => page.getByRole('link', { name: 'Create an account' }).click())
})

test('the operator invites the first colleague, who invites the second; every link lets one person in, and its token is sent in bodies only', {
  tag: '@main',
}, async ({ server, page, context, openBrowser }) => {
  await page.goto('/')
  await expect(page.getByText('You need an invitation. Ask a colleague for a link.')).toBeVisible()
  const requests = recordRequests(context)
  const link = await server.runCommand('account', 'invite')
  const token = tokenOf(link)
  await signUpByLink(page, link)
  await expectNoTrace([token], page)
  await signIn(page)
  expect(requests.some((request) => request.postData()?.includes(token))).toBe(true)
  await expectNoTrace([token, account.password], page, requests)
  await expectOnServer(server, token, account.password)

  const nextLink = await inviteInPage(page)
  const second = await openBrowser()
  await signUpByLink(second, nextLink, colleague)
  await signIn(second, colleague)
  await recordsIn(second).add(ada)
  await expect(recordsIn(page).rowOf(ada)).toBeVisible()
  const third = await openBrowser()
  await third.goto(nextLink)
  await expect(third.getByText(usedLink)).toBeVisible()
})

test.describe('where anyone may sign up', () => {
  test.use({ signUp: 'open' })

  test('a reset link sets a new password, ends all sessions of the account, and leaves no trace', async ({
    server,
    records,
    baseURL,
    openBrowser,
  }) => {
    allowConsole(/401/)
    await records.add(ada)
    const second = recordsIn(await records.page.context().newPage())
    await second.page.goto('/form')
    await second.expectNames(ada)
    const other = await openBrowser()
    const requests = recordRequests(other.context())
    const link = await server.runCommand('account', 'reset-link', account.email)
    const token = tokenOf(link)
    expect(link).toBe(`${baseURL}/signin#reset=${token}`)
    await other.goto(link)
    await expect(other.getByRole('heading', { name: 'Set a New Password' })).toBeVisible()
    await expect(other.getByLabel('Email', { exact: true })).toHaveValue(account.email)
    const password = other.getByLabel('Password', { exact: true })
    await password.fill(colleague.password)
    await other.getByRole('button', { name: 'Set Password' }).click()
    await expect(other.getByText('Your new password is set. Please sign in.')).toBeVisible()
    for (const tab of [records, second]) {
      const alert = tab.page.getByRole('alert').filter({ hasText: 'You’ve been signed out' })
      await expect(alert).toBeVisible()
      await tab.expectNames()
    }
    await password.fill(colleague.password)
    await other.getByRole('button', { name: 'Sign In' }).click()
    await expect(recordsIn(other).form).toBeVisible()
    await expectNoTrace([token, colleague.password], other, requests)
    await expectOnServer(server, token, colleague.password)
    await other.goto(link)
    await expect(other.getByText(usedLink)).toBeVisible()
  })

  test('Bob leaves: he is removed, signed out, every password that he knew is changed, and a sheet of links hands them over', {
    tag: '@main',
  }, async ({ server, records, context, openBrowser }) => {
    allowConsole(/401|403/)
    const sent = recordRequests(context)
    await records.create(ada, grace)
    const bob = recordsIn(await openBrowser(server.otherUrl))
    const read = recordRequests(bob.page.context())
    await signUp(bob.page, colleague)
    await signIn(bob.page, colleague)
    await bob.expectNames(ada, grace)
    await records.chooseInMenu('Team')
    await records.press(`More about ${colleague.email}`)
    await records.press(`Remove ${colleague.email}…`)
    await records.page.getByLabel('Your password', { exact: true }).fill(account.password)
    await records.page.keyboard.press('Enter')
    await expect(bob.page.getByText('You’ve been signed out')).toBeVisible()
    await bob.expectNames()
    const banner = records.page.getByRole('region', { name: 'What must we change?' })
    await expect(banner).toContainText(`${colleague.email} knew 2 passwords`)
    await records.press('Change 2…')
    const bar = records.page.getByRole('group', { name: 'Passwords to change' })
    for (const step of ['1 of 2', '2 of 2']) {
      await expect(bar).toContainText(step)
      await expect(records.updateButton).toBeFocused()
      await records.page.keyboard.press('Enter')
    }
    await expect(bar).toContainText('2 passwords changed.')
    await expect(banner).toContainText('All done.')
    await bob.page.goto('/signin')
    await sendAccount(bob.page, 'Sign In', colleague)
    await expect(bob.page.getByText('This account was removed.')).toBeVisible()
    const secrets = [ada, grace, colleague, account].map(({ password }) => password)
    await expectNoTrace(secrets, bob.page, read)

    await records.press('Hand over all')
    await records.press('Make 2 links')
    const [download] = await Promise.all([
      records.page.waitForEvent('download'),
      records.press('Download as CSV'),
    ])
    const list = readFileSync(await download.path(), 'utf8')
    const links = list.match(/http[^"]+/g) ?? []
    expect(links).toHaveLength(2)
    const employee = await openBrowser()
    const opened = recordRequests(employee.context())
    for (const link of links) {
      await employee.goto(link.replace(server.url, server.otherUrl))
      await employee.getByRole('button', { name: 'Show' }).click()
      const password = employee.getByLabel('Password', { exact: true })
      await expect(password).toHaveValue(/^.{20}$/)
      const [token = '', key = ''] = tokenOf(link).split('.')
      secrets.push(token, key, await password.inputValue())
      await expectNoTrace(secrets, employee, opened)
      for (const request of [...sent, ...opened]) expect(request.postData() ?? '').not.toContain(key)
    }
    await expectNoTrace(secrets, records.page, sent)
    await expectOnServer(server, ...secrets)
  })

  test('a new employee gets his password by a link that shows it once, and the page then says when', {
    tag: '@main',
  }, async ({ server, records, context, openBrowser }) => {
    const { page } = records
    const sent = recordRequests(context)
    await records.add(ada)
    await records.rowButton(ada, 'Hand over').click()
    await records.press('Make a link')
    const made = await page.getByLabel('Link', { exact: true }).inputValue()
    const link = made.replace(server.url, server.otherUrl)
    const [token = '', key = ''] = tokenOf(link).split('.')
    const secrets = [token, key, ada.password, account.password]
    await expectOnServer(server, ...secrets)

    const [other, previewed] = [await openBrowser(), await openBrowser()]
    const opened = recordRequests(other.context())
    const bodies: Promise<string>[] = []
    other.on('response', (response) => bodies.push(response.text().catch(() => '')))
    // What previews a link loads its page, and presses nothing.
    for (const browser of [previewed, other]) await browser.goto(link)
    await expect(previewed.getByRole('button', { name: 'Show' })).toBeVisible()
    allowConsole(/ERR_FAILED/)
    async function loseResponse(route: Route) {
      expect((await route.fetch()).status()).toBe(200)
      await route.abort()
    }
    await other.route('**/api/handovers/take', loseResponse, { times: 1 })
    await other.getByRole('button', { name: 'Show' }).click()
    await expect(other.getByRole('alert')).toContainText('Check your connection.')
    await other.getByRole('button', { name: 'Show' }).click()
    await expect(other.getByLabel('Password', { exact: true })).toHaveValue(ada.password)
    // Choosing a language reloads the page, which loses the credential.
    await expect(other.getByRole('combobox', { name: 'Theme' })).toBeVisible()
    await expect(other.getByRole('combobox', { name: 'Language' })).toBeHidden()
    expect((await Promise.all(bodies)).join()).not.toContain(ada.password)
    const notNeeded = /records-page|\/api\/(?!handovers\/take)/
    expect(opened.map((request) => request.url()).filter((url) => notNeeded.test(url))).toEqual([])
    await expectNoTrace(secrets, other, opened)
    await expectNoTrace(secrets, page, sent)
    await expectOnServer(server, ...secrets)
    for (const request of [...sent, ...opened]) expect(request.postData() ?? '').not.toContain(key)

    allowConsole(/410/)
    await previewed.getByRole('button', { name: 'Show' }).click()
    await expect(previewed.getByText('It was already used')).toBeVisible()
    await other.goto(link.slice(0, -1))
    await expect(other.getByText('Part of the link is missing.')).toBeVisible()
    await page.keyboard.press('Escape')
    await records.edit(ada)
    await expect(records.form).toContainText(
      /handed over (just now|\d minutes? ago), opened (just now|\d minutes? ago)/,
    )
  })
})
