// What a hurried hand does: presses twice, cancels, loses sight of what was done. Nothing of it may cost a record.
import type { Page } from '@playwright/test'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
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
  outboxList,
  readForm,
  rowOf,
  rows,
  test,
} from '../support/e2e/fixture.ts'

const nameField = (page: Page) => form(page).getByLabel('Employee Name')
const toast = (page: Page) =>
  page
    .getByRole('status')
    .filter({ has: page.locator('p') })
    .last()
const deleteButton = (page: Page, eName: string) =>
  page.getByRole('button', { name: `Delete ${eName}`, exact: true })

async function openWithEmployees(page: Page, employees = [ada, grace, alan]) {
  await createEmployees(page, employees)
  await expect(page.getByText(employees.length.toString(), { exact: true }).first()).toBeVisible()
}

async function rejectMethod(page: Page, method: string) {
  await page.route('**/api/collections/**', (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 507, json: { code: 'storage-full', message: 'The disk is full.' } })
      : route.fallback(),
  )
}

test('delete: a double press on Delete deletes one record, whatever slides under the pointer', async ({
  recordsPage,
}) => {
  await openWithEmployees(recordsPage, makeEmployees(8))
  await deleteButton(recordsPage, 'Person 4').dblclick()
  await expect(outboxList(recordsPage)).toContainText('Deleted Person 4')
  await recordsPage.waitForTimeout(600)
  await expect(rows(recordsPage)).toHaveCount(7)
  await expect(outboxList(recordsPage).getByRole('listitem')).toHaveCount(1)
})

test('delete: a press that meets rows which have just moved deletes nothing; a moment later it does', async ({
  recordsPage,
}) => {
  await openWithEmployees(recordsPage, makeEmployees(6))
  await recordsPage.clock.install()
  await deleteButton(recordsPage, 'Person 0').hover()
  await recordsPage.clock.pauseAt(await recordsPage.evaluate(() => Date.now() + 1000))
  await deleteButton(recordsPage, 'Person 1').click()
  await expect(rows(recordsPage)).toHaveCount(5)
  await deleteButton(recordsPage, 'Person 2').click()
  await recordsPage.clock.runFor(300)
  await deleteButton(recordsPage, 'Person 2').click()
  await recordsPage.clock.runFor(200)
  await expect(names(recordsPage)).toHaveText(['Person 0', 'Person 2', 'Person 3', 'Person 4', 'Person 5'])
  await deleteButton(recordsPage, 'Person 2').click()
  await expect(rows(recordsPage)).toHaveCount(4)
})

test('delete: where the strip is out of sight, Undo is at the foot of the page, until it is done', async ({
  recordsPage,
}) => {
  await recordsPage.setViewportSize({ width: 390, height: 700 })
  await openWithEmployees(recordsPage, makeEmployees(30))
  await rowOf(recordsPage, 'Person 25').scrollIntoViewIfNeeded()
  await deleteButton(recordsPage, 'Person 25').click()
  await expect(toast(recordsPage)).toContainText('Deleted Person 25')
  await recordsPage.waitForTimeout(5_500)
  await toast(recordsPage).getByRole('button', { name: 'Undo' }).focus()
  await recordsPage.keyboard.press('Enter')
  await expect(rowOf(recordsPage, 'Person 25')).toBeFocused()
  await expect(rowOf(recordsPage, 'Person 25')).toBeInViewport()
  await expect(recordsPage.getByText('Deleted Person 25')).toHaveCount(0)
})

test('delete: the notice at the foot goes when the strip has undone it, and can be dismissed', async ({
  recordsPage,
}) => {
  await openWithEmployees(recordsPage, makeEmployees(60))
  await rowOf(recordsPage, 'Person 25').scrollIntoViewIfNeeded()
  await deleteButton(recordsPage, 'Person 25').click()
  await expect(toast(recordsPage)).toContainText('Deleted Person 25')
  await outboxList(recordsPage).getByRole('button', { name: 'Undo' }).click()
  await expect(recordsPage.getByText('Deleted Person 25')).toHaveCount(0)
  await rowOf(recordsPage, 'Person 25').scrollIntoViewIfNeeded()
  await recordsPage.waitForTimeout(500)
  await deleteButton(recordsPage, 'Person 25').click()
  await toast(recordsPage).getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast(recordsPage)).toHaveCount(0)
  await expect(nameField(recordsPage)).toBeFocused()
})

