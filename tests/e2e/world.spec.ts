// What surrounds the page in the world: extensions, networks, clocks, languages and settings of its visitors.
import type { Page } from '@playwright/test'
import { emptyFields } from '../../contract/employees.ts'
import { paths } from '../../contract/protocol.ts'
import { newCredentials } from '../support/backend-client.ts'
import { allowConsole, expect, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { type Records, recordsIn } from '../support/e2e/records.ts'
import { account, ada, alan, grace, named, renamed } from '../support/people.ts'
import { sample } from '../support/sample.ts'

/** What people do all day. */
async function work(records: Records) {
  const { page } = records
  await records.add(ada)
  await records.add(grace)
  await records.edit(ada)
  await records.fill(renamed('Ada King', ada))
  await records.update()
  await records.expectNames(renamed('Ada King', ada), grace)
  await page.getByRole('searchbox').fill('hopper')
  await records.expectNames(grace)
  await page.getByRole('searchbox').fill('')
  // By keyboard: for a moment, rows that have moved ignore the mouse.
  await records.rowButton(grace, 'Delete').press('Enter')
  await records.expectNames(renamed('Ada King', ada))
  await records.press('Undo delete')
  await records.expectNames(renamed('Ada King', ada), grace)
  for (const item of ['Team', 'Recently deleted', 'Sessions and passkeys']) {
    await records.chooseInMenu(item)
    await expect(page.getByRole('dialog', { name: item })).toBeVisible()
    await page.keyboard.press('Escape')
  }
}

/** Signs up and in by the screens. */
async function enter(page: Page): Promise<Records> {
  const visitor = newCredentials()
  await signUp(page, visitor)
  await signIn(page, visitor)
  return recordsIn(page)
}

/** Adds what extensions add: icons beside each input, a wrapper in its place, a toolbar, and attributes. */
function addExtension() {
  if (window !== top) return
  const mark = (input: HTMLInputElement) => {
    if (input.dataset.extension) return
    input.dataset.extension = 'seen'
    input.setAttribute('autocomplete', 'off')
    const icon = document.createElement('div')
    icon.textContent = '🔑'
    input.after(icon)
    input.before(document.createElement('span'))
  }
  const observer = new MutationObserver(() => {
    for (const input of document.querySelectorAll('input')) mark(input)
    if (document.querySelector('toolbar-of-extension')) return
    document.documentElement.setAttribute('data-extension', 'installed')
    document.body?.prepend(document.createElement('toolbar-of-extension'))
    document.body?.append(document.createElement('iframe'))
  })
  observer.observe(document, { childList: true, subtree: true })
}

test('an extension that inserts elements beside the inputs and into the body disturbs nothing', async ({
  page,
}) => {
  await page.addInitScript(addExtension)
  const records = await enter(page)
  await expect(page.locator('html')).toHaveAttribute('data-extension')
  await work(records)
})

const year = 365 * 24 * 3_600_000

const clocks = [
  ['a year late', -year],
  ['a year early', year],
] as const

for (const [name, offset] of sample(clocks, 1)) {
  test(`a clock that is ${name} neither ends the session nor tells wrong times`, async ({ page }) => {
    await page.clock.setSystemTime(Date.now() + offset)
    const records = await enter(page)
    await work(records)
    await page.reload()
    await records.expectNames(renamed('Ada King', ada), grace)
    await records.edit(grace)
    await expect(records.form.getByText(/^Changed (just now|\d+ minutes? ago)/)).toBeVisible()
  })
}

const portalPage = { contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }

const portals = [
  ['200 with its page', portalPage],
  ['302 to its page', { status: 302, headers: { location: 'http://127.0.0.1:9/login' } }],
  ['511 with its page', { ...portalPage, status: 511 }],
] as const

for (const [name, portal] of sample(portals, 1)) {
  test(`a network that answers everything with ${name} loses no change`, async ({ records, page }) => {
    allowConsole(/Failed to load resource/, /net::ERR/, /Access to fetch/, /CORS/, /Content Security Policy/)
    await records.add(ada)
    await page.route('**/api/**', (route) => route.fulfill(portal))
    await records.submit(grace)
    await expect(records.waiting('Grace Hopper')).toBeVisible()
    await records.delete(ada)
    await records.fill(alan)
    await page.unrouteAll()
    await records.expectNames(grace)
    await expect(records.outbox.getByRole('listitem')).toHaveCount(0)
    expect(await records.read()).toEqual(alan)
    await expect.poll(records.countStored).toBe(1)
  })
}

test('a firewall that refuses a request is named, and the change can be sent again', async ({
  records,
  page,
}) => {
  allowConsole(/Failed to load resource/)
  await page.route(`**${paths.books}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' })
      : route.fallback(),
  )
  await records.submit(ada)
  await expect(records.entry('Something between you and the server refused this.')).toBeVisible()
  await page.unrouteAll()
  await records.press('Retry')
  await records.expectNames(ada)
})

test('a network that holds the event stream back shows no problem, and the changes of others arrive', async ({
  page,
  records,
  openColleague,
}) => {
  const colleague = await openColleague()
  await page.route(/changes\?since=\d+$/, () => {})
  await page.reload()
  await colleague.add(ada)
  await records.expectNames(ada)
  await colleague.add(grace)
  await records.expectNames(ada, grace)
  await expect(page.getByText(/^(You’re offline|The server isn’t available)/)).toHaveCount(0)
})

const scripts = [
  'Zoë Müller',
  'Ελένη Παπαδοπούλου',
  'Анна Ковальчук',
  'דנה לוי',
  'محمد العلي',
  'अनीता शर्मा',
  'สมชาย ใจดี',
  '田中 太郎',
  '王小明',
  '김민준',
  'ნინო ბერიძე',
  'አበበ በቀለ',
  'நிலா',
]

for (const locale of sample(['ar-EG', 'ja-JP'], 1))
  test.describe(`in a browser that speaks ${locale}`, () => {
    test.use({ locale })
    test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem('language', 'en')))

    test('names of every script are added, found, sorted and deleted', async ({ records, page }) => {
      for (const [index, name] of scripts.entries())
        await records.create(named(name, { email: `p${index}@example.com` }))
      await expect(records.rows).toHaveCount(scripts.length)
      for (const name of scripts) {
        await page.getByRole('searchbox').fill(name.split(' ').at(-1) ?? '')
        await records.expectNames(named(name))
      }
      await page.getByRole('searchbox').fill('')
      await page.getByRole('columnheader', { name: 'Employee Name' }).getByRole('button').click()
      await expect(records.rows).toHaveCount(scripts.length)
      await records.rowButton(named('محمد العلي'), 'Delete').press('Enter')
      await expect(records.rows).toHaveCount(scripts.length - 1)
    })
  })

test('at 400 % zoom, on a screen of 1280 by 1024, everything can be reached without scrolling sideways', async ({
  records,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await page.reload()
  await work(records)
  await expect(page.locator('html')).toHaveJSProperty('scrollWidth', 320)
  await records.edit(grace)
  await expect(records.form.getByLabel('Employee Name')).toBeInViewport({ ratio: 1 })
  await expect(records.form.getByRole('button', { name: 'Update' })).toBeVisible()
})

test('with forced colours, the buttons of a row are visible, and no text is behind an icon', async ({
  records,
}) => {
  await records.page.emulateMedia({ forcedColors: 'active' })
  await work(records)
  for (const name of ['Edit', 'Delete', 'Show password'] as const)
    await expect(records.rowButton(grace, name)).toBeVisible()
  await records.page.setViewportSize({ width: 390, height: 844 })
  await expect(records.page.getByRole('combobox', { name: 'Sort' })).toHaveCSS('text-indent', '44px')
})

test('a pasted password of several lines, which the field can’t hold, is told about; one of one line is not', async ({
  records,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page } = records
  const note = page
    .getByRole('status')
    .filter({ hasText: 'The pasted password had several lines, and is now one.' })
  const password = records.field('password')
  const paste = async (text: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text)
    await password.fill('')
    await password.press('ControlOrMeta+v')
  }
  // The page begins to listen when it is idle.
  await expect(async () => {
    await paste('-----BEGIN KEY-----\nMIIE')
    await expect(note).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(note).toHaveCount(0)
  await paste('secret\n')
  await expect(password).toHaveValue('secret')
  await expect(note).toHaveCount(0)
})

test('nothing is loaded in advance for people who save data', async ({ page, records }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    Object.assign(globalThis, {
      requestIdleCallback: (run: (deadline: object) => void) => run({ didTimeout: true }),
    })
  })
  const loaded: string[] = []
  page.on('framenavigated', () => page.on('request', (request) => void loaded.push(request.url())))
  await page.reload()
  await records.add(ada)
  expect(loaded.filter((url) => /dialog|generator/.test(url))).toEqual([])
})

test('two accounts that follow each other in one browser see nothing of what the other typed', async ({
  records,
  page,
  context,
}) => {
  const other = newCredentials()
  await records.fill(alan)
  await records.waitUntilStored(1)
  const second: Page = await context.newPage()
  await second.goto('/form')
  await recordsIn(second).press('Logout')
  await second.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(second).toHaveURL('/')
  await expect(page).toHaveURL('/')
  await signUp(second, other)
  await signIn(second, other)
  expect(await recordsIn(second).read()).toEqual(emptyFields)
  await page.goto('/form')
  await expect(page.getByText(`Logged in as: ${other.email}`)).toBeVisible()
  await expect(page.getByText(account.email)).toHaveCount(0)
})
