// Nothing typed is ever lost: the strip between form and table, across failures, reloads and sessions.
import type { Page } from '@playwright/test'
import {
  account,
  ada,
  addEmployee,
  alan,
  expect,
  fillForm,
  form,
  grace,
  names,
  openColleaguePage,
  outboxList,
  readForm,
  rowOf,
  signIn,
  table,
  test,
} from '../support/e2e/fixture.ts'

const unsaved = { eName: 'Lost Soul', email: 'lost@example.com', password: 'kept where none can read it' }
const emptyForm = { eName: '', email: '', password: '' }
const submit = (page: Page) => form(page).getByRole('button', { name: 'Submit' }).click()
const outboxEntry = (page: Page, words: string) =>
  outboxList(page).getByRole('listitem').filter({ hasText: words })

test.beforeEach(({ expectedErrors }) => {
  // The browser puts every request that fails on the console.
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
})

/** Lets the writes of this page fail, in the way a test wants, until the answer is called. */
async function failWrites(page: Page, failure: 'lost on the way' | 'lost on the way back' | 507) {
  const isWrite = (method: string) => method !== 'GET'
  await page.route('**/api/collections/**', async (route) => {
    if (!isWrite(route.request().method())) return route.fallback()
    if (failure === 507) {
      return route.fulfill({
        status: 507,
        json: { code: 'storage-full', message: 'The disk is full. Nothing was changed.' },
      })
    }
    if (failure === 'lost on the way back') await route.fetch()
    return route.abort()
  })
  return () => page.unroute('**/api/collections/**')
}

test('a failed add waits with its reason, and Retry, Edit and Discard', async ({ recordsPage }) => {
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  const waiting = outboxEntry(recordsPage, 'Not saved: Lost Soul')
  await expect(waiting).toContainText('The disk is full. Nothing was changed.')
  for (const name of ['Retry', 'Edit', 'Discard'])
    await expect(waiting.getByRole('button', { name })).toBeVisible()
  expect(await readForm(recordsPage)).toEqual(emptyForm)
  await waiting.getByRole('button', { name: 'Discard' }).click()
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
})

test('8 the message of a failed operation is displayed nowhere but beside what was typed, that of a failed list not at all', async ({
  recordsPage,
}) => {
  const message = 'The disk is full. Nothing was changed.'
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toContainText(message)
  const whole = await recordsPage.locator('html').textContent()
  expect(whole?.split(message)).toHaveLength(2)

  let lists = 0
  await recordsPage.route('**/api/collections/books', (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    lists += 1
    return route.fulfill({ status: 500, json: { code: 'server-error', message: 'The books are shut.' } })
  })
  await recordsPage.reload()
  await expect.poll(() => lists).toBeGreaterThan(1)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  expect(await recordsPage.locator('html').textContent()).not.toContain('The books are shut.')
})

test('a single write that is lost while the line stands is sent again by itself', async ({ recordsPage }) => {
  let tries = 0
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await recordsPage.route('**/api/collections/books', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    tries += 1
    if (tries === 1) return route.abort()
    await held
    return route.fallback()
  })
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  const waiting = outboxEntry(recordsPage, 'Not saved: Lost Soul')
  await expect(waiting).toContainText('It is sent when the connection is back.')
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(2)
  await expect(waiting.getByRole('button', { name: 'Retry' })).toBeVisible()
  letThrough()
  await expect(names(recordsPage)).toHaveText([unsaved.eName])
  await expect(outboxList(recordsPage)).toBeEmpty()
  expect(tries).toBe(2)
})

test('what is being sent takes no room before it is slow, and then says so', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  const top = async () => (await table(recordsPage).boundingBox())?.y
  const before = await top()
  await recordsPage.evaluate((label) => {
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
  await recordsPage.route('**/api/collections/books', async (route) => {
    await held
    await route.fallback()
  })
  await fillForm(recordsPage, grace)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, `Saving ${grace.eName} …`)).toBeVisible()
  letThrough()
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
  await expect(outboxList(recordsPage)).toBeEmpty()
  expect(await recordsPage.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
    'words',
    '',
  ])
  expect(await top()).toBe(before)
})

