import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext } from '@playwright/test'
import { printStatus } from '../../scripts/terminal.ts'
import { median, table } from '../statistics.ts'
import { launch, signIn } from './measure-page.ts'
import { startSeededServer } from './seeded-server.ts'

const entryCount = 1_000_000
const recordCount = 100
/** How much slower the processor is made. */
const slowdown = 4
/** How long the pointer is on the item before it is pressed, in ms. */
const delays = [0, 300]

/** No two entries in a row are shown as one. */
const fillSql = `
  WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${entryCount})
  INSERT INTO activity (at, kind, topic, person, seq)
  SELECT ${Date.now() - entryCount * 1000} + i * 1000, CASE WHEN i % 2 THEN 'change' ELSE 'restore' END, 1, 1, 1 + i % ${recordCount}
  FROM numbers`

/** Measures the time from the press of the menu's item to the paint of the first entries of a long log. */
export async function printActivity(rounds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-bench-'))
  const server = await startSeededServer(recordCount, undefined, { DATA_DIR: folder })
  const browser = await launch()
  const times = new Map<number, number[]>(delays.map((delay) => [delay, []]))
  try {
    const database = new DatabaseSync(join(folder, 'staffbook.sqlite'))
    database.exec(fillSql)
    database.close()
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 900 },
    })
    await signIn(context, server)
    await open(context, 0)
    for (let round = 0; round < rounds; round++)
      for (const delay of delays) {
        printStatus(`round ${round + 1} of ${rounds}`)
        times.get(delay)?.push(await open(context, delay))
      }
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
  console.log(
    `\nOpening Activity, ${entryCount.toLocaleString('en')} entries, a processor ${slowdown} times slower\n`,
  )
  const rows = [...times].map(([delay, all]) => [
    `${delay} ms after the pointer is on the item`,
    ...[Math.min(...all), median(all), Math.max(...all)].map((time) => time.toFixed(0)),
  ])
  console.log(table(['press to first entries', 'least, ms', 'median, ms', 'most, ms'], rows))
}

async function open(context: BrowserContext, delay: number): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto('/form')
    await page.locator(`table[aria-rowcount="${recordCount + 1}"]`).waitFor()
    await page.waitForTimeout(2_000)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.getByRole('button', { name: 'Account menu' }).click()
    const item = page.getByRole('button', { name: 'Activity' })
    await item.waitFor()
    await page.waitForTimeout(500)
    const measured = page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          addEventListener(
            'click',
            ({ timeStamp }) => {
              const observer = new MutationObserver(() => {
                if (!document.querySelector('dialog[open] li time')) return
                observer.disconnect()
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
              })
              // It may be rendered before it is shown.
              const attributeFilter = ['open']
              observer.observe(document.body, { childList: true, subtree: true, attributeFilter })
            },
            { once: true, capture: true },
          ),
        ),
    )
    await item.hover()
    if (delay > 0) await page.waitForTimeout(delay)
    await page.mouse.down()
    await page.mouse.up()
    return await measured
  } finally {
    await page.close()
  }
}
