// Nothing typed is ever lost: the strip between form and table, across failures, reloads and sessions.
import type { Page } from '@playwright/test'
import {
  account,
  ada,
  add,
  alan,
  colleagueOf,
  expect,
  fill,
  form,
  grace,
  names,
  row,
  signIn,
  strip,
  table,
  test,
  typed,
} from '../support/e2e/fixture.ts'

const lostSoul = { eName: 'Lost Soul', email: 'lost@example.com', password: 'kept where none can read it' }
const nothing = { eName: '', email: '', password: '' }
const submit = (page: Page) => form(page).getByRole('button', { name: 'Submit' }).click()
const entry = (page: Page, words: string) => strip(page).getByRole('listitem').filter({ hasText: words })

test.beforeEach(({ expectedErrors }) => {
  // The browser puts every request that fails on the console.
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
})

/** Lets the writes of this page fail, in the way a test wants, until the answer is called. */
async function refuseWrites(page: Page, how: 'lost on the way' | 'lost on the way back' | 507) {
  const isWrite = (method: string) => method !== 'GET'
  await page.route('**/api/collections/**', async (route) => {
    if (!isWrite(route.request().method())) return route.fallback()
    if (how === 507) {
      return route.fulfill({
        status: 507,
        json: { code: 'storage-full', message: 'The disk is full. Nothing was changed.' },
      })
    }
    if (how === 'lost on the way back') await route.fetch()
    return route.abort()
  })
  return () => page.unroute('**/api/collections/**')
}

test('a failed add waits with its reason, and Retry, Edit and Discard', async ({ register }) => {
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  const waiting = entry(register, 'Not saved: Lost Soul')
  await expect(waiting).toContainText('The disk is full. Nothing was changed.')
  for (const name of ['Retry', 'Edit', 'Discard'])
    await expect(waiting.getByRole('button', { name })).toBeVisible()
  expect(await typed(register)).toEqual(nothing)
  await waiting.getByRole('button', { name: 'Discard' }).click()
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
})

test('8 the message of a failed operation is displayed nowhere but beside what was typed, that of a failed list not at all', async ({
  register,
}) => {
  const message = 'The disk is full. Nothing was changed.'
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toContainText(message)
  const whole = await register.locator('html').textContent()
  expect(whole?.split(message)).toHaveLength(2)

  let lists = 0
  await register.route('**/api/collections/books', (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    lists += 1
    return route.fulfill({ status: 500, json: { code: 'server-error', message: 'The books are shut.' } })
  })
  await register.reload()
  await expect.poll(() => lists).toBeGreaterThan(1)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  expect(await register.locator('html').textContent()).not.toContain('The books are shut.')
})

test('a single write that is lost while the line stands is sent again by itself', async ({ register }) => {
  let tries = 0
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await register.route('**/api/collections/books', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    tries += 1
    if (tries === 1) return route.abort()
    await held
    return route.fallback()
  })
  await fill(register, lostSoul)
  await submit(register)
  const waiting = entry(register, 'Not saved: Lost Soul')
  await expect(waiting).toContainText('It is sent when the connection is back.')
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(2)
  await expect(waiting.getByRole('button', { name: 'Retry' })).toBeVisible()
  letThrough()
  await expect(names(register)).toHaveText([lostSoul.eName])
  await expect(strip(register)).toBeEmpty()
  expect(tries).toBe(2)
})

test('what is being sent takes no room before it is slow, and then says so', async ({ register }) => {
  await add(register, ada)
  const top = async () => (await table(register).boundingBox())?.y
  const before = await top()
  await register.evaluate((label) => {
    const box = document.querySelector(`[aria-label^="${label}"]`) as Element
    const seen: string[] = []
    new MutationObserver(() => seen.push(box.textContent === '' ? box.innerHTML : 'words')).observe(box, {
      childList: true,
      subtree: true,
    })
    Object.assign(window, { seen })
  }, 'Not saved yet')
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await register.route('**/api/collections/books', async (route) => {
    await held
    await route.fallback()
  })
  await fill(register, grace)
  await submit(register)
  await expect(entry(register, `Saving ${grace.eName} …`)).toBeVisible()
  letThrough()
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
  await expect(strip(register)).toBeEmpty()
  expect(await register.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['words', ''])
  expect(await top()).toBe(before)
})

test('a failed add is there after a reload, and Retry makes one record', async ({ register }) => {
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await register.unrouteAll()
  await register.reload()
  await entry(register, 'Not saved: Lost Soul').getByRole('button', { name: 'Retry' }).click()
  await expect(names(register)).toHaveText([lostSoul.eName])
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
})

