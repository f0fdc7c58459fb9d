import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createEmployees } from '../support/e2e/employees.ts'
import {
  ada,
  alan,
  expect,
  grace,
  names,
  openColleaguePage,
  outboxList,
  rowOf,
  rows,
  test,
} from '../support/e2e/fixture.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' })
const listedRows = (page: Page) => importDialog(page).getByRole('listitem')

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

async function confirmImport(page: Page) {
  await importButton(page, /^Import \d/).click()
  const done = page.getByRole('dialog', { name: 'Imported' })
  await done.getByRole('button', { name: 'Done' }).click()
  await expect(done).toBeHidden()
}

async function fetchStoredEmployees(page: Page) {
  const { documents } = await (await page.request.get('/api/collections/books')).json()
  return documents.map(({ eName, email, password }: typeof ada) => ({ eName, email, password }))
}

test('import: rows pasted on the page are shown with what they would do, and imported', async ({
  recordsPage,
}) => {
  await createEmployees(recordsPage, [ada])
  await expect(rows(recordsPage)).toHaveCount(1)
  await paste(
    recordsPage,
    `Name\tEmail\tPassword\nAda King\tADA@example.com\t\nGrace Hopper\tgrace@example.com\tnanoseconds\n\tnobody\tx`,
  )
  await expect(listedRows(recordsPage)).toHaveText([
    /Row 2.*Changed.*Ada King.*was Ada Lovelace/,
    /Row 3.*New.*Grace Hopper/,
    /Row 4.*Wrong.*The name is missing/,
  ])
  await expect(importDialog(recordsPage)).not.toContainText('nanoseconds')
  expect(await fetchStoredEmployees(recordsPage)).toEqual([ada])
  await confirmImport(recordsPage)
  await expect(names(recordsPage)).toHaveText(['Ada King', 'Grace Hopper'])
  expect(await fetchStoredEmployees(recordsPage)).toEqual([{ ...ada, eName: 'Ada King' }, grace])
})

test('import: a file with other columns in another order; the person matches what was not recognised', async ({
  recordsPage,
}) => {
  await chooseFile(
    recordsPage,
    'people.csv',
    'Secret;Dept;E-Mail;Person\nbombe;Maths;alan@example.com;Alan Turing\n',
  )
  await expect(listedRows(recordsPage)).toHaveText([/Wrong.*The password is missing/])
  await expect(importButton(recordsPage, 'Nothing to import')).toBeDisabled()
  await importDialog(recordsPage).getByLabel('Password').selectOption('Secret')
  await expect(listedRows(recordsPage)).toHaveText([/New.*Alan Turing/])
  await confirmImport(recordsPage)
  expect(await fetchStoredEmployees(recordsPage)).toEqual([alan])
})

test('import: a Windows-1252 file keeps its letters, and it is said how it was read', async ({
  recordsPage,
}) => {
  await chooseFile(
    recordsPage,
    'windows.csv',
    Buffer.from('Name;Email;Passwort\r\nZoë Müller;zoe@example.com;größer\r\n', 'latin1'),
  )
  await expect(importDialog(recordsPage).getByText('read as windows-1252')).toBeVisible()
  await confirmImport(recordsPage)
  await expect(names(recordsPage)).toHaveText(['Zoë Müller'])
  expect(await fetchStoredEmployees(recordsPage)).toEqual([
    { eName: 'Zoë Müller', email: 'zoe@example.com', password: 'größer' },
  ])
})

test('import: rows are listed by kind, and a missing column or an empty cell wipes nothing', async ({
  recordsPage,
}) => {
  await createEmployees(recordsPage, [ada, grace])
  await chooseFile(
    recordsPage,
    'some.csv',
    `email,name\nada@example.com,\ngrace@example.com,Admiral Hopper\nnew@example.com,Somebody\n`,
  )
  await expect(listedRows(recordsPage)).toHaveCount(3)
  await importDialog(recordsPage).getByText('Wrong 1').click()
  await expect(listedRows(recordsPage)).toHaveText([/Somebody.*The password is missing/])
  await importDialog(recordsPage).getByText('Same 1').click()
  await expect(listedRows(recordsPage)).toHaveText([/ada@example.com/])
  await confirmImport(recordsPage)
  expect(await fetchStoredEmployees(recordsPage)).toEqual([ada, { ...grace, eName: 'Admiral Hopper' }])
})

