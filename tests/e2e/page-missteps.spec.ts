// What a hurried hand does: presses twice, cancels, loses sight of what was done. Nothing of it may cost a record.
import type { Page } from '@playwright/test'
import {
  account,
  ada,
  add,
  alan,
  expect,
  fill,
  form,
  grace,
  names,
  row,
  rows,
  strip,
  test,
  typed,
} from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

const nameField = (page: Page) => form(page).getByLabel('Employee Name')
const foot = (page: Page) =>
  page
    .getByRole('status')
    .filter({ has: page.locator('p') })
    .last()
const deleteButton = (page: Page, eName: string) =>
  page.getByRole('button', { name: `Delete ${eName}`, exact: true })

async function open(page: Page, employees = [ada, grace, alan]) {
  await addMany(page, employees)
  await expect(page.getByText(employees.length.toString(), { exact: true }).first()).toBeVisible()
}

async function refuse(page: Page, method: string) {
  await page.route('**/api/collections/**', (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 507, json: { code: 'storage-full', message: 'The disk is full.' } })
      : route.fallback(),
  )
}

test('delete: a double press on Delete deletes one record, whatever slides under the pointer', async ({
  register,
}) => {
  await open(register, people(8))
  await deleteButton(register, 'Person 4').dblclick()
  await expect(strip(register)).toContainText('Deleted Person 4')
  await register.waitForTimeout(600)
  await expect(rows(register)).toHaveCount(7)
  await expect(strip(register).getByRole('listitem')).toHaveCount(1)
})

test('delete: a press that meets rows which have just moved deletes nothing; a moment later it does', async ({
  register,
}) => {
  await open(register, people(6))
  await register.clock.install()
  await deleteButton(register, 'Person 0').hover()
  await register.clock.pauseAt(await register.evaluate(() => Date.now() + 1000))
  await deleteButton(register, 'Person 1').click()
  await expect(rows(register)).toHaveCount(5)
  await deleteButton(register, 'Person 2').click()
  await register.clock.runFor(300)
  await deleteButton(register, 'Person 2').click()
  await register.clock.runFor(200)
  await expect(names(register)).toHaveText(['Person 0', 'Person 2', 'Person 3', 'Person 4', 'Person 5'])
  await deleteButton(register, 'Person 2').click()
  await expect(rows(register)).toHaveCount(4)
})

test('delete: where the strip is out of sight, Undo is at the foot of the page, until it is done', async ({
  register,
}) => {
  await register.setViewportSize({ width: 390, height: 700 })
  await open(register, people(30))
  await row(register, 'Person 25').scrollIntoViewIfNeeded()
  await deleteButton(register, 'Person 25').click()
  await expect(foot(register)).toContainText('Deleted Person 25')
  await register.waitForTimeout(5_500)
  await foot(register).getByRole('button', { name: 'Undo' }).focus()
  await register.keyboard.press('Enter')
  await expect(row(register, 'Person 25')).toBeFocused()
  await expect(row(register, 'Person 25')).toBeInViewport()
  await expect(register.getByText('Deleted Person 25')).toHaveCount(0)
})

test('delete: the notice at the foot goes when the strip has undone it, and can be dismissed', async ({
  register,
}) => {
  await open(register, people(60))
  await row(register, 'Person 25').scrollIntoViewIfNeeded()
  await deleteButton(register, 'Person 25').click()
  await expect(foot(register)).toContainText('Deleted Person 25')
  await strip(register).getByRole('button', { name: 'Undo' }).click()
  await expect(register.getByText('Deleted Person 25')).toHaveCount(0)
  await row(register, 'Person 25').scrollIntoViewIfNeeded()
  await register.waitForTimeout(500)
  await deleteButton(register, 'Person 25').click()
  await foot(register).getByRole('button', { name: 'Dismiss' }).click()
  await expect(foot(register)).toHaveCount(0)
  await expect(nameField(register)).toBeFocused()
})

test('nameless: a name of spaces is called “(no name)”, wherever one is said', async ({ register }) => {
  await open(register, [{ ...ada, eName: '  ' }])
  await expect(names(register)).toHaveText(['(no name)'])
  await register.getByRole('button', { name: 'Copy email of (no name)' }).click()
  await expect(foot(register)).toHaveText('Email of (no name) copied.')
  await form(register).getByLabel('Email', { exact: true }).fill(ada.email)
  await expect(form(register).getByRole('link', { name: '(no name)' })).toBeVisible()
  await deleteButton(register, '(no name)').click()
  await expect(strip(register)).toContainText('Deleted (no name)')
})

test('cancel: what was typed is put aside, and the focus goes back to the row', async ({ register }) => {
  await open(register)
  await register.getByRole('button', { name: `Edit ${grace.eName}` }).click()
  await nameField(register).fill('Grace Brewster Hopper')
  await form(register).getByRole('button', { name: 'Cancel' }).click()
  await expect(row(register, grace.eName)).toBeFocused()
  await strip(register)
    .getByRole('listitem')
    .filter({ hasText: 'Put aside: Grace Brewster Hopper' })
    .getByRole('button', { name: 'Edit' })
    .click()
  expect(await typed(register)).toEqual({ ...grace, eName: 'Grace Brewster Hopper' })
})

test('focus: it stays in the strip while there is an entry, and goes to the name field after the last', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/507/)
  await open(register)
  await deleteButton(register, ada.eName).click()
  await expect(strip(register)).toContainText(`Deleted ${ada.eName}`)
  await refuse(register, 'POST')
  await add507(register)
  const entries = strip(register).getByRole('listitem')
  await entries.first().getByRole('button', { name: 'Undo' }).click()
  await expect(row(register, ada.eName)).toBeFocused()
  await deleteButton(register, grace.eName).press('Enter')
  await expect(entries).toHaveCount(2)
  await entries.last().getByRole('button', { name: 'Dismiss' }).click()
  await expect(entries.first().getByRole('button', { name: 'Retry' })).toBeFocused()
  await register.keyboard.press('Enter')
  await expect(nameField(register)).toBeFocused()
  await entries.first().getByRole('button', { name: 'Discard' }).click()
  await expect(nameField(register)).toBeFocused()
})

