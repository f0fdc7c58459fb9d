import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.ts'
import { median, quantile } from '../statistics.ts'
import { installProbe } from './probe.ts'
import type { SeededServer } from './seeded-server.ts'

/** Times are in milliseconds. */
export interface PageMetrics {
  firstRows: number
  allRows: number
  keystroke: number
  remove: number
  scrollFrame: number
  scrollWork: number
  /** Count. */
  blankFrames: number
  /** Count. */
  elements: number
  /** Megabytes. */
  heap: number
}

export function launch() {
  const executablePath = findChromium()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

/** Opens the page in a new browser and measures it once. */
export async function measurePage(server: SeededServer): Promise<PageMetrics> {
  const browser = await launch()
  try {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 900 },
    })
    await context.addInitScript(installProbe)
    await signIn(context, server)
    const page = await context.newPage()
    // The first visit fills the browser's caches, that of the service worker later than the page is shown.
    await openAndWait(page, '/form', server)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await openAndWait(page, '/form?', server)
    await page.waitForTimeout(500)
    const { firstRows, allRows } = await page.evaluate(() => window.probe.openingTimes())
    const elements = await page.evaluate(() => document.querySelectorAll('*').length)
    const heap = await measureHeap(page)
    const keystroke = await measureKeystrokes(page)
    const scroll = await page.evaluate(() => window.probe.scroll(200, 400))
    const blankAfterEnd = await page.evaluate(() => window.probe.jumpToEnd())
    const remove = await measureDeletes(page)
    return {
      firstRows,
      allRows,
      keystroke,
      remove,
      scrollFrame: quantile(scroll.frames, 0.95),
      scrollWork: scroll.work,
      blankFrames: scroll.blank + blankAfterEnd,
      elements,
      heap,
    }
  } finally {
    await browser.close()
  }
}

async function openAndWait(page: Page, path: string, { count }: SeededServer) {
  await page.goto(path)
  await page.locator(`table[aria-rowcount="${count + 1}"]`).waitFor()
}

export async function signIn(
  context: BrowserContext,
  { url, user, cookie }: Pick<SeededServer, 'url' | 'user' | 'cookie'>,
) {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  await context.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(user))
}

/** The JavaScript heap in MB. Collects garbage through the debugger, because `gc()` in the page leaves a part. */
async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** Each key changes the matches, and these fill the screen with few records and with many. */
async function measureKeystrokes(page: Page): Promise<number> {
  const times: number[] = []
  await page.getByRole('searchbox').focus()
  for (const key of ['l', 'o', 'Escape', 'h', 'o', 'Escape', 'a', 'n', 'Escape']) {
    await page.evaluate(() => window.probe.startWatching('keydown'))
    await page.keyboard.press(key)
    times.push(await page.evaluate(() => window.probe.measurePaint()))
    // The next key must change the rows that this one shows.
    await page.waitForTimeout(500)
  }
  return median(times)
}

async function measureDeletes(page: Page): Promise<number> {
  await page.evaluate(() => scrollTo(0, 0))
  const times: number[] = []
  for (let index = 0; index < 5; index++) {
    const button = page.locator('tr[data-row="3"] [data-action="delete"]')
    await button.hover()
    await page.evaluate(() => window.probe.startWatching('click'))
    await button.click()
    times.push(await page.evaluate(() => window.probe.measurePaint()))
    // The page ignores clicks on rows that have just moved.
    await page.waitForTimeout(1000)
  }
  // Restore the records for the next run.
  for (let index = 0; index < times.length; index++) {
    await page.keyboard.press('Control+z')
    await page.waitForTimeout(200)
  }
  return median(times)
}
