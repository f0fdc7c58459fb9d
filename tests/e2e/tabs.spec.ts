// Many tabs of one browser. With HTTP/1.1 a browser opens six connections to a server, for all of its tabs together.
import type { BrowserContext, Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { expect, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { type Records, recordsIn } from '../support/e2e/records.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { account, ada, grace, makeEmployees, nameOf, renamed } from '../support/people.ts'

const tabCount = 8

async function openTab(context: BrowserContext): Promise<Records> {
  const page = await context.newPage()
  await page.goto('/form')
  return recordsIn(page)
}

/** Opens seven more tabs beside the first one. */
async function openTabs(first: Records): Promise<Records[]> {
  const more = Array.from({ length: tabCount - 1 }, () => openTab(first.page.context()))
  return [first, ...(await Promise.all(more))]
}

/** The tabs that have an event stream open now. */
function watchStreams(context: BrowserContext) {
  const open = new Map<unknown, Page>()
  const isStream = (url: string) => new URL(url).pathname === paths.changes
  context.on('request', (request) => {
    if (isStream(request.url())) open.set(request, request.frame().page())
  })
  context.on('requestfailed', (request) => void open.delete(request))
  context.on('requestfinished', (request) => void open.delete(request))
  return () => [...open.values()].filter((page) => !page.isClosed())
}

const person = (index: number) => makeEmployees(tabCount)[index] ?? ada

test('eight tabs show what was changed before and after they were opened, over one event stream', async ({
  records,
  context,
  openColleague,
}) => {
  const streams = watchStreams(context)
  await records.page.reload()
  await records.create(ada)
  const tabs = await openTabs(records)
  for (const tab of tabs) await tab.expectNames(ada)
  await Promise.all(tabs.map((tab, i) => tab.add(person(i))))
  const colleague = await openColleague()
  await colleague.add(grace)
  await expect(colleague.names).toHaveCount(tabCount + 2)
  const expected = await colleague.names.allTextContents()
  for (const tab of tabs) await tab.expectNames(...expected)
  await expect.poll(streams).toHaveLength(1)
})

test('the other tabs keep receiving changes when the tab that holds the stream is closed, crashes or stops responding', async ({
  records,
  context,
}) => {
  const streams = watchStreams(context)
  await records.page.reload()
  const tabs = [records, await openTab(context), await openTab(context), await openTab(context)]
  const removals: ((page: Page) => Promise<unknown>)[] = [
    (page) => page.close(),
    async (page) => {
      const crashed = page.waitForEvent('crash')
      void page.goto('chrome://crash').catch(() => {})
      await crashed
    },
    // Stops its scripts, as the browser does with a tab that it freezes in the background.
    async (page) => {
      const session = await context.newCDPSession(page)
      await session.send('Debugger.enable')
      const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
      void session.send('Runtime.evaluate', { expression: 'debugger' }).catch(() => {})
      await paused
    },
  ]
  const remaining = new Set(tabs)
  const leaders = () => [...remaining].filter(({ page }) => streams().includes(page))
  for (const [i, remove] of removals.entries()) {
    await expect.poll(leaders).toHaveLength(1)
    const [leader = records] = leaders()
    remaining.delete(leader)
    await remove(leader.page)
    const [tab = records] = remaining
    await tab.create(person(i))
    // A tab that stops responding is replaced after up to 15 s.
    for (const tab of remaining) await expect(tab.names).toHaveCount(i + 1, { timeout: 40_000 })
  }
})

test('without Web Locks, as on plain HTTP, a hidden tab holds no stream, and catches up when it is shown', async ({
  records,
  page,
  context,
}) => {
  const streams = watchStreams(context)
  await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  await page.reload()
  await expect.poll(streams).toHaveLength(1)
  const setHidden = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await setHidden(true)
  await expect.poll(streams).toHaveLength(0)
  await records.create(ada)
  await setHidden(false)
  await records.expectNames(ada)
  await expect.poll(streams).toHaveLength(1)
})

test('logging out in one tab ends all of them, and another account shares a stream of its own', {
  tag: '@main',
}, async ({ records, page, context }) => {
  const streams = watchStreams(context)
  await page.reload()
  const second = await openTab(context)
  await expect.poll(streams).toHaveLength(1)
  await second.press('Logout')
  for (const tab of [page, second.page]) await expect(tab).toHaveURL('/')
  await expect.poll(streams).toHaveLength(0)
  const other = { ...account, email: 'other@example.com' }
  await signUp(second.page, other)
  await signIn(second.page, other)
  await page.goto('/form')
  await second.add(ada)
  await records.expectNames(ada)
  await expect.poll(streams).toHaveLength(1)
})

test('saves that hang in six tabs keep two more from neither loading nor receiving changes', async ({
  records,
  baseURL,
  openColleague,
}) => {
  const hanging = renamed('hanging')
  let [held, ended] = [0, 0]
  const proxy = await startHttpProxy(baseURL ?? '', (body, response) => {
    if (!body.includes(nameOf(hanging))) return false
    held++
    response.on('close', () => ended++)
    return true
  })
  const first = await openColleague(proxy.url)
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openTab(first.page.context())))
  const tabs = [first, ...(await open(5))]
  await Promise.all(tabs.map((tab) => tab.submit(hanging)))
  await expect.poll(() => held).toBe(2)
  const others = await open(2)
  for (const { page } of others) await expect(page.getByText('No employees yet')).toBeVisible()
  await records.create(ada)
  for (const tab of others) await tab.expectNames(ada)
  // The others have not waited for these to time out.
  expect(ended).toBe(0)
  await proxy.close()
})