test('import: what can’t be read is said in the dialog, which stays open', async ({ recordsPage }) => {
  await chooseFile(recordsPage, 'book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))
  await expect(
    importDialog(recordsPage).getByRole('alert').filter({ hasText: 'save its sheet as CSV' }),
  ).toBeVisible()
  await chooseFile(recordsPage, 'empty.csv', ' \n\n')
  await expect(
    importDialog(recordsPage).getByRole('alert').filter({ hasText: 'There are no rows in it.' }),
  ).toBeVisible()
  await recordsPage.keyboard.press('Escape')
  await expect(importDialog(recordsPage)).toBeHidden()
  await expect(recordsPage.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
})

test('import: undo takes all of it back, also after a reload, and leaves what a colleague changed', async ({
  recordsPage,
  baseURL,
}) => {
  await createEmployees(recordsPage, [ada, grace])
  await expect(rows(recordsPage)).toHaveCount(2)
  await chooseFile(
    recordsPage,
    'all.csv',
    'name,email,password\nAda King,ada@example.com,\nAdmiral,grace@example.com,\nAlan Turing,alan@example.com,bombe\n',
  )
  await confirmImport(recordsPage)
  await expect(outboxList(recordsPage)).toContainText('Imported: 1 new, 2 changed.')

  const colleague = await openColleaguePage(recordsPage, baseURL)
  await expect(names(colleague)).toHaveText(['Ada King', 'Admiral', 'Alan Turing'])
  await rowOf(colleague, 'Admiral').getByRole('button', { name: 'Edit Admiral' }).click()
  await colleague.getByLabel('Employee Name').fill('Rear Admiral')
  await colleague.getByRole('button', { name: 'Update' }).click()
  await expect(rowOf(recordsPage, 'Rear Admiral')).toBeVisible()

  await recordsPage.reload()
  await outboxList(recordsPage).getByRole('button', { name: 'Undo import' }).click()
  await expect(outboxList(recordsPage)).toContainText('The import is undone.')
  await expect(outboxList(recordsPage)).toContainText('someone has changed them meanwhile: 1 record')
  await expect(names(recordsPage)).toHaveText(['Ada Lovelace', 'Rear Admiral'])
  await expect(names(colleague)).toHaveText(['Ada Lovelace', 'Rear Admiral'])
  expect(await fetchStoredEmployees(recordsPage)).toEqual([ada, { ...grace, eName: 'Rear Admiral' }])
  await colleague.context().close()
})

test('export and import again: exact, safe in a spreadsheet, passwords only when ticked', async ({
  recordsPage,
}) => {
  const specialCases = [
    { eName: '=HYPERLINK("http://x")', email: '+a@example.com', password: '@cmd|"x",\r\n-1' },
    { eName: ' Zoë "Z" Müller 👩‍💻', email: 'zoe@example.com', password: "'=1; \t" },
  ]
  await createEmployees(recordsPage, specialCases)
  await expect(rows(recordsPage)).toHaveCount(2)

  async function exported(withPasswords: boolean) {
    await recordsPage.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = recordsPage.getByRole('dialog', { name: 'Export' })
    if (withPasswords) await dialog.getByLabel('With passwords').check()
    const download = recordsPage.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export 2 records' }).click()
    return readFile(await (await download).path())
  }
  const bare = String(await exported(false))
  expect(bare).toMatch(/^\ufeff"Employee Name","Email"\r\n"'=HYPERLINK/)
  expect(bare).not.toContain('cmd')
  const file = await exported(true)
  expect(String(file)).toContain(`"'@cmd|""x"",`)

  await chooseFile(recordsPage, 'employees.csv', file)
  await expect(importDialog(recordsPage).getByText('Same 2')).toBeVisible()
  await expect(importButton(recordsPage, 'Nothing to import')).toBeDisabled()
  await recordsPage.keyboard.press('Escape')
  for (const { eName } of specialCases)
    await rowOf(recordsPage, eName).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(rows(recordsPage)).toHaveCount(0)
  await chooseFile(recordsPage, 'employees.csv', file)
  await confirmImport(recordsPage)
  expect(await fetchStoredEmployees(recordsPage)).toEqual(specialCases)
})

test('export: it opens on its first choice, not on the way out', async ({ recordsPage }) => {
  await createEmployees(recordsPage, [ada, alan])
  await recordsPage.getByRole('button', { name: 'Export' }).click()
  await expect(recordsPage.getByLabel('With passwords')).toBeFocused()
  await recordsPage.keyboard.press('Escape')
  await recordsPage.getByRole('searchbox').fill('ada')
  await expect(rows(recordsPage)).toHaveCount(1)
  await recordsPage.getByRole('button', { name: 'Export' }).click()
  await expect(recordsPage.getByLabel('What the search shows (1)')).toBeFocused()
})

test('export: what the search shows, where something is searched for', async ({ recordsPage }) => {
  await createEmployees(recordsPage, [ada, grace, alan])
  await recordsPage.getByRole('searchbox').fill('grace')
  await expect(rows(recordsPage)).toHaveCount(1)
  await recordsPage.getByRole('button', { name: 'Export', exact: true }).click()
  const download = recordsPage.waitForEvent('download')
  await recordsPage.getByRole('button', { name: 'Export 1 record' }).click()
  expect(String(await readFile(await (await download).path()))).toBe(
    '\ufeff"Employee Name","Email"\r\n"Grace Hopper","grace@example.com"\r\n',
  )
})

test('import: a file dropped anywhere on the page opens the dialog with it', async ({ recordsPage }) => {
  await expect(recordsPage.getByRole('button', { name: 'Import', exact: true })).toBeAttached()
  await recordsPage.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['name,email,password\nAda,ada@example.com,x\n'], 'dropped.csv'))
    const options = { dataTransfer, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new DragEvent('dragover', options))
  })
  await expect(recordsPage.getByText('Drop to import')).toBeVisible()
  await recordsPage.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['name,email,password\nAda,ada@example.com,x\n'], 'dropped.csv'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(importDialog(recordsPage).getByText('dropped.csv')).toBeVisible()
  await expect(listedRows(recordsPage)).toHaveText([/New.*Ada/])
})