test('a failed add is there after a reload, and Retry makes one record', async ({ recordsPage }) => {
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await recordsPage.unrouteAll()
  await recordsPage.reload()
  await outboxEntry(recordsPage, 'Not saved: Lost Soul').getByRole('button', { name: 'Retry' }).click()
  await expect(names(recordsPage)).toHaveText([unsaved.eName])
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
})

test('an add whose answer was lost makes one record, however often it is sent', async ({ recordsPage }) => {
  const mend = await failWrites(recordsPage, 'lost on the way back')
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  for (let times = 0; times < 3; times++) {
    await outboxEntry(recordsPage, 'Not saved: Lost Soul').getByRole('button', { name: 'Retry' }).click()
    await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  }
  await mend()
  // No Retry here: the page tries again by itself, and may have done it before a hand could.
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
  await recordsPage.reload()
  await expect(names(recordsPage)).toHaveText([unsaved.eName])
})

test('an add whose answer was lost, then edited, is still one record, with the later words', async ({
  recordsPage,
}) => {
  const mend = await failWrites(recordsPage, 'lost on the way back')
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await outboxEntry(recordsPage, 'Not saved: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await readForm(recordsPage)).toEqual(unsaved)
  await mend()
  await form(recordsPage).getByLabel('Employee Name', { exact: true }).fill('Found Soul')
  await submit(recordsPage)
  await expect(rowOf(recordsPage, 'Found Soul')).toBeVisible()
  await recordsPage.reload()
  await expect(names(recordsPage)).toHaveText(['Found Soul'])
})

test('Edit fills a password field that nobody has typed in', async ({ recordsPage }) => {
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await recordsPage.reload()
  await outboxEntry(recordsPage, 'Not saved: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await readForm(recordsPage)).toEqual(unsaved)
  expect(await recordsPage.evaluate(() => document.documentElement.outerHTML)).not.toContain(unsaved.password)
})

test('a generated password is in a password field that nobody has typed in', async ({ recordsPage }) => {
  await recordsPage.reload()
  await form(recordsPage).getByLabel('Employee Name', { exact: true }).fill(ada.eName)
  await form(recordsPage).getByLabel('Email', { exact: true }).fill(ada.email)
  await form(recordsPage).getByRole('button', { name: 'Generate one' }).click()
  await recordsPage.getByRole('button', { name: 'Use this password' }).click()
  const { password } = await readForm(recordsPage)
  expect(password.length).toBeGreaterThan(8)
  await submit(recordsPage)
  await expect(
    rowOf(recordsPage, ada.eName).getByLabel(`Password of ${ada.eName}`, { exact: true }),
  ).toHaveValue(password)
})

test('logging out waits for what is on its way, so that it is saved and not wiped', async ({
  recordsPage,
}) => {
  await recordsPage.route('**/api/collections/books', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.fallback()
  })
  for (const employee of [ada, grace]) {
    await fillForm(recordsPage, employee)
    await submit(recordsPage)
  }
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  await expect(recordsPage).toHaveURL('/')
  await recordsPage.unrouteAll({ behavior: 'wait' })
  await signIn(recordsPage)
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
})

const logoutDialog = (page: Page) => page.getByRole('dialog', { name: 'not saved' })
const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()
const confirmLogout = (page: Page) =>
  logoutDialog(page).getByRole('button', { name: 'Log out and lose it' }).click()

test('logging out asks before it loses what is not saved: to stay is what Enter and Escape do', async ({
  recordsPage,
}) => {
  await failWrites(recordsPage, 507)
  for (const employee of [unsaved, ada]) {
    await fillForm(recordsPage, employee)
    await submit(recordsPage)
    await expect(outboxEntry(recordsPage, `Not saved: ${employee.eName}`)).toBeVisible()
    await logOut(recordsPage)
    const changes = employee === ada ? '2 changes are not saved' : '1 change is not saved'
    await expect(logoutDialog(recordsPage)).toContainText(changes)
    await expect(logoutDialog(recordsPage).getByRole('button', { name: 'Stay' })).toBeFocused()
    await recordsPage.keyboard.press(employee === ada ? 'Enter' : 'Escape')
    await expect(logoutDialog(recordsPage)).toHaveCount(0)
    await expect(recordsPage.getByRole('button', { name: 'Logout' })).toBeFocused()
  }
  await expect(recordsPage).toHaveURL('/form')
  await recordsPage.reload()
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(2)
  await logOut(recordsPage)
  await confirmLogout(recordsPage)
  await expect(recordsPage).toHaveURL('/')
  await signIn(recordsPage)
  await expect(form(recordsPage)).toBeVisible()
  await expect(outboxList(recordsPage)).toBeEmpty()
  await expect(names(recordsPage)).toHaveCount(0)
})

test('logging out of a session that has ended asks too', async ({ recordsPage }) => {
  await recordsPage.context().clearCookies()
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(recordsPage.getByRole('alert')).toContainText('What you typed is kept until you log out.')
  await logOut(recordsPage)
  await expect(logoutDialog(recordsPage)).toContainText('1 change is not saved')
  await confirmLogout(recordsPage)
  await expect(recordsPage).toHaveURL('/')
  expect(await dumpStorage(recordsPage)).toMatchObject({ rows: 0 })
})

test('logging out goes on by itself when the answer that it asked about comes after all', async ({
  recordsPage,
}) => {
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await recordsPage.route('**/api/collections/books', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.fallback()
  })
  await fillForm(recordsPage, ada)
  await submit(recordsPage)
  await logOut(recordsPage)
  await expect(logoutDialog(recordsPage)).toContainText('1 change is not saved')
  letThrough()
  await expect(recordsPage).toHaveURL('/')
  await signIn(recordsPage)
  await expect(names(recordsPage)).toHaveText([ada.eName])
})