async function add507(page: Page) {
  await fill(page, { ...alan, eName: 'Lost' })
  await form(page).getByRole('button', { name: 'Submit' }).click()
  await expect(strip(page)).toContainText('Not saved: Lost')
}

test('focus: “Use theirs” puts it into the name field', async ({ register }) => {
  await open(register)
  await register.getByRole('button', { name: `Edit ${grace.eName}` }).click()
  const { documents } = await (await register.request.get('/api/collections/books')).json()
  const { id } = documents.find(({ eName }: typeof grace) => eName === grace.eName)
  await register.request.patch(`/api/collections/books/${id}`, { data: { ...grace, eName: 'Admiral' } })
  await form(register).getByRole('button', { name: 'Use theirs' }).click()
  await expect(nameField(register)).toBeFocused()
  await expect(nameField(register)).toHaveValue('Admiral')
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
  register,
}) => {
  await open(register, people(60))
  await fill(register, ada)
  await form(register).getByRole('button', { name: 'Submit' }).click()
  await expect(foot(register)).toContainText(`${ada.eName} is saved.`)
  await foot(register).getByRole('button', { name: 'Show' }).click()
  await expect(row(register, ada.eName)).toBeFocused()
  await expect(row(register, ada.eName)).toBeInViewport()
  await register.getByRole('searchbox').fill('person 1')
  await expect(row(register, ada.eName)).toHaveCount(0)
  await fill(register, grace)
  await form(register).getByRole('button', { name: 'Submit' }).click()
  await foot(register)
    .filter({ hasText: `${grace.eName} is saved.` })
    .getByRole('button', { name: 'Show' })
    .click()
  await expect(row(register, grace.eName)).toBeFocused()
})

test('saved: nothing is shown of what is seen, and after Update the focus is on the row', async ({
  register,
}) => {
  await add(register, ada)
  await expect(foot(register)).toHaveCount(0)
  await register.getByRole('button', { name: `Edit ${ada.eName}` }).click()
  await nameField(register).fill('Ada King')
  await form(register).getByRole('button', { name: 'Update' }).click()
  await expect(row(register, 'Ada King')).toBeFocused()
  await expect(foot(register)).toHaveCount(0)
})

test('offline: what waits for the connection says so, and is no failure', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load/)
  await open(register)
  await fill(register, { ...ada, eName: 'Olga' })
  // Its hint is loaded with the first password.
  await expect(form(register).locator('[data-level]')).toBeVisible()
  await register.context().setOffline(true)
  await form(register).getByRole('button', { name: 'Submit' }).click()
  const entry = strip(register).getByRole('listitem')
  await expect(entry).toContainText('Not saved: Olga. It is sent when the connection is back.')
  await expect(entry.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription(/^Not saved: Olga/)
  await register.context().setOffline(false)
  await expect(row(register, 'Olga')).toBeVisible()
})

test('session: the way from an ended session to sign-in knows who one is, and offers no closed register', async ({
  register,
  expectedErrors,
}) => {
  expectedErrors.push(/401/)
  await register.request.delete('/api/identity/session')
  await register.getByRole('link', { name: 'Sign in again' }).click()
  await expect(register.getByText('Sign in again. What you typed is kept.')).toBeVisible()
  await expect(register.getByLabel('Email')).toHaveValue(account.email)
  await expect(register.getByLabel('Password')).toBeFocused()
  await expect(register.getByRole('link', { name: 'Open the register' })).toHaveCount(0)
})

test('import: rows put into the box by hand are there after Back, Esc and ✕, and gone once imported', async ({
  register,
}) => {
  const text = 'Ada Lovelace,ada@example.com,analytical\nNobody,nobody,x'
  const box = register.getByLabel('Or paste rows from a spreadsheet')
  const openImport = () => register.getByRole('button', { name: 'Import', exact: true }).click()
  await openImport()
  await box.fill(text)
  await register.getByRole('button', { name: 'Read these rows' }).click()
  await register.getByRole('button', { name: 'Back' }).click()
  await expect(box).toHaveValue(text)
  await register.keyboard.press('Escape')
  await openImport()
  await expect(box).toHaveValue(text)
  await register.getByRole('button', { name: 'Close' }).click()
  await openImport()
  await expect(box).toHaveValue(text)
  await register.getByRole('button', { name: 'Read these rows' }).click()
  await register.getByRole('button', { name: 'Import 1 record' }).click()
  await expect(register.getByText('1 new, 1 left out')).toBeVisible()
  await register.getByRole('button', { name: 'Done' }).click()
  await openImport()
  await expect(box).toHaveValue('')
})

test('width: at 768 px an email is whole, and a revealed password can be read to its end', async ({
  register,
}) => {
  const long = {
    eName: 'Long',
    email: 'a.rather.long.address@department.example',
    password: 'p4ss '.repeat(40),
  }
  await open(register, [ada, long])
  for (const width of [768, 1280, 320]) {
    await register.setViewportSize({ width, height: 800 })
    const text = row(register, long.eName).locator(`[title="${long.email}"]`)
    if (width === 768) expect(await text.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0)
    await register.getByRole('button', { name: `Show password of ${long.eName}` }).click()
    const field = row(register, long.eName).getByRole('textbox')
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
    await register.getByRole('button', { name: `Show password of ${long.eName}` }).click()
  }
})
