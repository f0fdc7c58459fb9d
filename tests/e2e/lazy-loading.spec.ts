// Which files the page loads, and when. Depends on the real build and the real server.
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { chromiumArgs, findChromium } from '../../scripts/chromium.ts'
import { newCredentials } from '../support/backend-client.ts'
import { allowConsole, expect, sendAccount, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { account, ada } from '../support/people.ts'

/** The parts of the page that are loaded on demand, by the button and the item of the account menu that open them. */
const parts = {
  buttons: ['Import', 'Export', 'Generate password'],
  menuItems: [
    'Keyboard shortcuts',
    'Change password',
    'Sessions and passkeys',
    'Team',
    'Activity',
    'Recently deleted',
    'Help',
  ],
}
const notLoaded = [/could not be loaded/, /Failed to load resource/, /net::ERR/]
const notLoadedText = 'This part of the page didn’t load.'

test('a part of the page that cannot be loaded is reported beside its button until it is, or the user gives up', async ({
  records,
  page,
}) => {
  test.slow()
  allowConsole(...notLoaded)
  await records.add(ada)
  for (const name of [...parts.buttons, ...parts.menuItems]) {
    const open = () => (parts.menuItems.includes(name) ? records.chooseInMenu(name) : records.press(name))
    const opened =
      name === 'Generate password'
        ? page.getByRole('group', { name: 'Password generator' })
        : page.getByRole('dialog', { name })
    const failure = page.getByRole('alert').filter({ hasText: notLoadedText })
    // The page itself and its menu, with what that imports, are there. What else it loads when it is idle fails without a word.
    const others =
      /assets\/(?!index|records-page|rolldown|idle-parts|account-screens|browser-name|read-ahead|times)[^/]*\.js$/
    await page.route(others, (route) => route.abort())
    // A reload would open the dialog that the address names.
    await page.goto('/form')
    await open()
    await expect(failure).toBeVisible()
    // Not beyond the content of the page.
    const [box, content] = await Promise.all([failure.boundingBox(), records.form.boundingBox()])
    if (box && content) expect(box.x + box.width).toBeLessThanOrEqual(content.x + content.width + 1)
    await failure.getByRole('button', { name: 'Close' }).click()
    await expect(failure).toHaveCount(0)
    await open()
    await expect(failure).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(failure).toHaveCount(0)
    await open()
    await failure.evaluate((element) => element.setAttribute('data-first', ''))
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('[role=alert]:popover-open:not([data-first])')).toBeVisible()
    await expect(opened).toHaveCount(0)
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(opened).toBeVisible()
    await expect(failure).toHaveCount(0)
  }
})

