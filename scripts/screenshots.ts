// Takes the screenshots of the README: the work with a few records, light and dark.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type ServerProcess, startServer } from '../tests/support/e2e/backend.ts'
import { startAnimation } from './animation.ts'
import { buildPage } from './build.ts'
import { ensureChromium } from './chromium.ts'
import { printStatus, root } from './terminal.ts'

const folder = join(root, 'docs/pictures')
const account = { email: 'mira@harbour.example', password: 'a lighthouse in fog' }
const employees = [
  ['Ada Lovelace', 'ada@harbour.example', 'Bernoulli-numbers-1843'],
  ['Grace Hopper', 'grace@harbour.example', 'moth-in-relay-70'],
  ['Katherine Johnson', 'katherine@harbour.example', 'moth-in-relay-70'],
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
      await page.getByRole('button', { name: /reused passwords?$/ }).waitFor()
      await takeScreenshot(page, 'form', colorScheme)
      await openImport(page)
      await takeScreenshot(page, 'import', colorScheme)
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Hand over/ })
        .first()
        .dispatchEvent('click')
      await page.getByRole('button', { name: 'Make a link' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await takeScreenshot(page, 'hand-over', colorScheme)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /reused passwords?$/ }).click()
      await page.getByRole('button', { name: 'Start changing these passwords' }).click()
      await page.getByRole('button', { name: 'Skip' }).waitFor()
      await takeScreenshot(page, 'run', colorScheme)
      await context.close()
    }
    await recordAnimation(browser, server, session)
  } finally {
    await browser.close()
    await server.stop()
  }
  return 0
}

/** Shows what the import of a list without passwords would add. */
async function openImport(page: Page) {
  const buffer = Buffer.from(
    'name,email\nDorothy Vaughan,dorothy@harbour.example\nMary Jackson,mary@harbour.example\n',
  )
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('checkbox', { name: /no password/ }).check()
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

const animationSize = { width: 960, height: 640 }

/** Records a colleague's change that arrives, a delete that is undone, and three records that are handed over. */
async function recordAnimation(browser: Browser, { url }: ServerProcess, storageState: Session) {
  const context = await browser.newContext({
    baseURL: url,
    storageState,
    reducedMotion: 'reduce',
    bypassCSP: true,
    viewport: animationSize,
  })
  const page = await context.newPage()
  await page.goto('/form')
  await page.addStyleTag({ content: fontStyle })
  const row = (name: string) => page.getByRole('row', { name })
  await row('Annie Easley').waitFor()
  await page.getByRole('button', { name: /reused passwords?$/ }).waitFor()
  const animation = await startAnimation(page, animationSize)
  await animation.addFrame(1_500)
  const [eName, email, password] = ['Dorothy Vaughan', 'dorothy@harbour.example', 'fortran-by-night']
  await context.request.post('/api/collections/books', { data: { eName, email, password } })
  await row(eName).waitFor()
  await animation.addFrame(2_000)
  await row('Grace Hopper').hover()
  await animation.addFrame(800)
  await row('Grace Hopper').getByRole('button', { name: 'Delete' }).click()
  await row('Grace Hopper').waitFor({ state: 'detached' })
  await animation.addFrame(1_500)
  await page.getByRole('button', { name: 'Undo delete', exact: true }).hover()
  await animation.addFrame(600)
  await page.keyboard.press('Control+z')
  await row('Grace Hopper').waitFor()
  await animation.addFrame(1_500)
  for (const name of ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson']) {
    await row(name).hover()
    await row(name).getByRole('checkbox').click()
    await animation.addFrame(700)
  }
  await page.getByRole('button', { name: 'Hand over', exact: true }).hover()
  await animation.addFrame(600)
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await animation.addFrame(1_500)
  await page.getByRole('dialog').getByRole('button', { name: /^Make/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Print|Copy)/ })
    .first()
    .waitFor()
  await animation.addFrame(2_500)
  const path = join(folder, 'work.webp')
  animation.write(path)
  printStatus(`recorded ${path}`)
  await context.close()
}

async function takeScreenshot(page: Page, name: string, colorScheme: string) {
  await page.addStyleTag({ content: fontStyle })
  await page.evaluate('document.fonts.ready')
  const path = join(folder, `${name}-${colorScheme}.png`)
  await page.screenshot({ path })
  printStatus(`took ${path}`)
}

type Session = Awaited<ReturnType<typeof seedData>>

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