test('logging out does not ask for what only stands in the form', async ({ recordsPage }) => {
  await fillForm(recordsPage, unsaved)
  await logOut(recordsPage)
  await expect(recordsPage).toHaveURL('/')
  expect(await dumpStorage(recordsPage)).toMatchObject({ rows: 0 })
})

test('8 logging out without the service fails, and loses nothing, whatever was answered', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/Logout failed/)
  await fillForm(recordsPage, unsaved)
  // Its hint is loaded with the first password.
  await expect(form(recordsPage).locator('[data-level]')).toBeVisible()
  await recordsPage.context().setOffline(true)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  const logged = recordsPage.waitForEvent('console', (message) => message.text().includes('Logout failed'))
  await logOut(recordsPage)
  await confirmLogout(recordsPage)
  await logged
  await expect(logoutDialog(recordsPage)).toHaveCount(0)
  await expect(recordsPage).toHaveURL('/form')
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await recordsPage.context().setOffline(false)
  await expect(names(recordsPage)).toHaveText([unsaved.eName])
  await logOut(recordsPage)
  await expect(recordsPage).toHaveURL('/')
})

test('a failed update waits, keeps the record as it was, and Edit takes it back into the form', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  const mend = await failWrites(recordsPage, 507)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fillForm(recordsPage, alan)
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect(names(recordsPage)).toHaveText([ada.eName])
  await outboxEntry(recordsPage, `Not saved: ${alan.eName}`).getByRole('button', { name: 'Edit' }).click()
  expect(await readForm(recordsPage)).toEqual(alan)
  await mend()
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect(names(recordsPage)).toHaveText([alan.eName])
})

test('a failed delete waits, and the record stays until Retry', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  const mend = await failWrites(recordsPage, 507)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
  const waiting = outboxEntry(recordsPage, `Not deleted: ${ada.eName}`)
  await expect(waiting.getByRole('button', { name: 'Edit' })).toBeVisible()
  await expect(names(recordsPage)).toHaveText([ada.eName])
  await mend()
  await waiting.getByRole('button', { name: 'Retry' }).click()
  await expect(names(recordsPage)).toHaveCount(0)
  await expect(outboxEntry(recordsPage, `Deleted ${ada.eName}`)).toBeVisible()
})