test('nameless: a name of spaces is called “(no name)”, wherever one is said', async ({ recordsPage }) => {
  await openWithEmployees(recordsPage, [{ ...ada, eName: '  ' }])
  await expect(names(recordsPage)).toHaveText(['(no name)'])
  await recordsPage.getByRole('button', { name: 'Copy email of (no name)' }).click()
  await expect(toast(recordsPage)).toHaveText('Email of (no name) copied.')
  await form(recordsPage).getByLabel('Email', { exact: true }).fill(ada.email)
  await expect(form(recordsPage).getByRole('link', { name: '(no name)' })).toBeVisible()
  await deleteButton(recordsPage, '(no name)').click()
  await expect(outboxList(recordsPage)).toContainText('Deleted (no name)')
})

test('cancel: what was typed is put aside, and the focus goes back to the row', async ({ recordsPage }) => {
  await openWithEmployees(recordsPage)
  await recordsPage.getByRole('button', { name: `Edit ${grace.eName}` }).click()
  await nameField(recordsPage).fill('Grace Brewster Hopper')
  await form(recordsPage).getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(recordsPage, grace.eName)).toBeFocused()
  await outboxList(recordsPage)
    .getByRole('listitem')
    .filter({ hasText: 'Put aside: Grace Brewster Hopper' })
    .getByRole('button', { name: 'Edit' })
    .click()
  expect(await readForm(recordsPage)).toEqual({ ...grace, eName: 'Grace Brewster Hopper' })
})

test('focus: it stays in the strip while there is an entry, and goes to the name field after the last', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/507/)
  await openWithEmployees(recordsPage)
  await deleteButton(recordsPage, ada.eName).click()
  await expect(outboxList(recordsPage)).toContainText(`Deleted ${ada.eName}`)
  await rejectMethod(recordsPage, 'POST')
  await addWhileStorageFull(recordsPage)
  const entries = outboxList(recordsPage).getByRole('listitem')
  await entries.first().getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(recordsPage, ada.eName)).toBeFocused()
  await deleteButton(recordsPage, grace.eName).press('Enter')
  await expect(entries).toHaveCount(2)
  await entries.last().getByRole('button', { name: 'Dismiss' }).click()
  await expect(entries.first().getByRole('button', { name: 'Retry' })).toBeFocused()
  await recordsPage.keyboard.press('Enter')
  await expect(nameField(recordsPage)).toBeFocused()
  await entries.first().getByRole('button', { name: 'Discard' }).click()
  await expect(nameField(recordsPage)).toBeFocused()
})

async function addWhileStorageFull(page: Page) {
  await fillForm(page, { ...alan, eName: 'Lost' })
  await form(page).getByRole('button', { name: 'Submit' }).click()
  await expect(outboxList(page)).toContainText('Not saved: Lost')
}

test('focus: “Use theirs” puts it into the name field', async ({ recordsPage }) => {
  await openWithEmployees(recordsPage)
  await recordsPage.getByRole('button', { name: `Edit ${grace.eName}` }).click()
  const { documents } = await (await recordsPage.request.get('/api/collections/books')).json()
  const { id } = documents.find(({ eName }: typeof grace) => eName === grace.eName)
  await recordsPage.request.patch(`/api/collections/books/${id}`, { data: { ...grace, eName: 'Admiral' } })
  await form(recordsPage).getByRole('button', { name: 'Use theirs' }).click()
  await expect(nameField(recordsPage)).toBeFocused()
  await expect(nameField(recordsPage)).toHaveValue('Admiral')
})

test('focus: the account screens begin in the first field that is empty', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type('first@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a register of one’s own')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/signin')
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.keyboard.type('a register of one’s own')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/form')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByLabel('Email')).toBeFocused()
})

test('saved: where the new row is out of sight or hidden by the search it is said, with a way to it', async ({
  recordsPage,
}) => {
  await openWithEmployees(recordsPage, makeEmployees(60))
  await fillForm(recordsPage, ada)
  await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
  await expect(toast(recordsPage)).toContainText(`${ada.eName} is saved.`)
  await toast(recordsPage).getByRole('button', { name: 'Show' }).click()
  await expect(rowOf(recordsPage, ada.eName)).toBeFocused()
  await expect(rowOf(recordsPage, ada.eName)).toBeInViewport()
  await recordsPage.getByRole('searchbox').fill('person 1')
  await expect(rowOf(recordsPage, ada.eName)).toHaveCount(0)
  await fillForm(recordsPage, grace)
  await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
  await toast(recordsPage)
    .filter({ hasText: `${grace.eName} is saved.` })
    .getByRole('button', { name: 'Show' })
    .click()
  await expect(rowOf(recordsPage, grace.eName)).toBeFocused()
})

test('saved: nothing is shown of what is seen, and after Update the focus is on the row', async ({
  recordsPage,
}) => {
  await addEmployee(recordsPage, ada)
  await expect(toast(recordsPage)).toHaveCount(0)
  await recordsPage.getByRole('button', { name: `Edit ${ada.eName}` }).click()
  await nameField(recordsPage).fill('Ada King')
  await form(recordsPage).getByRole('button', { name: 'Update' }).click()
  await expect(rowOf(recordsPage, 'Ada King')).toBeFocused()
  await expect(toast(recordsPage)).toHaveCount(0)
})

