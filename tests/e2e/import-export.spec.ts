import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  ada,
  alan,
  colleagueOf,
  expect,
  grace,
  names,
  row,
  rows,
  strip,
  test,
} from '../support/e2e/fixture.ts'
import { addMany } from '../support/e2e/people.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' })
const listed = (page: Page) => importDialog(page).getByRole('listitem')

/** Pastes onto the page, outside a field, as Ctrl+V does. */
async function paste(page: Page, text: string) {
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeAttached()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

async function chooseFile(page: Page, name: string, content: string | Buffer) {
  if (!(await importDialog(page).isVisible()))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  await importDialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
}

const importButton = (page: Page, name: string | RegExp) => importDialog(page).getByRole('button', { name })

async function importAll(page: Page) {
  await importButton(page, /^Import \d/).click()
  const done = page.getByRole('dialog', { name: 'Imported' })
  await done.getByRole('button', { name: 'Done' }).click()
  await expect(done).toBeHidden()
}

async function stored(page: Page) {
  const { documents } = await (await page.request.get('/api/collections/books')).json()
  return documents.map(({ eName, email, password }: typeof ada) => ({ eName, email, password }))
}

test('import: rows pasted on the page are shown with what they would do, and imported', async ({
  register,
}) => {
  await addMany(register, [ada])
  await expect(rows(register)).toHaveCount(1)
  await paste(
    register,
    `Name\tEmail\tPassword\nAda King\tADA@example.com\t\nGrace Hopper\tgrace@example.com\tnanoseconds\n\tnobody\tx`,
  )
  await expect(listed(register)).toHaveText([
    /Row 2.*Changed.*Ada King.*was Ada Lovelace/,
    /Row 3.*New.*Grace Hopper/,
    /Row 4.*Wrong.*The name is missing/,
  ])
  await expect(importDialog(register)).not.toContainText('nanoseconds')
  expect(await stored(register)).toEqual([ada])
  await importAll(register)
  await expect(names(register)).toHaveText(['Ada King', 'Grace Hopper'])
  expect(await stored(register)).toEqual([{ ...ada, eName: 'Ada King' }, grace])
})

test('import: a file with other columns in another order; the person matches what was not recognised', async ({
  register,
}) => {
  await chooseFile(
    register,
    'people.csv',
    'Secret;Dept;E-Mail;Person\nbombe;Maths;alan@example.com;Alan Turing\n',
  )
  await expect(listed(register)).toHaveText([/Wrong.*The password is missing/])
  await expect(importButton(register, 'Nothing to import')).toBeDisabled()
  await importDialog(register).getByLabel('Password').selectOption('Secret')
  await expect(listed(register)).toHaveText([/New.*Alan Turing/])
  await importAll(register)
  expect(await stored(register)).toEqual([alan])
})

test('import: a Windows-1252 file keeps its letters, and it is said how it was read', async ({
  register,
}) => {
  await chooseFile(
    register,
    'windows.csv',
    Buffer.from('Name;Email;Passwort\r\nZoë Müller;zoe@example.com;größer\r\n', 'latin1'),
  )
  await expect(importDialog(register).getByText('read as windows-1252')).toBeVisible()
  await importAll(register)
  await expect(names(register)).toHaveText(['Zoë Müller'])
  expect(await stored(register)).toEqual([
    { eName: 'Zoë Müller', email: 'zoe@example.com', password: 'größer' },
  ])
})

test('import: rows are listed by kind, and a missing column or an empty cell wipes nothing', async ({
  register,
}) => {
  await addMany(register, [ada, grace])
  await chooseFile(
    register,
    'some.csv',
    `email,name\nada@example.com,\ngrace@example.com,Admiral Hopper\nnew@example.com,Somebody\n`,
  )
  await expect(listed(register)).toHaveCount(3)
  await importDialog(register).getByText('Wrong 1').click()
  await expect(listed(register)).toHaveText([/Somebody.*The password is missing/])
  await importDialog(register).getByText('Same 1').click()
  await expect(listed(register)).toHaveText([/ada@example.com/])
  await importAll(register)
  expect(await stored(register)).toEqual([ada, { ...grace, eName: 'Admiral Hopper' }])
})

test('import: what can’t be read is said in the dialog, which stays open', async ({ register }) => {
  await chooseFile(register, 'book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))
  await expect(
    importDialog(register).getByRole('alert').filter({ hasText: 'save its sheet as CSV' }),
  ).toBeVisible()
  await chooseFile(register, 'empty.csv', ' \n\n')
  await expect(
    importDialog(register).getByRole('alert').filter({ hasText: 'There are no rows in it.' }),
  ).toBeVisible()
  await register.keyboard.press('Escape')
  await expect(importDialog(register)).toBeHidden()
  await expect(register.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
})

test('import: undo takes all of it back, also after a reload, and leaves what a colleague changed', async ({
  register,
  baseURL,
}) => {
  await addMany(register, [ada, grace])
  await expect(rows(register)).toHaveCount(2)
  await chooseFile(
    register,
    'all.csv',
    'name,email,password\nAda King,ada@example.com,\nAdmiral,grace@example.com,\nAlan Turing,alan@example.com,bombe\n',
  )
  await importAll(register)
  await expect(strip(register)).toContainText('Imported: 1 new, 2 changed.')

  const colleague = await colleagueOf(register, baseURL)
  await expect(names(colleague)).toHaveText(['Ada King', 'Admiral', 'Alan Turing'])
  await row(colleague, 'Admiral').getByRole('button', { name: 'Edit Admiral' }).click()
  await colleague.getByLabel('Employee Name').fill('Rear Admiral')
  await colleague.getByRole('button', { name: 'Update' }).click()
  await expect(row(register, 'Rear Admiral')).toBeVisible()

  await register.reload()
  await strip(register).getByRole('button', { name: 'Undo import' }).click()
  await expect(strip(register)).toContainText('The import is undone.')
  await expect(strip(register)).toContainText('someone has changed them meanwhile: 1 record')
  await expect(names(register)).toHaveText(['Ada Lovelace', 'Rear Admiral'])
  await expect(names(colleague)).toHaveText(['Ada Lovelace', 'Rear Admiral'])
  expect(await stored(register)).toEqual([ada, { ...grace, eName: 'Rear Admiral' }])
  await colleague.context().close()
})

test('export and import again: exact, safe in a spreadsheet, passwords only when ticked', async ({
  register,
}) => {
  const delicate = [
    { eName: '=HYPERLINK("http://x")', email: '+a@example.com', password: '@cmd|"x",\r\n-1' },
    { eName: ' Zoë "Z" Müller 👩‍💻', email: 'zoe@example.com', password: "'=1; \t" },
  ]
  await addMany(register, delicate)
  await expect(rows(register)).toHaveCount(2)

  async function exported(withPasswords: boolean) {
    await register.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = register.getByRole('dialog', { name: 'Export' })
    if (withPasswords) await dialog.getByLabel('With passwords').check()
    const download = register.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export 2 records' }).click()
    return readFile(await (await download).path())
  }
  const bare = String(await exported(false))
  expect(bare).toMatch(/^\ufeff"Employee Name","Email"\r\n"'=HYPERLINK/)
  expect(bare).not.toContain('cmd')
  const file = await exported(true)
  expect(String(file)).toContain(`"'@cmd|""x"",`)

  await chooseFile(register, 'employees.csv', file)
  await expect(importDialog(register).getByText('Same 2')).toBeVisible()
  await expect(importButton(register, 'Nothing to import')).toBeDisabled()
  await register.keyboard.press('Escape')
  for (const { eName } of delicate)
    await row(register, eName).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(rows(register)).toHaveCount(0)
  await chooseFile(register, 'employees.csv', file)
  await importAll(register)
  expect(await stored(register)).toEqual(delicate)
})

test('export: it opens on its first choice, not on the way out', async ({ register }) => {
  await addMany(register, [ada, alan])
  await register.getByRole('button', { name: 'Export' }).click()
  await expect(register.getByLabel('With passwords')).toBeFocused()
  await register.keyboard.press('Escape')
  await register.getByRole('searchbox').fill('ada')
  await expect(rows(register)).toHaveCount(1)
  await register.getByRole('button', { name: 'Export' }).click()
  await expect(register.getByLabel('What the search shows (1)')).toBeFocused()
})

test('export: what the search shows, where something is searched for', async ({ register }) => {
  await addMany(register, [ada, grace, alan])
  await register.getByRole('searchbox').fill('grace')
  await expect(rows(register)).toHaveCount(1)
  await register.getByRole('button', { name: 'Export', exact: true }).click()
  const download = register.waitForEvent('download')
  await register.getByRole('button', { name: 'Export 1 record' }).click()
  expect(String(await readFile(await (await download).path()))).toBe(
    '\ufeff"Employee Name","Email"\r\n"Grace Hopper","grace@example.com"\r\n',
  )
})

test('import: a file dropped anywhere on the page opens the dialog with it', async ({ register }) => {
  await expect(register.getByRole('button', { name: 'Import', exact: true })).toBeAttached()
  await register.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['name,email,password\nAda,ada@example.com,x\n'], 'dropped.csv'))
    const options = { dataTransfer, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new DragEvent('dragover', options))
  })
  await expect(register.getByText('Drop to import')).toBeVisible()
  await register.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['name,email,password\nAda,ada@example.com,x\n'], 'dropped.csv'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(importDialog(register).getByText('dropped.csv')).toBeVisible()
  await expect(listed(register)).toHaveText([/New.*Ada/])
})

