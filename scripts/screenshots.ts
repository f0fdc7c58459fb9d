// Takes the screenshots of the README: the three screens, light and dark, with a few records.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type ServerProcess, startServer } from '../tests/support/e2e/backend.ts'
import { buildPage } from './build.ts'
import { ensureChromium } from './chromium.ts'
import { printStatus, root } from './terminal.ts'

const folder = join(root, 'docs/pictures')
const account = { email: 'mira@harbour.example', password: 'a lighthouse in fog' }
const employees = [
  ['Ada Lovelace', 'ada@harbour.example', 'Bernoulli-numbers-1843'],
  ['Grace Hopper', 'grace@harbour.example', 'moth-in-relay-70'],
  ['Katherine Johnson', 'katherine@harbour.example', 'orbit-by-hand'],
  ['أليسيا مراد', 'alicia@harbour.example', 'sea-glass-41'],
  ['Jörg Ångström', 'jorg@harbour.example', 'ten-to-the-minus-ten'],
  ['Annie Easley', 'annie@harbour.example', 'centaur-stage'],
]

async function main(): Promise<number> {
  await buildPage()
  const executablePath = ensureChromium()
  if (!executablePath) return 1
  mkdirSync(folder, { recursive: true })
  const server = await startServer()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const session = await seedData(browser, server)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        baseURL: server.url,
        colorScheme,
        reducedMotion: 'reduce',
        // Allows the font.
        bypassCSP: true,
        viewport: { width: 1200, height: 780 },
        storageState: session,
      })
      const page = await context.newPage()
      await page.goto('/form')
      await page.getByRole('row').nth(employees.length).waitFor()
      await takeScreenshot(page, 'form', colorScheme)
      await context.clearCookies()
      await page.evaluate(() => localStorage.clear())
      for (const [name, path] of [
        ['sign-up', '/'],
        ['sign-in', '/signin'],
      ] as const) {
        await page.goto(path)
        await page.getByRole('heading').waitFor()
        await takeScreenshot(page, name, colorScheme)
      }
      await context.close()
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  return 0
}

/** The pictures are the same wherever they are taken, and do not depend on the fonts of the machine. */
const fontFile = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
)
const fontStyle = `
  @font-face {
    font-family: Inter;
    font-weight: 100 900;
    src: url(data:font/woff2;base64,${readFileSync(fontFile, 'base64')});
  }
  html { font-family: Inter, sans-serif }
`

async function takeScreenshot(page: Page, name: string, colorScheme: string) {
  await page.addStyleTag({ content: fontStyle })
  await page.evaluate('document.fonts.ready')
  const path = join(folder, `${name}-${colorScheme}.png`)
  await page.screenshot({ path })
  printStatus(`took ${path}`)
}

/** Creates the account and the records over HTTP. Returns the storage state of a signed-in browser. */
async function seedData(browser: Browser, server: ServerProcess) {
  const context = await browser.newContext({ baseURL: server.url })
  await context.request.post('/api/identity/accounts', { data: account })
  const user = await (await context.request.post('/api/identity/session', { data: account })).json()
  for (const [eName, email, password] of employees) {
    await context.request.post('/api/collections/books', { data: { eName, email, password } })
  }
  const { cookies } = await context.storageState()
  await context.close()
  const localStorage = [{ name: 'user', value: JSON.stringify(user) }]
  return { cookies, origins: [{ origin: server.url, localStorage }] }
}

process.exitCode = await main()