test('undo puts the record back under its id and in its place, for everybody', async ({
  recordsPage,
  baseURL,
}) => {
  for (const employee of [ada, grace, alan]) await addEmployee(recordsPage, employee)
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await rowOf(recordsPage, grace.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(theirs)).toHaveText([ada.eName, alan.eName])
  await outboxEntry(recordsPage, `Deleted ${grace.eName}`).getByRole('button', { name: 'Undo' }).click()
  const all = [ada.eName, grace.eName, alan.eName]
  await expect(names(recordsPage)).toHaveText(all)
  await expect(names(theirs)).toHaveText(all)
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
  await recordsPage.reload()
  await expect(names(recordsPage)).toHaveText(all)
  await theirs.context().close()
})

/** Keeps all that the page's live regions are made to say, from now on. */
async function recordAnnouncements(page: Page) {
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
  recordsPage,
}) => {
  const heard = await recordAnnouncements(recordsPage)
  const times = async (words: string) => (await heard()).filter((said) => said === words).length
  await addEmployee(recordsPage, ada)
  await expect.poll(() => times(`${ada.eName} is saved.`)).toBe(1)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fillForm(recordsPage, alan)
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect.poll(() => times(`${alan.eName} is saved.`)).toBe(1)

  await rowOf(recordsPage, alan.eName).getByRole('button', { name: 'Delete' }).click()
  await outboxEntry(recordsPage, `Deleted ${alan.eName}`).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => times(`${alan.eName} is back.`)).toBe(1)
  await expect(rowOf(recordsPage, alan.eName)).toBeFocused()
  await recordsPage.keyboard.press('Delete')
  await expect(outboxEntry(recordsPage, `Deleted ${alan.eName}`)).toBeVisible()
  await recordsPage.evaluate(() => (document.activeElement as HTMLElement).blur())
  await recordsPage.keyboard.press('Control+z')
  await expect.poll(() => times(`${alan.eName} is back.`)).toBe(2)
  await expect(rowOf(recordsPage, alan.eName)).toBeFocused()

  const mend = await failWrites(recordsPage, 507)
  await fillForm(recordsPage, grace)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, `Not saved: ${grace.eName}`)).toBeVisible()
  await mend()
  await outboxEntry(recordsPage, `Not saved: ${grace.eName}`).getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => times(`${grace.eName} is saved.`)).toBe(1)
  await expect(recordsPage.getByText('is saved.')).toHaveCount(0)
})

test('that an import is undone is said', async ({ recordsPage }) => {
  await recordsPage.getByRole('button', { name: 'Import', exact: true }).click()
  await recordsPage.getByLabel('Or paste rows from a spreadsheet').fill('Ada,ada@example.com,x')
  await recordsPage.getByRole('button', { name: 'Read these rows' }).click()
  await recordsPage.getByRole('button', { name: 'Import 1 record' }).click()
  await recordsPage.getByRole('button', { name: 'Done' }).click()
  const heard = await recordAnnouncements(recordsPage)
  await outboxList(recordsPage).getByRole('button', { name: 'Undo import' }).click()
  await expect.poll(heard).toContain('The import is undone.')
  await expect(names(recordsPage)).toHaveCount(0)
})

