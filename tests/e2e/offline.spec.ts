// The page opens without a network, and a new build replaces what the browser has stored.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writeServiceWorker } from '../../scripts/page-plugins.ts'
import { root } from '../../scripts/terminal.ts'
import {
  addEmployee,
  expect,
  fillForm,
  outboxEntry,
  readForm,
  rowOf,
  submitEmployee,
  test,
  testWithOwnServer,
  waitUntilStored,
} from '../support/e2e/fixture.ts'
import { account, ada, alan, grace } from '../support/people.ts'
import { startTestServer } from '../support/server.ts'

test.use({ serviceWorkers: 'allow' })
testWithOwnServer.use({ serviceWorkers: 'allow' })

const isControlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')

testWithOwnServer(
  'a reload while the server is down shows the form, unsaved changes and the connection, and sends them later',
  async ({ recordsPage, server, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/, /net::ERR/)
    await addEmployee(recordsPage, ada)
    await isControlled(recordsPage)
    await server.kill()
    await submitEmployee(recordsPage, grace)
    await expect(outboxEntry(recordsPage, 'Not saved: Grace Hopper')).toBeVisible()
    await fillForm(recordsPage, alan)
    await waitUntilStored(recordsPage, 2)

    await recordsPage.reload()
    await expect(outboxEntry(recordsPage, 'Not saved: Grace Hopper')).toBeVisible()
    expect(await readForm(recordsPage)).toEqual({ ...alan })
    await expect(recordsPage.getByText('No connection to the register')).toBeVisible()
    await recordsPage.getByRole('button', { name: 'Account menu' }).click()
    await recordsPage.getByRole('button', { name: 'Help' }).click()
    await expect(recordsPage.getByRole('dialog', { name: 'Help' })).toBeVisible()
    await recordsPage.keyboard.press('Escape')

    await server.restart()
    await expect(rowOf(recordsPage, grace)).toBeVisible({ timeout: 30_000 })
    await expect(rowOf(recordsPage, ada)).toBeVisible()
    await expect(outboxEntry(recordsPage, 'Not saved')).toHaveCount(0)
    await expect(recordsPage.getByText('No connection to the register')).toHaveCount(0)
  },
)

testWithOwnServer(
  'the browser stores the files of the build and nothing else, also after logout',
  async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await isControlled(recordsPage)
    await recordsPage.reload()
    await expect(rowOf(recordsPage, ada)).toBeVisible()
    await recordsPage.getByRole('button', { name: 'Logout' }).click()
    await expect(recordsPage).toHaveURL('/')
    const stored = await recordsPage.evaluate(async () => {
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
  },
)

/** Our server with a copy of the build, which the test can replace. */
const testWithBuild = test.extend<{ build: { url: string; deploy(marker: string): Promise<void> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off this pattern
  build: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'staffbook-build-'))
    cpSync(join(root, 'dist'), folder, { recursive: true })
    const server = await startTestServer({ pageDir: folder })
    const indexFile = join(folder, 'index.html')
    const index = readFileSync(indexFile, 'utf8')
    await use({
      url: server.url,
      async deploy(marker) {
        writeFileSync(indexFile, index.replace('<html', `<html data-build="${marker}"`))
        writeServiceWorker(folder)
        for (const file of ['index.html', 'sw.js'])
          for (const compressed of ['gz', 'br'])
            rmSync(join(folder, `${file}.${compressed}`), { force: true })
        await server.restart()
      },
    })
    await server.stop()
    rmSync(folder, { recursive: true })
  },
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

/** A proxy in front of our server; with `fault` it responds 502, or not at all, to what is not the API. */
async function startGateway(target: string) {
  const gateway = {
    url: '',
    fault: 'none' as 'none' | '502' | 'hang',
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  const server = createServer((incoming, outgoing) => {
    if (gateway.fault === 'hang') return
    if (gateway.fault === '502')
      return outgoing.writeHead(502, { 'content-type': 'text/html' }).end('Bad gateway')
    const { method = 'GET', url = '/', headers } = incoming
    const forwarded = request(target + url, { method, headers }, (response) => {
      response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers))
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return gateway
}

testWithBuild(
  'the stored page is shown while a proxy responds in place of the server, or nothing responds in time',
  async ({ page, build, expectedErrors }) => {
    expectedErrors.push(/Failed to load resource/, /502/)
    await build.deploy('first')
    const gateway = await startGateway(build.url)
    await page.goto(`${gateway.url}/signin`)
    await isControlled(page)
    for (const fault of ['502', 'hang'] as const) {
      gateway.fault = fault
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible({ timeout: 20_000 })
      expect(await readBuild(page)).toBe('first')
    }
    gateway.stop()
  },
)