test('offline: what waits for the connection says so, and is no failure', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load/)
  await openWithEmployees(recordsPage)
  await fillForm(recordsPage, { ...ada, eName: 'Olga' })
  // Its hint is loaded with the first password.
  await expect(form(recordsPage).locator('[data-level]')).toBeVisible()
  await recordsPage.context().setOffline(true)
  await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
  const entry = outboxList(recordsPage).getByRole('listitem')
  await expect(entry).toContainText('Not saved: Olga. It is sent when the connection is back.')
  await expect(entry.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription(/^Not saved: Olga/)
  await recordsPage.context().setOffline(false)
  await expect(rowOf(recordsPage, 'Olga')).toBeVisible()
})

test('session: the way from an ended session to sign-in knows who one is, and offers no closed register', async ({
  recordsPage,
  expectedErrors,
}) => {
  expectedErrors.push(/401/)
  await recordsPage.request.delete('/api/identity/session')
  await recordsPage.getByRole('link', { name: 'Sign in again' }).click()
  await expect(recordsPage.getByText('Sign in again. What you typed is kept.')).toBeVisible()
  await expect(recordsPage.getByLabel('Email')).toHaveValue(account.email)
  await expect(recordsPage.getByLabel('Password')).toBeFocused()
  await expect(recordsPage.getByRole('link', { name: 'Open the register' })).toHaveCount(0)
})

test('import: rows put into the box by hand are there after Back, Esc and ✕, and gone once imported', async ({
  recordsPage,
}) => {
  const text = 'Ada Lovelace,ada@example.com,analytical\nNobody,nobody,x'
  const box = recordsPage.getByLabel('Or paste rows from a spreadsheet')
  const openImport = () => recordsPage.getByRole('button', { name: 'Import', exact: true }).click()
  await openImport()
  await box.fill(text)
  await recordsPage.getByRole('button', { name: 'Read these rows' }).click()
  await recordsPage.getByRole('button', { name: 'Back' }).click()
  await expect(box).toHaveValue(text)
  await recordsPage.keyboard.press('Escape')
  await openImport()
  await expect(box).toHaveValue(text)
  await recordsPage.getByRole('button', { name: 'Close' }).click()
  await openImport()
  await expect(box).toHaveValue(text)
  await recordsPage.getByRole('button', { name: 'Read these rows' }).click()
  await recordsPage.getByRole('button', { name: 'Import 1 record' }).click()
  await expect(recordsPage.getByText('1 new, 1 left out')).toBeVisible()
  await recordsPage.getByRole('button', { name: 'Done' }).click()
  await openImport()
  await expect(box).toHaveValue('')
})

test('width: at 768 px an email is whole, and a revealed password can be read to its end', async ({
  recordsPage,
}) => {
  const long = {
    eName: 'Long',
    email: 'a.rather.long.address@department.example',
    password: 'p4ss '.repeat(40),
  }
  await openWithEmployees(recordsPage, [ada, long])
  for (const width of [768, 1280, 320]) {
    await recordsPage.setViewportSize({ width, height: 800 })
    const text = rowOf(recordsPage, long.eName).locator(`[title="${long.email}"]`)
    if (width === 768) expect(await text.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0)
    await recordsPage.getByRole('button', { name: `Show password of ${long.eName}` }).click()
    const field = rowOf(recordsPage, long.eName).getByRole('textbox')
    expect(await field.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(1)
    const rest = await field.evaluate((e) => {
      const box = e.parentElement as HTMLElement
      box.scrollLeft = box.scrollWidth
      const eye = box.querySelector('[data-action=copy-password]') as HTMLElement
      return eye.getBoundingClientRect().left - e.getBoundingClientRect().right
    })
    expect(rest, `${width} px`).toBeGreaterThanOrEqual(-1)
    const [fade, room] = await field.evaluate((e) => {
      const copy = e.parentElement?.querySelector('[data-action=copy-password]') as HTMLElement
      const { width, backgroundImage } = getComputedStyle(copy, '::before')
      const fades = backgroundImage.includes('gradient') && getComputedStyle(copy).opacity === '1'
      return [fades ? Number.parseFloat(width) : 0, Number.parseFloat(getComputedStyle(e).paddingInlineEnd)]
    })
    expect(fade, `${width} px: what is cut fades`).toBeGreaterThanOrEqual(16)
    expect(room, `${width} px: the end of it does not`).toBeGreaterThanOrEqual(fade ?? 0)
    await recordsPage.getByRole('button', { name: `Show password of ${long.eName}` }).click()
  }
})