test('what is slow says what is being done: deleting, or putting back; who types on meanwhile keeps the focus', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  let letThrough = () => {}
  await recordsPage.route('**/api/collections/**', async (route) => {
    if (!['PUT', 'DELETE'].includes(route.request().method())) return route.fallback()
    await new Promise<void>((resolve) => {
      letThrough = resolve
    })
    return route.fallback()
  })
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(outboxEntry(recordsPage, `Deleting ${ada.eName} …`)).toBeVisible()
  letThrough()
  await outboxEntry(recordsPage, `Deleted ${ada.eName}`).getByRole('button', { name: 'Undo' }).click()
  await expect(outboxEntry(recordsPage, `Putting ${ada.eName} back …`)).toBeVisible()
  const name = form(recordsPage).getByLabel('Employee Name', { exact: true })
  await name.pressSequentially('Gr')
  letThrough()
  await expect(rowOf(recordsPage, ada.eName)).toBeVisible()
  await expect(outboxList(recordsPage)).toBeEmpty()
  await expect(name).toBeFocused()
  await name.pressSequentially('ace')
  await expect(name).toHaveValue('Grace')
})

test('the undo of a record that somebody else has put back is no longer offered', async ({
  recordsPage,
  baseURL,
}) => {
  await addEmployee(recordsPage, ada)
  const theirs = await openColleaguePage(recordsPage, baseURL)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fillForm(recordsPage, alan)
  await rowOf(theirs, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(outboxEntry(theirs, `Deleted ${ada.eName}`)).toBeVisible()
  await expect(names(recordsPage)).toHaveCount(0)
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await outboxEntry(recordsPage, `Not saved: ${alan.eName}`).getByRole('button', { name: 'Put back' }).click()
  await expect(names(theirs)).toHaveText([alan.eName])
  await expect(outboxList(theirs)).toBeEmpty()
  await theirs.reload()
  await expect(names(theirs)).toHaveText([alan.eName])
  await expect(outboxList(theirs)).toBeEmpty()
  await theirs.context().close()
})

test('undo is there after a reload', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(recordsPage)).toHaveText([grace.eName])
  await recordsPage.reload()
  await outboxEntry(recordsPage, `Deleted ${ada.eName}`).getByRole('button', { name: 'Undo' }).click()
  await expect(names(recordsPage)).toHaveText([ada.eName, grace.eName])
})

test('what is half typed is there after a reload, in the mode it was typed in', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await fillForm(recordsPage, unsaved)
  await waitUntilStored(recordsPage, 1)
  await recordsPage.reload()
  await expect(form(recordsPage).getByLabel('Employee Name', { exact: true })).toHaveValue(unsaved.eName)
  expect(await readForm(recordsPage)).toEqual(unsaved)
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect(names(recordsPage)).toHaveText([unsaved.eName])
})

test('what is half typed is put aside when another record is taken into the form', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await fillForm(recordsPage, unsaved)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  expect(await readForm(recordsPage)).toEqual(ada)
  await outboxEntry(recordsPage, 'Put aside: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  expect(await readForm(recordsPage)).toEqual(unsaved)
  await expect(form(recordsPage).getByRole('button', { name: 'Submit' })).toBeVisible()
})

test('no password lies readable in any browser storage, and logout wipes what was kept', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await fillForm(recordsPage, grace)
  await waitUntilStored(recordsPage, 3)

  const before = await dumpStorage(recordsPage)
  expect(before.rows).toBeGreaterThanOrEqual(4)
  for (const secret of [ada.password, unsaved.password, grace.password, account.password, unsaved.email]) {
    expect(before.text).not.toContain(secret)
  }
  await logOut(recordsPage)
  await confirmLogout(recordsPage)
  await expect(recordsPage).toHaveURL('/')
  expect(await dumpStorage(recordsPage)).toMatchObject({ rows: 0 })
})

test('a session that ended on the server is said, keeps the outbox, and leads to sign-in and back', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await recordsPage.context().clearCookies()
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(recordsPage.getByRole('alert')).toContainText('Your session has ended.')
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await fillForm(recordsPage, grace)
  await recordsPage.getByRole('link', { name: 'Sign in again' }).click()
  await expect(recordsPage.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await recordsPage.getByLabel('Email').fill(account.email)
  await recordsPage.getByLabel('Password').fill(account.password)
  await recordsPage.getByRole('button', { name: 'Sign In' }).click()
  await expect(recordsPage).toHaveURL('/form')
  await expect(names(recordsPage)).toHaveText([ada.eName, unsaved.eName])
  expect(await readForm(recordsPage)).toEqual(grace)
  await expect(recordsPage.getByRole('alert')).toBeEmpty()
})

