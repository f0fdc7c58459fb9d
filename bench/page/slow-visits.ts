import { join, resolve } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { printStatus, root } from '../../scripts/terminal.ts'
import { median, ratio, table } from '../statistics.ts'
import { launch, signIn } from './measure-page.ts'
import { installProbe } from './probe.ts'
import { startSeededServer } from './seeded-server.ts'
import { startSlowLine } from './slow-line.ts'

const rowCount = 10_000
/** How much slower the processor is made. */
const slowdown = 4
const addresses = ['/signin', '/form'] as const

type Site = Awaited<ReturnType<typeof openSite>>

/** Times are in ms since the navigation. */
interface Visit {
  firstPaint: number
  /** When the first rows are shown, on the other screens the field. */
  usable: number
  /** What passes the line until the page is quiet. */
  kilobytes: number
  requests: number
}

const metricRows: [keyof Visit, string][] = [
  ['firstPaint', 'first paint, ms'],
  ['usable', 'first rows or field, ms'],
  ['kilobytes', 'KB'],
  ['requests', 'requests'],
]

/**
 * Measures first and second visits over a slow line with a slow processor, in turns with the checkout of an older commit: run
 * `npm ci` and `node scripts/build.ts` in it first.
 */
export async function printSlowVisits(olderFolder: string | undefined, rounds: number) {
  const sites: Site[] = []
  for (const folder of [root, ...(olderFolder ? [resolve(olderFolder)] : [])])
    sites.push(await openSite(folder))
  try {
    for (let round = 0; round < rounds; round++) {
      for (const site of round % 2 ? sites.toReversed() : sites) {
        printStatus(`round ${round + 1} of ${rounds}, ${site.folder}`)
        for (const address of addresses) await visitTwice(site, address)
      }
    }
  } finally {
    for (const site of sites) await site.close()
  }
  console.log(
    `\nVisits over a slow line, ${rowCount.toLocaleString('en')} rows, medians of ${rounds} rounds\n`,
  )
  const [site, older] = sites as [Site, Site?]
  const cells = [...site.visits].flatMap(([name, visits]) =>
    metricRows.map(([metric, title]) => {
      const middle = (all: Visit[] | undefined) => median(all?.map((visit) => visit[metric]) ?? [])
      const [now, before] = [middle(visits), middle(older?.visits.get(name))]
      return [`${name}: ${title}`, now.toFixed(0), ...(older ? [before.toFixed(0), ratio(now, before)] : [])]
    }),
  )
  console.log(table(['', 'this', ...(older ? ['older', 'ratio'] : [])], cells))
}

async function openSite(folder: string) {
  const server = await startSeededServer(rowCount, join(folder, 'server/main.ts'))
  const line = await startSlowLine(server.url)
  return {
    folder,
    line,
    session: { url: line.url, user: server.user, cookie: server.cookie },
    visits: new Map<string, Visit[]>(),
    async close() {
      await line.close()
      await server.stop()
    },
  }
}

/** Visits an address twice with a new browser. Between the visits, the browser stores the page without waiting for the line. */
async function visitTwice(site: Site, address: (typeof addresses)[number]) {
  const { line, session, visits } = site
  const browser = await launch()
  try {
    const context = await browser.newContext({
      baseURL: line.url,
      viewport: { width: 1280, height: 900 },
    })
    await context.addInitScript(installProbe)
    if (address === '/form') await signIn(context, session)
    for (const which of ['first', 'again']) {
      const name = `${address} ${which}`
      visits.set(name, [...(visits.get(name) ?? []), await visit(context, site, address)])
    }
  } finally {
    await browser.close()
  }
}

async function visit(context: BrowserContext, { line }: Site, address: string): Promise<Visit> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  line.setSlow(true)
  line.takeCounts()
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.probe.openingTimes().firstRows > 0)
  const times = await page.evaluate(() => ({
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    usable: window.probe.openingTimes().firstRows,
  }))
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  line.setSlow(false)
  await page.waitForLoadState('load')
  await page.evaluate(() => navigator.serviceWorker.ready)
  const { bytes, requests } = await untilQuiet(line)
  await page.close()
  return { ...times, kilobytes: bytes / 1_000, requests }
}

/** Nothing has passed the line for this long when the page is quiet, in ms. */
const quietMs = 1_500

async function untilQuiet(line: Site['line']) {
  let counts = { bytes: 0, requests: 0 }
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, quietMs))
    const { bytes, requests } = line.takeCounts()
    counts = { bytes: counts.bytes + bytes, requests: counts.requests + requests }
    if (bytes === 0) return counts
  }
}