test('import: by keyboard alone, from the button to the record', async ({ register }) => {
  await register.getByRole('button', { name: 'Import', exact: true }).focus()
  await register.keyboard.press('Enter')
  const field = importDialog(register).getByLabel('Or paste rows')
  await expect(field).toBeVisible()
  await field.focus()
  await register.keyboard.type('Ada;ada@example.com;engine')
  await register.keyboard.press('Tab')
  await register.keyboard.press('Enter')
  await expect(listed(register)).toHaveText([/New.*Ada/])
  while (
    !(await importButton(register, 'Import 1 record').evaluate((button) => button === document.activeElement))
  ) {
    await register.keyboard.press('Tab')
  }
  await register.keyboard.press('Enter')
  await expect(register.getByRole('dialog', { name: 'Imported' })).toContainText('1 new')
  await register.keyboard.press('Escape')
  await expect(names(register)).toHaveText(['Ada'])
  await expect(register.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
})

test('import: the preview follows what a colleague does meanwhile, and writes nothing over', async ({
  register,
  baseURL,
}) => {
  await addMany(register, [ada])
  await expect(rows(register)).toHaveCount(1)
  await chooseFile(
    register,
    'two.csv',
    'name,email,password\nAda King,ada@example.com,\nGrace Hopper,grace@example.com,nanoseconds\n',
  )
  await expect(listed(register)).toHaveText([/Changed/, /New/])
  const colleague = await colleagueOf(register, baseURL)
  await addMany(colleague, [grace])
  await expect(listed(register)).toHaveText([/Changed/, /Same/])
  await row(colleague, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await colleague.getByLabel('Employee Name').fill('Ada King')
  await colleague.getByRole('button', { name: 'Update' }).click()
  await expect(listed(register)).toHaveText([/Same/, /Same/])
  await expect(importButton(register, 'Nothing to import')).toBeDisabled()
  await colleague.context().close()
})

test('import: what is pasted into a field, and a word pasted outside one, is no import', async ({
  register,
}) => {
  await register.getByLabel('Employee Name').focus()
  await register.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Ada\tada@example.com')
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  })
  await paste(register, 'Ada')
  await paste(register, 'Ada\tada@example.com\tengine')
  await expect(listed(register)).toHaveCount(1)
})

test('import: the same rows can be pasted again, into the dialog too', async ({ register }) => {
  await paste(register, 'Ada\tada@example.com\tengine')
  await expect(listed(register)).toHaveCount(1)
  await importButton(register, 'Back').click()
  await expect(listed(register)).toHaveCount(0)
  await paste(register, 'Ada\tada@example.com\tengine')
  await expect(listed(register)).toHaveText([/New.*Ada/])
})

test('import: pressed twice, it is imported once', async ({ register }) => {
  await paste(register, 'Ada\tada@example.com\tengine')
  await importButton(register, 'Import 1 record').evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(register.getByRole('dialog', { name: 'Imported' })).toContainText('1 new')
  expect(await stored(register)).toHaveLength(1)
})

test('import: its code, and papaparse, are loaded when they are wanted and not before', async ({
  register,
}) => {
  const scripts = () =>
    register.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /import-dialog|papaparse|export-dialog/.test(name)),
    )
  expect(await scripts()).toEqual([])
  await paste(register, 'Ada\tada@example.com\tengine')
  await expect(listed(register)).toHaveCount(1)
  expect((await scripts()).filter((name) => name.includes('papaparse'))).toHaveLength(1)
})
