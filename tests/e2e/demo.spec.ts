// The demo page: static files in a folder of a host, without a server, an account or a trace.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page } from '@playwright/test'
import { newcomers, people } from '../../web/demo/people.ts'
import { allowConsole, test as base, expect, sendAccount } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { startStaticHost } from '../support/e2e/static-host.ts'
import { ada, nameOf, renamed } from '../support/people.ts'

const root = join(import.meta.dirname, '../..')
const build = (...args: string[]) =>
  execFileSync(process.execPath, ['scripts/build.ts', ...args], { cwd: root, stdio: 'pipe' })
const count = people.flat().length

/** The demo page at the root of a host and in a folder of one, and whatever a tab requests. */
const test = base.extend<
  { requested: string[] },
  { folder: string; hosts: { url: string; rootUrl: string } }
>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off this pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'staffbook-demo-'))
      build('memory', folder)
      await use(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  hosts: [
    async ({ folder }, use) => {
      const [inFolder, atRoot] = [
        await startStaticHost(folder, '/staffbook/'),
        await startStaticHost(folder, '/'),
      ]
      await use({ url: inFolder.url, rootUrl: atRoot.url })
      await Promise.all([inFolder.stop(), atRoot.stop()])
    },
    { scope: 'worker' },
  ],
  backend: async ({ hosts }, use) => use({ url: hosts.url } as never),
  requested: async ({ context }, use) => use(collectRequests(context)),
})

function collectRequests(context: BrowserContext): string[] {
  const requested: string[] = []
  context.on('request', (request) => requested.push(`${request.method()} ${request.url()}`))
  return requested
}

const notice = (page: Page) =>
  page.getByText('This is a demo: everything stays in this tab and is gone when you close it.')

async function enter(page: Page, url: string) {
  await page.goto(url)
  await page.getByRole('button', { name: 'Try it without an account' }).click()
  await expect(page).toHaveURL(`${url}form`)
  await expect(recordsIn(page).rows.first()).toBeVisible()
  return recordsIn(page)
}

const expectCount = (page: Page, expected: number) =>
  expect(recordsIn(page).table).toHaveAttribute('aria-rowcount', String(expected + 1))

test('is entered without an account, works in a folder of a host, and requests nothing but its own files', async ({
  page,
  hosts,
  requested,
}) => {
  const records = await enter(page, hosts.url)
  await expect(notice(page)).toBeVisible()
  await expectCount(page, count)
  await page.getByRole('button', { name: 'Stop the colleague' }).click()
  await expect(page.getByRole('button', { name: 'Let a colleague work' })).toBeVisible()
  await records.add(ada)
  await records.edit(ada)
  await records.fill(renamed('Ada King'))
  await records.update()
  await expect(records.rowOf('Ada King')).toBeVisible()
  await records.delete('Ada King')
  await expect(records.rowOf('Ada King')).toHaveCount(0)
  await records.press('Undo delete')
  await expect(records.rowOf('Ada King')).toBeVisible()
  await page.reload()
  await expect(records.rowOf('Ada King')).toBeVisible()
  await expectCount(page, count + 1)
  await records.press('Logout')
  await expect(page).toHaveURL(hosts.url)
  const foreign = requested.filter((request) => !request.startsWith(`GET ${hosts.url}`))
  expect(foreign.filter((request) => !/^GET (data|blob):/.test(request))).toEqual([])
  expect(requested.filter((request) => request.includes('/api/'))).toEqual([])
})

test('has the routes of the specification; signing up and in work with anything typed', async ({
  page,
  hosts,
}) => {
  for (const url of [hosts.url, hosts.rootUrl]) {
    await page.goto(`${url}form`)
    await expect(page).toHaveURL(url)
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await sendAccount(page, 'Sign Up', { email: 'someone@example.com', password: 'x' })
    await expect(page).toHaveURL(`${url}signin`)
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await sendAccount(page, 'Sign In', { email: 'someone@example.com', password: 'another' })
    await expect(page).toHaveURL(`${url}form`)
    await expect(page.getByText('Logged in as: someone@example.com')).toBeVisible()
    await page.goto(`${url}signin`)
    await expect(page.getByRole('link', { name: 'Open the register' })).toHaveAttribute(
      'href',
      `${new URL(url).pathname}form`,
    )
    await page.evaluate(() => sessionStorage.clear())
  }
})

test('any other path leads to /', async ({ page, hosts }) => {
  allowConsole(/404/)
  for (const path of ['login', 'form/deeper', 'x/y/']) {
    await page.goto(hosts.url + path)
    await expect(page).toHaveURL(hosts.url)
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  }
})

test('a colleague adds and edits now and then, but not the record that is being edited, and can be stopped', async ({
  page,
  hosts,
}) => {
  await page.clock.install()
  const records = await enter(page, hosts.url)
  const [first = ada] = people.flat()
  await records.edit(first)
  const added = records.names.filter({ hasText: new RegExp(newcomers.map(nameOf).join('|')) })
  await expect
    .poll(async () => {
      await page.clock.runFor(30_000)
      return added.count()
    })
    .toBeGreaterThan(1)
  expect(await records.read()).toEqual(first)
  await expect(page.getByRole('form').getByText('Changed', { exact: false })).toContainText('mia.keller')
  await page.getByRole('button', { name: 'Stop the colleague' }).click()
  const before = await page.evaluate(() => document.querySelector('table')?.ariaRowCount)
  await page.clock.runFor(600_000)
  expect(await page.evaluate(() => document.querySelector('table')?.ariaRowCount)).toBe(before)
})

test('leaves nothing in the browser beyond the tab', async ({ page, context, hosts }) => {
  const records = await enter(page, hosts.url)
  await records.add(ada)
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem('user') !== null])).toEqual([
    0,
    true,
  ])
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([])
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
  expect(await context.cookies()).toEqual([])
  const other = await context.newPage()
  await other.goto(`${hosts.url}form`)
  await expect(other).toHaveURL(hosts.url)
  await enter(other, hosts.url)
  await expectCount(other, count)
  await expect(recordsIn(other).rowOf(ada)).toHaveCount(0)
})

test('its policy lets it connect to nothing', async ({ page, hosts }) => {
  allowConsole(/Content Security Policy/)
  await page.goto(hosts.url)
  const blocked = page.evaluate(() =>
    fetch('icon.svg').then(
      () => 'sent',
      () => 'blocked',
    ),
  )
  expect(await blocked).toBe('blocked')
})

test('its scripts are not larger than those of the page with a server', ({ folder }) => {
  // Does nothing if the page is up to date.
  build()
  const sizeOf = (dist: string) =>
    globSync('assets/*.js', { cwd: dist })
      .map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0)
  expect(sizeOf(folder)).toBeLessThanOrEqual(sizeOf(join(root, 'dist')))
})