test('import: by keyboard alone, from the button to the record', async ({ recordsPage }) => {
  await recordsPage.getByRole('button', { name: 'Import', exact: true }).focus()
  await recordsPage.keyboard.press('Enter')
  const field = importDialog(recordsPage).getByLabel('Or paste rows')
  await expect(field).toBeVisible()
  await field.focus()
  await recordsPage.keyboard.type('Ada;ada@example.com;engine')
  await recordsPage.keyboard.press('Tab')
  await recordsPage.keyboard.press('Enter')
  await expect(listedRows(recordsPage)).toHaveText([/New.*Ada/])
  while (
    !(await importButton(recordsPage, 'Import 1 record').evaluate(
      (button) => button === document.activeElement,
    ))
  ) {
    await recordsPage.keyboard.press('Tab')
  }
  await recordsPage.keyboard.press('Enter')
  await expect(recordsPage.getByRole('dialog', { name: 'Imported' })).toContainText('1 new')
  await recordsPage.keyboard.press('Escape')
  await expect(names(recordsPage)).toHaveText(['Ada'])
  await expect(recordsPage.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
})

test('import: the preview follows what a colleague does meanwhile, and writes nothing over', async ({
  recordsPage,
  baseURL,
}) => {
  await createEmployees(recordsPage, [ada])
  await expect(rows(recordsPage)).toHaveCount(1)
  await chooseFile(
    recordsPage,
    'two.csv',
    'name,email,password\nAda King,ada@example.com,\nGrace Hopper,grace@example.com,nanoseconds\n',
  )
  await expect(listedRows(recordsPage)).toHaveText([/Changed/, /New/])
  const colleague = await openColleaguePage(recordsPage, baseURL)
  await createEmployees(colleague, [grace])
  await expect(listedRows(recordsPage)).toHaveText([/Changed/, /Same/])
  await rowOf(colleague, ada.eName).getByRole('button', { name: 'Edit' }).click()
  await colleague.getByLabel('Employee Name').fill('Ada King')
  await colleague.getByRole('button', { name: 'Update' }).click()
  await expect(listedRows(recordsPage)).toHaveText([/Same/, /Same/])
  await expect(importButton(recordsPage, 'Nothing to import')).toBeDisabled()
  await colleague.context().close()
})

test('import: what is pasted into a field, and a word pasted outside one, is no import', async ({
  recordsPage,
}) => {
  await recordsPage.getByLabel('Employee Name').focus()
  await recordsPage.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Ada\tada@example.com')
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  })
  await paste(recordsPage, 'Ada')
  await paste(recordsPage, 'Ada\tada@example.com\tengine')
  await expect(listedRows(recordsPage)).toHaveCount(1)
})

test('import: the same rows can be pasted again, into the dialog too', async ({ recordsPage }) => {
  await paste(recordsPage, 'Ada\tada@example.com\tengine')
  await expect(listedRows(recordsPage)).toHaveCount(1)
  await importButton(recordsPage, 'Back').click()
  await expect(listedRows(recordsPage)).toHaveCount(0)
  await paste(recordsPage, 'Ada\tada@example.com\tengine')
  await expect(listedRows(recordsPage)).toHaveText([/New.*Ada/])
})

test('import: pressed twice, it is imported once', async ({ recordsPage }) => {
  await paste(recordsPage, 'Ada\tada@example.com\tengine')
  await importButton(recordsPage, 'Import 1 record').evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(recordsPage.getByRole('dialog', { name: 'Imported' })).toContainText('1 new')
  expect(await fetchStoredEmployees(recordsPage)).toHaveLength(1)
})

test('import: its code, and papaparse, are loaded when they are wanted and not before', async ({
  recordsPage,
}) => {
  const scripts = () =>
    recordsPage.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /import-dialog|papaparse|export-dialog/.test(name)),
    )
  expect(await scripts()).toEqual([])
  await paste(recordsPage, 'Ada\tada@example.com\tengine')
  await expect(listedRows(recordsPage)).toHaveCount(1)
  expect((await scripts()).filter((name) => name.includes('papaparse'))).toHaveLength(1)
})