test('an add whose answer was lost makes one record, however often it is sent', async ({ register }) => {
  const mend = await refuseWrites(register, 'lost on the way back')
  await fill(register, lostSoul)
  await submit(register)
  for (let times = 0; times < 3; times++) {
    await entry(register, 'Not saved: Lost Soul').getByRole('button', { name: 'Retry' }).click()
    await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  }
  await mend()
  // No Retry here: the page tries again by itself, and may have done it before a hand could.
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
  await register.reload()
  await expect(names(register)).toHaveText([lostSoul.eName])
})

test('an add whose answer was lost, then edited, is still one record, with the later words', async ({
  register,
}) => {
  const mend = await refuseWrites(register, 'lost on the way back')
  await fill(register, lostSoul)
  await submit(register)
  await entry(register, 'Not saved: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await typed(register)).toEqual(lostSoul)
  await mend()
  await form(register).getByLabel('Employee Name', { exact: true }).fill('Found Soul')
  await submit(register)
  await expect(row(register, 'Found Soul')).toBeVisible()
  await register.reload()
  await expect(names(register)).toHaveText(['Found Soul'])
})

test('Edit fills a password field that nobody has typed in', async ({ register }) => {
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await register.reload()
  await entry(register, 'Not saved: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await typed(register)).toEqual(lostSoul)
  expect(await register.evaluate(() => document.documentElement.outerHTML)).not.toContain(lostSoul.password)
})

test('a generated password is in a password field that nobody has typed in', async ({ register }) => {
  await register.reload()
  await form(register).getByLabel('Employee Name', { exact: true }).fill(ada.eName)
  await form(register).getByLabel('Email', { exact: true }).fill(ada.email)
  await form(register).getByRole('button', { name: 'Generate one' }).click()
  await register.getByRole('button', { name: 'Use this password' }).click()
  const { password } = await typed(register)
  expect(password.length).toBeGreaterThan(8)
  await submit(register)
  await expect(row(register, ada.eName).getByLabel(`Password of ${ada.eName}`, { exact: true })).toHaveValue(
    password,
  )
})

test('logging out waits for what is on its way, so that it is saved and not wiped', async ({ register }) => {
  await register.route('**/api/collections/books', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.fallback()
  })
  for (const employee of [ada, grace]) {
    await fill(register, employee)
    await submit(register)
  }
  await register.getByRole('button', { name: 'Logout' }).click()
  await expect(register).toHaveURL('/')
  await register.unrouteAll({ behavior: 'wait' })
  await signIn(register)
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
})

const question = (page: Page) => page.getByRole('dialog', { name: 'not saved' })
const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()
const loseIt = (page: Page) => question(page).getByRole('button', { name: 'Log out and lose it' }).click()

test('logging out asks before it loses what is not saved: to stay is what Enter and Escape do', async ({
  register,
}) => {
  await refuseWrites(register, 507)
  for (const employee of [lostSoul, ada]) {
    await fill(register, employee)
    await submit(register)
    await expect(entry(register, `Not saved: ${employee.eName}`)).toBeVisible()
    await logOut(register)
    const changes = employee === ada ? '2 changes are not saved' : '1 change is not saved'
    await expect(question(register)).toContainText(changes)
    await expect(question(register).getByRole('button', { name: 'Stay' })).toBeFocused()
    await register.keyboard.press(employee === ada ? 'Enter' : 'Escape')
    await expect(question(register)).toHaveCount(0)
    await expect(register.getByRole('button', { name: 'Logout' })).toBeFocused()
  }
  await expect(register).toHaveURL('/form')
  await register.reload()
  await expect(strip(register).getByRole('listitem')).toHaveCount(2)
  await logOut(register)
  await loseIt(register)
  await expect(register).toHaveURL('/')
  await signIn(register)
  await expect(form(register)).toBeVisible()
  await expect(strip(register)).toBeEmpty()
  await expect(names(register)).toHaveCount(0)
})

test('logging out of a session that has ended asks too', async ({ register }) => {
  await register.context().clearCookies()
  await fill(register, lostSoul)
  await submit(register)
  await expect(register.getByRole('alert')).toContainText('What you typed is kept until you log out.')
  await logOut(register)
  await expect(question(register)).toContainText('1 change is not saved')
  await loseIt(register)
  await expect(register).toHaveURL('/')
  expect(await everythingStored(register)).toMatchObject({ rows: 0 })
})

test('logging out goes on by itself when the answer that it asked about comes after all', async ({
  register,
}) => {
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await register.route('**/api/collections/books', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.fallback()
  })
  await fill(register, ada)
  await submit(register)
  await logOut(register)
  await expect(question(register)).toContainText('1 change is not saved')
  letThrough()
  await expect(register).toHaveURL('/')
  await signIn(register)
  await expect(names(register)).toHaveText([ada.eName])
})