test('the account menu says that its items cannot be loaded, and shows them once they are', async ({
  records,
  page,
}) => {
  allowConsole(...notLoaded)
  const chunk = '**/assets/idle-parts-*.js'
  await page.route(chunk, (route) => route.abort())
  await page.reload()
  await expect(records.form).toBeVisible()
  const failure = page.getByRole('alert').filter({ hasText: notLoadedText })
  for (const leave of [
    () => failure.getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await records.press('Account menu')
    await expect(failure).toBeVisible()
    await leave()
    await expect(failure).toHaveCount(0)
    await expect(page.locator(':popover-open')).toHaveCount(0)
  }
  await records.press('Account menu')
  await expect(failure).toBeVisible()
  await page.unroute(chunk)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeVisible()
  await expect(failure).toHaveCount(0)
})

test('the account menu opens before its items are loaded, and then shows and focuses them', async ({
  records,
  page,
}) => {
  const chunk = Promise.withResolvers<void>()
  await page.route('**/assets/idle-parts-*.js', async (route) => {
    await chunk.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Account menu' }).press('ArrowDown')
  const menu = page.getByRole('group', { name: 'Account menu' })
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('button')).toHaveCount(0)
  chunk.resolve()
  await expect(menu.getByRole('button').first()).toBeFocused()
  await expect(records.form).toBeVisible()
})

test('what is typed after the shortcut of the command menu, before that is loaded, is typed in the menu', async ({
  records,
  page,
}) => {
  allowConsole(...notLoaded)
  await records.add(ada)
  const chunk = '**/assets/command-menu-*.js'
  const name = page.getByRole('textbox', { name: 'Name' })
  const menu = page.getByRole('dialog', { name: 'Commands and records' })
  for (const focus of [() => name.focus(), () => page.locator('tr[data-row="0"]').focus()]) {
    const loaded = Promise.withResolvers<void>()
    await page.route(chunk, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.reload()
    await focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nteax')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Delete')
    await page.keyboard.type('m')
    loaded.resolve()
    await expect(menu.getByRole('combobox')).toHaveValue('nteam')
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(name).toHaveValue('')
    await expect(records.rowOf('Ada Lovelace')).toHaveCount(1)
    await page.unrouteAll()
  }

  await page.route(chunk, (route) => route.abort())
  await page.reload()
  await page.locator('tr[data-row="0"]').focus()
  await page.keyboard.press('Control+k')
  const failure = page.getByRole('alert').filter({ hasText: notLoadedText })
  await failure.getByRole('button', { name: 'Close' }).press('Enter')
  await expect(failure).toHaveCount(0)
  await name.focus()
  await page.keyboard.type('Grace')
  await expect(name).toHaveValue('Grace')
})

test('Enter pressed before the command menu is loaded runs what was typed', async ({ records, page }) => {
  const loaded = Promise.withResolvers<void>()
  await expect(records.form).toBeVisible()
  await page.route('**/assets/command-menu-*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('team')
  await page.keyboard.press('Enter')
  loaded.resolve()
  await expect(page.getByRole('dialog', { name: 'Team' })).toBeVisible()
})

test('Escape takes back the opening of a part that is not loaded yet, and nothing else', async ({
  records,
  page,
}) => {
  await records.add(ada)
  for (const name of ['Import', 'Generate password', 'Team', 'Commands and records']) {
    const loaded = Promise.withResolvers<void>()
    const held =
      /assets\/(account-dialog|command-menu|import-dialog|password-generator|record-dialogs)[^/]*\.js$/
    const requested = page.waitForRequest(held)
    await page.route(held, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.reload()
    await records.edit(ada)
    if (name === 'Commands and records') await page.keyboard.press('Control+k')
    else await (name === 'Team' ? records.chooseInMenu(name) : records.press(name))
    const chunk = (await requested).url()
    await page.keyboard.press('Escape')
    loaded.resolve()
    await page.evaluate(async (url) => {
      await import(url)
      await new Promise((resolve) => requestIdleCallback(resolve))
    }, chunk)
    await expect(page.locator('dialog, [popover]:popover-open')).toHaveCount(0)
    await expect(records.updateButton).toBeVisible()
    await page.unrouteAll()

    // Once it is there, Escape is its own; then it leaves the edit again.
    if (name === 'Commands and records') await page.keyboard.press('Control+k')
    else await (name === 'Team' ? records.chooseInMenu(name) : records.press(name))
    await expect(page.locator('dialog, [popover]:popover-open')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog, [popover]:popover-open')).toHaveCount(0)
    await expect(records.updateButton).toBeVisible()
    // The import removes its entry from the history a moment later, which would abort the reload.
    await expect.poll(() => page.evaluate(() => history.state?.usr?.dialog)).toBeUndefined()
  }
  await page.keyboard.press('Escape')
  await expect(records.updateButton).toHaveCount(0)
})

test('what the page works without is loaded again when the network or the user is back', async ({
  records,
  page,
}) => {
  allowConsole(...notLoaded)
  await expect(records.form).toBeVisible()
  const tooltips = page.locator('[popover=manual]')
  for (const event of ['online', 'focus']) {
    await page.route('**/assets/idle-parts-*.js', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => /\/idle-parts-/.test(request.url()))
    await page.reload()
    await failed
    await page.unroute('**/assets/idle-parts-*.js')
    await expect(tooltips).toHaveCount(0)
    // The first may come before the page has handled the failure.
    await expect(async () => {
      await page.evaluate((event) => dispatchEvent(new Event(event)), event)
      await expect(tooltips).toBeAttached({ timeout: 1_000 })
    }).toPass()
  }
})

test('/form shows a message and can be loaded again when its chunk cannot be loaded', async ({ page }) => {
  allowConsole(...notLoaded)
  const message = page.getByText(notLoadedText)
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.route('**/assets/records-page-*.js', (route) => route.abort())
  const newcomer = newCredentials()
  await signUp(page, newcomer)
  await signIn(page, newcomer)
  await expect(message).toBeVisible()
  await page.reload()
  await expect(message).toBeVisible()
  const failedAgain = page.waitForEvent('requestfailed')
  await retry.click()
  await failedAgain
  await expect(message).toBeVisible()
  await page.unroute('**/assets/records-page-*.js')
  await retry.click()
  await expect(recordsIn(page).form).toBeVisible()
})

test('the screen of a link can be loaded again when its chunk cannot be loaded', async ({ page }) => {
  allowConsole(...notLoaded, /410/)
  await page.route('**/assets/reset-screen-*.js', (route) => route.abort())
  await page.goto(`/signin#reset=${'u'.repeat(43)}`)
  await expect(page.getByText(notLoadedText)).toBeVisible()
  await expect(page).toHaveURL('/signin')
  await page.unroute('**/assets/reset-screen-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('It has expired or was used.')).toBeVisible()
})

test('the browser reads the icons of the first rows before the scripts have arrived', async ({
  records,
  page,
}) => {
  await records.create(ada)
  await page.reload()
  await records.expectNames(ada)
  const icons = page.locator('[data-icon]:visible')
  const shown = await icons.evaluateAll((all) => all.map((icon) => icon.getAttribute('data-icon')))
  expect(shown).toContain('pencil')
  const outline = await (await page.request.get('/form')).text()
  const named = Array.from(outline.matchAll(/data-icon="([\w-]+)"/g), ([, name]) => name)
  expect(named).toEqual(expect.arrayContaining(shown))
})

test('no dialog, panel or parser delays the first rows; then what its buttons need is loaded', async ({
  records,
  page,
}) => {
  await records.create(ada)
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  // The page before may still be loading what its buttons need.
  page.on('framenavigated', () => void scripts.splice(0))
  await page.addInitScript(() => {
    const requestIdleCallback = (run: (deadline: object) => void) =>
      addEventListener('idle', () => run({ didTimeout: true }), { once: true })
    Object.assign(globalThis, { requestIdleCallback })
  })
  await page.reload()
  await records.expectNames(ada)
  // Another chunk would be requested only when these have arrived: one more round trip.
  const chunks = () => scripts.map((path) => path.replace(/^\/assets\/(.*)-[\w-]{8}\.js$/, '$1'))
  expect(chunks().sort()).toEqual(['index', 'records-page'])
  const loadMore = async () => {
    await page.evaluate(() => void dispatchEvent(new Event('idle')))
    return chunks()
  }
  for (const name of ['import-dialog', 'account-dialog', 'run-bar', 'password-generator', 'handover-dialog'])
    await expect.poll(loadMore, { intervals: [50] }).toContain(name)
  expect(chunks().filter((name) => /parse|decrypt/.test(name))).toEqual([])
  await records.press('Import')
  await page.getByLabel('Or paste rows').fill('Grace\tgrace@example.com\tcompiler')
  await records.press('Read these rows')
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  expect(chunks().filter((name) => /^parse-(worker|source)$/.test(name))).toHaveLength(2)
})

/** The query of each request for the list. */
function watchLists(page: Page): string[] {
  const queries: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === paths.books && request.method() === 'GET') queries.push(search)
  })
  return queries
}

test('a first visit requests the first records before the script of the page has been loaded, and all of them after it', {
  tag: '@main',
}, async ({ records, page }) => {
  await records.create(ada)
  // These tests have no service worker, as a browser that has not been here.
  const queries = watchLists(page)
  await page.route('**/assets/index-*.js', async (route) => {
    await expect.poll(() => queries).toEqual(['?first=100'])
    await route.continue()
  })
  await page.reload()
  await records.expectNames(ada)
  expect(queries).toEqual(['?first=100', ''])
})

for (const [what, answer] of [
  ['does not come', { status: 404 }],
  ['is one that the browser does not understand', { contentType: 'text/javascript', body: '?' }],
] as const) {
  test(`a page whose script ${what} says so, in the language of the reader, until it is loaded`, async ({
    browser,
    sharedServer,
  }) => {
    for (const [locale, text] of [
      ['en-GB', notLoadedText],
      ['de-DE', 'Dieser Teil der Seite wurde nicht geladen.'],
    ] as const) {
      const context = await browser.newContext({ baseURL: sharedServer.url, locale, serviceWorkers: 'block' })
      const page = await context.newPage()
      await page.route('**/assets/index-*.js', (route) => route.fulfill(answer))
      for (const path of ['/', '/signin', '/form', '/#invite=x']) {
        await page.goto(path)
        await expect(page.getByRole('alert')).toContainText(text)
        await expect(page.locator('.shell')).toHaveCount(0)
      }
      await page.unrouteAll()
      await page.goto('/signin')
      await expect(page.locator('form')).toBeVisible()
      await expect(page.getByText(text)).toHaveCount(0)
      await context.close()
    }
  })
}

test('the chunk of the first screen is requested before the entry script has been loaded', async ({
  records,
  page,
}) => {
  await page.route('**/assets/index-*.js', async (route) => {
    await requested
    await route.continue()
  })
  let requested: Promise<unknown> = Promise.resolve()
  const visit = async (path: string, chunk: string) => {
    requested = page.waitForRequest(`**/assets/${chunk}-*.js`)
    await page.goto(path)
    await requested
  }
  await visit('/form', 'records-page')
  await expect(records.form).toBeVisible()
  await visit('/signin', 'account-screens')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
})

test('an early list is not shown to the account that signs in after it', async ({ records, page }) => {
  await page.evaluate(() => localStorage.setItem('user', 'not a user'))
  await page.goto('/form')
  await expect(page).toHaveURL('/')
  await records.create(ada)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  const listRequest = page.waitForRequest((request) => request.url().endsWith(paths.books))
  await sendAccount(page, 'Sign In', account)
  await listRequest
  await records.expectNames(ada)
})

test('a chosen theme overrides the theme of the system, and applies from the first paint of the next visit', async ({
  records,
  page,
}) => {
  /** The theme of the `theme-color` that counts, and the background. */
  const readColors = () =>
    page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
      const [active] = metas.filter(({ media }) => matchMedia(media).matches)
      return [active?.dataset.theme, getComputedStyle(document.documentElement).backgroundColor]
    })
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await page.emulateMedia({ colorScheme: 'light' })
  await records.press('Account menu')
  const light = await readColors()
  await theme.selectOption('Dark')
  const dark = await readColors()
  expect([light[0], dark[0]]).toEqual(['light', 'dark'])
  expect(dark[1]).not.toBe(light[1])
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.firstTheme = document.documentElement.dataset.theme
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(page.locator('html[data-first-theme="dark"]')).toBeAttached()
  expect(await readColors()).toEqual(dark)
  await records.press('Account menu')
  await theme.selectOption('System')
  expect(await readColors()).toEqual(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(readColors).toEqual(dark)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('the light theme stays light where the browser darkens pages by itself', async ({
  playwright,
  baseURL,
}) => {
  const executablePath = findChromium()
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumArgs, '--blink-settings=forceDarkModeEnabled=true,preferredColorScheme=0'],
  })
  try {
    const page = await browser.newPage({ baseURL: baseURL ?? '', colorScheme: null })
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto('/signin')
    await expect(page.getByRole('heading')).toBeVisible()
    expect(await background()).toBe('rgb(18, 20, 21)')
    await page.evaluate(() => localStorage.setItem('theme', 'light'))
    await page.reload()
    await expect(page.getByRole('heading')).toBeVisible()
    expect(await background()).toBe('rgb(255, 255, 255)')
  } finally {
    await browser.close()
  }
})

test('the page can be installed, and the icons of its manifest exist', async ({ page, request }) => {
  await page.goto('/')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const response = await request.get(href ?? '')
  expect(response.headers()['content-type']).toContain('manifest')
  const manifest = await response.json()
  expect(manifest).toMatchObject({ name: 'Staffbook', start_url: '/form', display: 'standalone' })
  for (const { src } of manifest.icons) expect((await request.get(src)).ok()).toBe(true)
})

test('the page paints the outline of its screen before any script, where the screen then is; the CSP allows it', async ({
  records,
  page,
}) => {
  const { email } = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(email).toBeTruthy()
  const texts = {
    '/': ['Create Your Account', 'Sign Up'],
    '/signin': ['Welcome Back', 'Sign In'],
    '/form': ['Employee Data Form', 'Employee Records'],
  }
  const topsOf = (names: string[]) =>
    page.evaluate(
      (names) =>
        names.map((name) => {
          const found = Array.from(document.querySelectorAll<HTMLElement>('#root *')).filter(
            (element) => element.textContent === name && element.checkVisibility(),
          )
          return found.at(-1)?.getBoundingClientRect().top
        }),
      names,
    )
  // They never come: of a script that fails, the page would say so.
  await page.route('**/assets/*.js', () => {})
  const outlines = new Map<string, (number | undefined)[]>()
  for (const [path, names] of Object.entries(texts)) {
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(
      () =>
        document.readyState === 'interactive' &&
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
    )
    outlines.set(path, await topsOf(names))
    await expect(page.locator('.shell')).toHaveAttribute('aria-hidden', 'true')
  }
  await page.unroute('**/assets/*.js')
  // News stands above the form.
  await page.route(paths.news, (route) => route.fulfill({ json: { entries: [] } }))
  await page.goto('/form')
  await expect(records.table).toBeVisible()
  for (const [index, top] of (await topsOf(texts['/form'])).entries())
    expect(Math.abs((top ?? 0) - (outlines.get('/form')?.[index] ?? Number.NaN))).toBeLessThan(12)
  await page.evaluate(() => localStorage.removeItem('user'))
  for (const path of ['/', '/signin'] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading')).toBeVisible()
    for (const [index, top] of (await topsOf(texts[path])).entries())
      expect(Math.abs((top ?? 0) - (outlines.get(path)?.[index] ?? Number.NaN))).toBeLessThan(12)
  }
})

test('a part that has been loaded ahead opens in the press, without waiting for another frame', async ({
  page,
  records,
}) => {
  await records.add(ada)
  const opensInPress = () =>
    page.evaluate(async () => {
      const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Import')
      button?.click()
      // React renders what a press has changed in a microtask; a transition takes longer.
      await Promise.resolve()
      return document.querySelector('dialog[open]') !== null
    })
  await expect(async () => {
    const isOpen = await opensInPress()
    await expect(page.getByRole('dialog', { name: 'Import' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Import' })).toHaveCount(0)
    expect(isOpen).toBe(true)
  }).toPass()
})