test('a session that is ended elsewhere is said without anything being pressed', async ({ recordsPage }) => {
  await addEmployee(recordsPage, ada)
  await recordsPage.evaluate(() => fetch('/api/identity/session', { method: 'DELETE' }))
  await expect(recordsPage.getByRole('alert')).toContainText('Your session has ended.')
  await expect(recordsPage).toHaveURL('/form')
})

test('4 the closed laptop: offline in the middle of an edit, a reload, online again, and nothing is lost', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await addEmployee(recordsPage, grace)
  const context = recordsPage.context()

  await rowOf(recordsPage, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await context.setOffline(true)
  await form(recordsPage).getByLabel('Employee Name', { exact: true }).fill('Ada King')
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect(outboxEntry(recordsPage, 'Not saved: Ada King')).toBeVisible()
  await rowOf(recordsPage, grace.eName).getByRole('button', { name: 'Edit' }).click()
  await form(recordsPage).getByLabel('Password', { exact: true }).fill('half a passw')
  await waitUntilStored(recordsPage, 2)
  await recordsPage.reload().catch(() => {})

  await context.setOffline(false)
  await recordsPage.goto('/form')
  expect(await readForm(recordsPage)).toEqual({ ...grace, password: 'half a passw' })
  await expect(form(recordsPage).getByRole('button', { name: 'Update' })).toBeVisible()
  await expect(names(recordsPage)).toHaveText(['Ada King', grace.eName])
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(0)
})

test('where the page has no WebCrypto, leaving with something unsaved asks first', async ({
  page,
  recordsPage,
}) => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
  await recordsPage.reload()
  await expect(table(recordsPage)).toBeAttached()
  await fillForm(recordsPage, unsaved)
  const asked: string[] = []
  recordsPage.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await recordsPage.reload()
  expect(asked).toEqual(['beforeunload'])
  expect(await readForm(recordsPage)).toEqual(emptyForm)
})

test('what was left and can’t be read is told; the page works on, and logs out', async ({
  page,
  recordsPage,
}) => {
  await failWrites(recordsPage, 507)
  await fillForm(recordsPage, unsaved)
  await submit(recordsPage)
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await recordsPage.unroute('**/api/collections/**')
  await waitUntilStored(recordsPage, 1)
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken'))
      IDBObjectStore.prototype.getAll = () => {
        throw new DOMException('unreadable', 'UnknownError')
      }
  })
  await recordsPage.evaluate(() => sessionStorage.setItem('broken', 'yes'))
  await recordsPage.reload()
  await expect(recordsPage.getByRole('alert')).toContainText(
    'What you may have left unsaved can’t be read now.',
  )
  await addEmployee(recordsPage, ada)
  await recordsPage.evaluate(() => sessionStorage.removeItem('broken'))
  await recordsPage.reload()
  await expect(outboxEntry(recordsPage, 'Not saved: Lost Soul')).toBeVisible()
  await recordsPage.evaluate(() => sessionStorage.setItem('broken', 'yes'))
  await recordsPage.reload()
  await recordsPage.getByRole('button', { name: 'Logout' }).click()
  await expect(recordsPage).toHaveURL('/')
})

/** Waits until so many things are in the vault, besides its key, and nothing more is written to it. */
async function waitUntilStored(page: Page, entryCount: number) {
  const isSettled = async () => {
    const { rows, text } = await dumpStorage(page)
    await page.waitForTimeout(1000)
    return rows === entryCount + 1 && text === (await dumpStorage(page)).text
  }
  await expect.poll(isSettled).toBe(true)
}

/** Everything this origin has stored, as text: local and session storage, and every row of every database. */
function dumpStorage(page: Page): Promise<{ rows: number; text: string }> {
  return page.evaluate(async () => {
    const requestResult = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const values: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await requestResult(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        values.push(...(await requestResult(objects.getAll())))
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