test('logging out does not ask for what only stands in the form', async ({ register }) => {
  await fill(register, lostSoul)
  await logOut(register)
  await expect(register).toHaveURL('/')
  expect(await everythingStored(register)).toMatchObject({ rows: 0 })
})

test('8 logging out without the service fails, and loses nothing, whatever was answered', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/Logout failed/)
  await fill(register, lostSoul)
  // Its hint is loaded with the first password.
  await expect(form(register).locator('[data-level]')).toBeVisible()
  await register.context().setOffline(true)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  const logged = register.waitForEvent('console', (message) => message.text().includes('Logout failed'))
  await logOut(register)
  await loseIt(register)
  await logged
  await expect(question(register)).toHaveCount(0)
  await expect(register).toHaveURL('/form')
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await register.context().setOffline(false)
  await expect(names(register)).toHaveText([lostSoul.eName])
  await logOut(register)
  await expect(register).toHaveURL('/')
})

test('a failed update waits, keeps the record as it was, and Edit takes it back into the form', async ({
  register,
}) => {
  await add(register, ada)
  const mend = await refuseWrites(register, 507)
  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fill(register, alan)
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect(names(register)).toHaveText([ada.eName])
  await entry(register, `Not saved: ${alan.eName}`).getByRole('button', { name: 'Edit' }).click()
  expect(await typed(register)).toEqual(alan)
  await mend()
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect(names(register)).toHaveText([alan.eName])
})

test('a failed delete waits, and the record stays until Retry', async ({ register }) => {
  await add(register, ada)
  const mend = await refuseWrites(register, 507)
  await row(register, ada.eName).getByRole('button', { name: 'Delete' }).click()
  const waiting = entry(register, `Not deleted: ${ada.eName}`)
  await expect(waiting.getByRole('button', { name: 'Edit' })).toBeVisible()
  await expect(names(register)).toHaveText([ada.eName])
  await mend()
  await waiting.getByRole('button', { name: 'Retry' }).click()
  await expect(names(register)).toHaveCount(0)
  await expect(entry(register, `Deleted ${ada.eName}`)).toBeVisible()
})

test('undo puts the record back under its id and in its place, for everybody', async ({
  register,
  baseURL,
}) => {
  for (const employee of [ada, grace, alan]) await add(register, employee)
  const theirs = await colleagueOf(register, baseURL)
  await row(register, grace.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(theirs)).toHaveText([ada.eName, alan.eName])
  await entry(register, `Deleted ${grace.eName}`).getByRole('button', { name: 'Undo' }).click()
  const all = [ada.eName, grace.eName, alan.eName]
  await expect(names(register)).toHaveText(all)
  await expect(names(theirs)).toHaveText(all)
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
  await register.reload()
  await expect(names(register)).toHaveText(all)
  await theirs.context().close()
})

