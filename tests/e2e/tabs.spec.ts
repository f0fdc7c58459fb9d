// Many tabs of one browser. With HTTP/1.1 a browser opens six connections to a server, for all of its tabs together.
import type { BrowserContext, Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { startHoldingProxy } from '../support/e2e/backend.ts'
import {
  addEmployee,
  createEmployees,
  expect,
  expectNames,
  names,
  signIn,
  signUp,
  submitEmployee,
  test,
} from '../support/e2e/fixture.ts'
import { account, ada, grace, makeEmployees, nameOf, renamed } from '../support/people.ts'

const tabCount = 8

async function openTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/form')
  return tab
}

/** Opens seven more tabs beside the first one. */
async function openTabs(first: Page): Promise<Page[]> {
  const more = Array.from({ length: tabCount - 1 }, () => openTab(first.context()))
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
  recordsPage,
  openColleague,
}) => {
  const streams = watchStreams(recordsPage.context())
  await recordsPage.reload()
  await createEmployees(recordsPage, [ada])
  const tabs = await openTabs(recordsPage)
  for (const tab of tabs) await expectNames(tab, ada)
  await Promise.all(tabs.map((tab, i) => addEmployee(tab, person(i))))
  const colleague = await openColleague()
  await addEmployee(colleague, grace)
  await expect(names(colleague)).toHaveCount(tabCount + 2)
  const expected = await names(colleague).allTextContents()
  for (const tab of tabs) await expect(names(tab)).toHaveText(expected)
  await expect.poll(streams).toHaveLength(1)
})

test('the other tabs keep receiving changes when the tab that holds the stream is closed, crashes or stops responding', async ({
  recordsPage,
  openColleague,
}) => {
  const context = recordsPage.context()
  const streams = watchStreams(context)
  await recordsPage.reload()
  const tabs = await openTabs(recordsPage)
  const colleague = await openColleague()
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
  for (const [i, remove] of removals.entries()) {
    await expect.poll(() => streams().filter((page) => remaining.has(page))).toHaveLength(1)
    const [leader] = streams().filter((page) => remaining.has(page))
    if (!leader) throw new Error('No tab holds the stream.')
    remaining.delete(leader)
    await remove(leader)
    await addEmployee(colleague, person(i))
    for (const tab of remaining) await expect(names(tab)).toHaveCount(i + 1)
  }
})

test('without Web Locks, as on plain HTTP, a hidden tab holds no stream, and catches up when it is shown', async ({
  recordsPage,
}) => {
  const streams = watchStreams(recordsPage.context())
  await recordsPage.addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined })
  })
  await recordsPage.reload()
  await expect.poll(streams).toHaveLength(1)
  const setHidden = (hidden: boolean) =>
    recordsPage.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await setHidden(true)
  await expect.poll(streams).toHaveLength(0)
  await createEmployees(recordsPage, [ada])
  await setHidden(false)
  await expectNames(recordsPage, ada)
  await expect.poll(streams).toHaveLength(1)
})

test('logging out in one tab ends all of them, and another account shares a stream of its own', async ({
  recordsPage,
  expectedErrors,
}) => {
  // A tab that requests something before it hears of the logout is answered 401.
  expectedErrors.push(/401/)
  const context = recordsPage.context()
  const streams = watchStreams(context)
  await recordsPage.reload()
  const second = await openTab(context)
  await expect.poll(streams).toHaveLength(1)
  await second.getByRole('button', { name: 'Logout' }).click()
  for (const tab of [recordsPage, second]) await expect(tab).toHaveURL('/')
  await expect.poll(streams).toHaveLength(0)
  const other = { ...account, email: 'other@example.com' }
  await signUp(second, other)
  await signIn(second, other)
  await recordsPage.goto('/form')
  await addEmployee(second, ada)
  await expectNames(recordsPage, ada)
  await expect.poll(streams).toHaveLength(1)
})

test('saves that hang in six tabs keep two more from neither loading nor receiving changes', async ({
  recordsPage,
  baseURL,
  openColleague,
}) => {
  const hanging = renamed('hanging')
  const proxy = await startHoldingProxy(baseURL ?? '', nameOf(hanging))
  const tabs = [await openColleague(proxy.url)]
  const context = (tabs[0] as Page).context()
  while (tabs.length < 6) tabs.push(await openTab(context))
  await Promise.all(tabs.map((tab) => submitEmployee(tab, hanging)))
  await expect.poll(proxy.heldCount).toBe(2)
  const others = [await openTab(context), await openTab(context)]
  for (const tab of others) await expect(tab.getByText('No employees yet')).toBeVisible()
  await addEmployee(recordsPage, ada)
  for (const tab of others) await expectNames(tab, ada)
  // The others have not waited for these to time out.
  expect(proxy.endedCount()).toBe(0)
  await proxy.close()
})
