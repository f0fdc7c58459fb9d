// The page opens without a network, and a new build replaces what the browser has stored.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { writeServiceWorker } from '../../scripts/page-plugins.ts'
import { root } from '../../scripts/terminal.ts'
import { createFolder } from '../support/cleanup.ts'
import { allowConsole, expect, test, testWithOwnServer } from '../support/e2e/fixture.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { account, ada, alan, grace } from '../support/people.ts'
import { startTestServer } from '../support/server.ts'

test.use({ serviceWorkers: 'allow' })
testWithOwnServer.use({ serviceWorkers: 'allow' })

const isControlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')

testWithOwnServer(
  'a reload while the server is down shows the form, unsaved changes and the connection, and sends them later',
  { tag: '@main' },
  async ({ records, page, server }) => {
    allowConsole(/Failed to load resource/, /net::ERR/)
    await records.add(ada)
    await isControlled(page)
    await server.kill()
    await records.submit(grace)
    await expect(records.waiting('Grace Hopper')).toBeVisible()
    await records.fill(alan)
    await records.waitUntilStored(2)

    await page.reload()
    await expect(records.waiting('Grace Hopper')).toBeVisible()
    expect(await records.read()).toEqual(alan)
    await expect(page.getByText('The server isn’t available.')).toBeVisible()
    await expect(page.getByText('The records can’t be loaded right now', { exact: true })).toBeVisible()
    await records.chooseInMenu('Help')
    await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible()
    await page.keyboard.press('Escape')

    await server.restart()
    await expect(records.rowOf(grace)).toBeVisible({ timeout: 30_000 })
    await expect(records.rowOf(ada)).toBeVisible()
    await expect(records.waiting('')).toHaveCount(0)
    await expect(page.getByText('The server isn’t available.')).toHaveCount(0)
  },
)

test('a later visit requests the list once, together with the page', async ({ records, page, context }) => {
  await records.add(ada)
  await isControlled(page)
  const requests: string[] = []
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const sender = request.serviceWorker() ? 'worker' : 'page'
    if (pathname === paths.books && request.method() === 'GET') requests.push(`${sender}${search}`)
  })
  await page.reload()
  await expect(records.rowOf(ada)).toBeVisible()
  expect(requests.sort()).toEqual(['page?early', 'worker'])
})

test('the browser stores the files of the build and nothing else, also after logout', async ({
  records,
  page,
}) => {
  await records.add(ada)
  await isControlled(page)
  await page.reload()
  await expect(records.rowOf(ada)).toBeVisible()
  await records.press('Logout')
  await expect(page).toHaveURL('/')
  const stored = await page.evaluate(async () => {
    const found: { path: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const { url } of await cache.keys())
        found.push({ path: new URL(url).pathname, text: (await (await cache.match(url))?.text()) ?? '' })
    }
    return found
  })
  expect(stored.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/icon.svg']))
  for (const { path, text } of stored) {
    expect(path).toMatch(/^\/(assets\/[\w.-]+\.(js|css)|icon\.svg|manifest\.webmanifest)?$/)
    for (const secret of ['Ada Lovelace', ada.email, ada.password, account.email])
      expect(text).not.toContain(secret)
  }
})

/** Our server with a copy of the build, which the test can replace. */
const testWithBuild = test.extend<{ build: { url: string; deploy(marker: string): Promise<void> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off this pattern
  build: async ({}, use) => {
    const folder = createFolder()
    cpSync(join(root, 'dist'), folder, { recursive: true })
    const server = await startTestServer({ pageDir: folder })
    await use({
      url: server.url,
      async deploy(marker) {
        // Files with other content have other names: browsers keep those of /assets/ for ever.
        const rename = (text: string) => text.replaceAll(/(-[\w-]{8})\.(?=js\b|css\b)/g, `$1-${marker}.`)
        rmSync(folder, { recursive: true })
        cpSync(join(root, 'dist'), folder, { recursive: true })
        for (const file of globSync('**/*.{html,js,css}', { cwd: folder })) {
          const text = rename(readFileSync(join(folder, file), 'utf8'))
          for (const end of ['', '.gz', '.br']) rmSync(join(folder, file + end), { force: true })
          writeFileSync(join(folder, rename(file)), text.replace('<html', `<html data-build="${marker}"`))
        }
        writeServiceWorker(folder)
        await server.restart()
      },
    })
    await server.stop()
    rmSync(folder, { recursive: true })
  },
  baseURL: async ({ build }, use) => use(build.url),
})