/** Keeps all that the page's live regions are made to say, from now on. */
async function listen(page: Page) {
  await page.evaluate(() => {
    const heard: string[] = []
    new MutationObserver((mutations) => {
      for (const { target, addedNodes } of mutations) {
        const element = target instanceof Element ? target : target.parentElement
        if (!element?.closest('[role=status], [role=alert]')) continue
        heard.push(...[...addedNodes].map((node) => node.textContent ?? ''))
      }
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { heard })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

test('what is saved, undone or sent after all is said to a screen reader, also where it can be seen', async ({
  register,
}) => {
  const heard = await listen(register)
  const times = async (words: string) => (await heard()).filter((said) => said === words).length
  await add(register, ada)
  await expect.poll(() => times(`${ada.eName} is saved.`)).toBe(1)
  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fill(register, alan)
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect.poll(() => times(`${alan.eName} is saved.`)).toBe(1)

  await row(register, alan.eName).getByRole('button', { name: 'Delete' }).click()
  await entry(register, `Deleted ${alan.eName}`).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => times(`${alan.eName} is back.`)).toBe(1)
  await expect(row(register, alan.eName)).toBeFocused()
  await register.keyboard.press('Delete')
  await expect(entry(register, `Deleted ${alan.eName}`)).toBeVisible()
  await register.evaluate(() => (document.activeElement as HTMLElement).blur())
  await register.keyboard.press('Control+z')
  await expect.poll(() => times(`${alan.eName} is back.`)).toBe(2)
  await expect(row(register, alan.eName)).toBeFocused()

  const mend = await refuseWrites(register, 507)
  await fill(register, grace)
  await submit(register)
  await expect(entry(register, `Not saved: ${grace.eName}`)).toBeVisible()
  await mend()
  await entry(register, `Not saved: ${grace.eName}`).getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => times(`${grace.eName} is saved.`)).toBe(1)
  await expect(register.getByText('is saved.')).toHaveCount(0)
})

test('that an import is undone is said', async ({ register }) => {
  await register.getByRole('button', { name: 'Import', exact: true }).click()
  await register.getByLabel('Or paste rows from a spreadsheet').fill('Ada,ada@example.com,x')
  await register.getByRole('button', { name: 'Read these rows' }).click()
  await register.getByRole('button', { name: 'Import 1 record' }).click()
  await register.getByRole('button', { name: 'Done' }).click()
  const heard = await listen(register)
  await strip(register).getByRole('button', { name: 'Undo import' }).click()
  await expect.poll(heard).toContain('The import is undone.')
  await expect(names(register)).toHaveCount(0)
})

test('what is slow says what is being done: deleting, or putting back; who types on meanwhile keeps the focus', async ({
  register,
}) => {
  await add(register, ada)
  let letThrough = () => {}
  await register.route('**/api/collections/**', async (route) => {
    if (!['PUT', 'DELETE'].includes(route.request().method())) return route.fallback()
    await new Promise<void>((resolve) => {
      letThrough = resolve
    })
    return route.fallback()
  })
  await row(register, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(entry(register, `Deleting ${ada.eName} …`)).toBeVisible()
  letThrough()
  await entry(register, `Deleted ${ada.eName}`).getByRole('button', { name: 'Undo' }).click()
  await expect(entry(register, `Putting ${ada.eName} back …`)).toBeVisible()
  const name = form(register).getByLabel('Employee Name', { exact: true })
  await name.pressSequentially('Gr')
  letThrough()
  await expect(row(register, ada.eName)).toBeVisible()
  await expect(strip(register)).toBeEmpty()
  await expect(name).toBeFocused()
  await name.pressSequentially('ace')
  await expect(name).toHaveValue('Grace')
})

test('the undo of a record that somebody else has put back is no longer offered', async ({
  register,
  baseURL,
}) => {
  await add(register, ada)
  const theirs = await colleagueOf(register, baseURL)
  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fill(register, alan)
  await row(theirs, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(entry(theirs, `Deleted ${ada.eName}`)).toBeVisible()
  await expect(names(register)).toHaveCount(0)
  await form(register).getByRole('button', { name: 'Update' }).click()
  await entry(register, `Not saved: ${alan.eName}`).getByRole('button', { name: 'Put back' }).click()
  await expect(names(theirs)).toHaveText([alan.eName])
  await expect(strip(theirs)).toBeEmpty()
  await theirs.reload()
  await expect(names(theirs)).toHaveText([alan.eName])
  await expect(strip(theirs)).toBeEmpty()
  await theirs.context().close()
})

test('undo is there after a reload', async ({ register }) => {
  await add(register, ada)
  await add(register, grace)
  await row(register, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(register)).toHaveText([grace.eName])
  await register.reload()
  await entry(register, `Deleted ${ada.eName}`).getByRole('button', { name: 'Undo' }).click()
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
})

test('what is half typed is there after a reload, in the mode it was typed in', async ({ register }) => {
  await add(register, ada)
  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fill(register, lostSoul)
  await isKept(register, 1)
  await register.reload()
  await expect(form(register).getByLabel('Employee Name', { exact: true })).toHaveValue(lostSoul.eName)
  expect(await typed(register)).toEqual(lostSoul)
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect(names(register)).toHaveText([lostSoul.eName])
})

test('what is half typed is put aside when another record is taken into the form', async ({ register }) => {
  await add(register, ada)
  await fill(register, lostSoul)
  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  expect(await typed(register)).toEqual(ada)
  await entry(register, 'Put aside: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await typed(register)).toEqual(lostSoul)
  await expect(form(register).getByRole('button', { name: 'Submit' })).toBeVisible()
})

test('no password lies readable in any browser storage, and logout wipes what was kept', async ({
  register,
}) => {
  await add(register, ada)
  await row(register, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await fill(register, grace)
  await isKept(register, 3)

  const before = await everythingStored(register)
  expect(before.rows).toBeGreaterThanOrEqual(4)
  for (const secret of [ada.password, lostSoul.password, grace.password, account.password, lostSoul.email]) {
    expect(before.text).not.toContain(secret)
  }
  await logOut(register)
  await loseIt(register)
  await expect(register).toHaveURL('/')
  expect(await everythingStored(register)).toMatchObject({ rows: 0 })
})

test('a session that ended on the server is said, keeps the outbox, and leads to sign-in and back', async ({
  register,
}) => {
  await add(register, ada)
  await register.context().clearCookies()
  await fill(register, lostSoul)
  await submit(register)
  await expect(register.getByRole('alert')).toContainText('Your session has ended.')
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await fill(register, grace)
  await register.getByRole('link', { name: 'Sign in again' }).click()
  await expect(register.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await register.getByLabel('Email').fill(account.email)
  await register.getByLabel('Password').fill(account.password)
  await register.getByRole('button', { name: 'Sign In' }).click()
  await expect(register).toHaveURL('/form')
  await expect(names(register)).toHaveText([ada.eName, lostSoul.eName])
  expect(await typed(register)).toEqual(grace)
  await expect(register.getByRole('alert')).toBeEmpty()
})

test('a session that is ended elsewhere is said without anything being pressed', async ({ register }) => {
  await add(register, ada)
  await register.evaluate(() => fetch('/api/identity/session', { method: 'DELETE' }))
  await expect(register.getByRole('alert')).toContainText('Your session has ended.')
  await expect(register).toHaveURL('/form')
})

test('4 the closed laptop: offline in the middle of an edit, a reload, online again, and nothing is lost', async ({
  register,
}) => {
  await add(register, ada)
  await add(register, grace)
  const context = register.context()

  await row(register, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await context.setOffline(true)
  await form(register).getByLabel('Employee Name', { exact: true }).fill('Ada King')
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect(entry(register, 'Not saved: Ada King')).toBeVisible()
  await row(register, grace.eName).getByRole('button', { name: 'Edit' }).click()
  await form(register).getByLabel('Password', { exact: true }).fill('half a passw')
  await isKept(register, 2)
  await register.reload().catch(() => {})

  await context.setOffline(false)
  await register.goto('/form')
  expect(await typed(register)).toEqual({ ...grace, password: 'half a passw' })
  await expect(form(register).getByRole('button', { name: 'Update' })).toBeVisible()
  await expect(names(register)).toHaveText(['Ada King', grace.eName])
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
})

test('where the page has no WebCrypto, leaving with something unsaved asks first', async ({
  page,
  register,
}) => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
  await register.reload()
  await expect(table(register)).toBeAttached()
  await fill(register, lostSoul)
  const asked: string[] = []
  register.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await register.reload()
  expect(asked).toEqual(['beforeunload'])
  expect(await typed(register)).toEqual(nothing)
})

test('what was left and can’t be read is told; the page works on, and logs out', async ({
  page,
  register,
}) => {
  await refuseWrites(register, 507)
  await fill(register, lostSoul)
  await submit(register)
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await register.unroute('**/api/collections/**')
  await isKept(register, 1)
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken'))
      IDBObjectStore.prototype.getAll = () => {
        throw new DOMException('unreadable', 'UnknownError')
      }
  })
  await register.evaluate(() => sessionStorage.setItem('broken', 'yes'))
  await register.reload()
  await expect(register.getByRole('alert')).toContainText('What you may have left unsaved can’t be read now.')
  await add(register, ada)
  await register.evaluate(() => sessionStorage.removeItem('broken'))
  await register.reload()
  await expect(entry(register, 'Not saved: Lost Soul')).toBeVisible()
  await register.evaluate(() => sessionStorage.setItem('broken', 'yes'))
  await register.reload()
  await register.getByRole('button', { name: 'Logout' }).click()
  await expect(register).toHaveURL('/')
})

/** Waits until so many things are in the vault, besides its key, and nothing more is written to it. */
async function isKept(page: Page, things: number) {
  const isQuiet = async () => {
    const { rows, text } = await everythingStored(page)
    await page.waitForTimeout(1000)
    return rows === things + 1 && text === (await everythingStored(page)).text
  }
  await expect.poll(isQuiet).toBe(true)
}

/** Everything this origin has stored, as text: local and session storage, and every row of every database. */
function everythingStored(page: Page): Promise<{ rows: number; text: string }> {
  return page.evaluate(async () => {
    const promised = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const values: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await promised(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        values.push(...(await promised(objects.getAll())))
      }
      database.close()
    }
    const decoder = new TextDecoder('latin1')
    const text = JSON.stringify([values, { ...localStorage }, { ...sessionStorage }], (_, value) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? decoder.decode(value as ArrayBuffer)
        : value,
    )
    return { rows: values.length, text }
  })
}