const readBuild = (page: Page) => page.locator('html').getAttribute('data-build')

/** The page of each stored build. */
const readStoredPages = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    return Promise.all(names.map(async (cacheName) => (await caches.match('/', { cacheName }))?.text()))
  })

testWithBuild(
  'a new build is shown by the next load with a network, and replaces the stored one',
  async ({ page, context, build }) => {
    // The screen asks for the policy, also without a network.
    allowConsole(/Failed to load resource: net::ERR.*policy/)
    await build.deploy('first')
    await page.goto(`${build.url}/signin`)
    await isControlled(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    expect(await readBuild(page)).toBe('first')
    await context.setOffline(false)

    await build.deploy('second')
    await page.reload()
    expect(await readBuild(page)).toBe('second')
    await expect.poll(() => readStoredPages(page)).toEqual([expect.stringContaining('data-build="second"')])
    await context.setOffline(true)
    await page.reload()
    expect(await readBuild(page)).toBe('second')
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  },
)

testWithBuild(
  'an open page offers to reload when the server has a newer build, and keeps what was typed',
  async ({ records, page, build }) => {
    allowConsole(/Failed to load resource/, /net::ERR/)
    await isControlled(page)
    await records.fill(alan)
    await build.deploy('second')
    // As showing the tab does, this looks for a newer build. Repeated, because what looks may not be loaded yet.
    await expect(async () => {
      await records.waitUntilStored(1)
      await expect(page.getByText('A new version is ready.')).toBeVisible({ timeout: 1_000 })
    }).toPass()
    expect(await readBuild(page)).toBe(null)
    await records.press('Reload')
    await expect.poll(() => readBuild(page)).toBe('second')
    await expect.poll(records.read).toEqual(alan)
    await expect(page.getByText('A new version is ready.')).toHaveCount(0)
  },
)

testWithBuild(
  'the stored page is shown while a proxy responds in place of the server, or nothing responds in time',
  async ({ page, build }) => {
    allowConsole(/Failed to load resource/, /502/)
    await build.deploy('first')
    let fault: '502' | 'hang' | undefined
    const gateway = await startHttpProxy(build.url, (_, response) => {
      if (fault === '502') response.writeHead(502, { 'content-type': 'text/html' }).end('Bad gateway')
      return fault !== undefined
    })
    await page.goto(`${gateway.url}/signin`)
    await isControlled(page)
    for (fault of ['502', 'hang'] as const) {
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible({ timeout: 20_000 })
      expect(await readBuild(page)).toBe('first')
    }
    await gateway.close()
  },
)

test('a button that a message moves away while a resting mouse holds it is pressed', async ({
  records,
  page,
  context,
}) => {
  allowConsole(/net::ERR/)
  // Then all parts of the page can be loaded without a network.
  await isControlled(page)
  // What keeps presses is loaded with the tooltips.
  await expect(page.locator('[popover=manual]')).toBeAttached()
  await records.fill(ada)
  const submit = records.form.getByRole('button', { name: 'Submit' })
  // A message about the account may move the page before the press.
  await expect(async () => {
    await page.mouse.up()
    await submit.hover()
    await page.mouse.down()
    expect(await submit.evaluate((button) => button.matches(':active'))).toBe(true)
  }).toPass()
  const { y } = (await submit.boundingBox()) ?? { y: 0 }
  await context.setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await expect.poll(async () => (await submit.boundingBox())?.y).toBeGreaterThan(y + 20)
  await page.mouse.up()
  await expect(records.entry('Will be saved when you reconnect: Ada Lovelace')).toBeVisible()
  await context.setOffline(false)
  await records.expectNames(ada)
  // A press that the user drags off the button is none.
  await records.fill(grace)
  await submit.hover()
  await page.mouse.down()
  await page.mouse.move(5, 300)
  await page.mouse.up()
  await records.expectNames(ada)
  expect(await records.read()).toEqual(grace)
})
