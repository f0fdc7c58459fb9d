import { strToU8, zipSync } from 'fflate'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type EmployeeFields, fieldNames, fieldOf } from '../../contract/employees.ts'
import { openSource } from '../../web/records/features/import/source/open-source.ts'
import { writeWorkbook } from '../../web/records/model/spreadsheet/write-workbook.ts'
import { openEmergencyFile } from '../support/emergency-file.ts'
import { lockedVaults, slowVault } from '../support/locked-vaults.ts'
import { offlineError } from '../support/memory-services.ts'
import { ada, alan, grace, makeEmployees, named, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const importedRows = () => ui.dialog('Import').getByRole('listitem')
const importButton = (name: string | RegExp) => ui.dialog().getByRole('button', { name })
const expectProblem = (text: string) =>
  expect.element(ui.dialog().getByRole('alert').filter({ hasText: text })).toBeVisible()
const resultDialog = () => ui.dialog('Imported')
const column = (name: string) => ui.dialog().getByRole('combobox', { name, exact: true })
const pasteBox = () => page.getByLabelText('Or paste rows from a spreadsheet')

async function chooseFile(name: string, content: BlobPart) {
  if (ui.dialog().length === 0) await ui.button('Import').click()
  const file = new File([content], name, { type: 'text/csv' })
  await ui.dialog().getByCss('input[type=file]').upload(file)
}

const header = 'Name,Email,Password\n'
const toRow = (record: EmployeeFields) => Object.values(record).join('\t')
const pasteThree = () => ui.paste(makeEmployees(3).map(toRow).join('\n'))

async function confirmImport() {
  await importButton(/^Import \d/).click()
  await expect.element(resultDialog().getByRole('button', { name: 'Done' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(resultDialog()).not.toBeInTheDocument()
}

describe('the preview of an import', () => {
  test('shows what pasted rows would change, before anything is imported', { tags: 'main' }, async () => {
    const { stored } = await openRecords([ada])
    await ui.paste(`Name\tEmail\tPassword\nAda King\tADA@example.com\t\n${toRow(grace)}\n\tnobody\tx`)
    await ui.expectTexts(importedRows(), [
      /Row 2.*Changed.*Ada King.*was Ada Lovelace/,
      /Row 3.*New.*Grace Hopper/,
      /Row 4.*Can’t import.*The name is missing/,
    ])
    await expect.element(ui.dialog()).not.toMatchTextContent(grace.password)
    expect(stored()).toEqual([ada])
    await confirmImport()
    await ui.expectNames('Ada King', grace)
    expect(stored()).toEqual([renamed('Ada King'), grace])
  })

  test('lets the user choose the column of a field that was not recognised', { tags: 'main' }, async () => {
    const { stored } = await openRecords()
    await chooseFile('people.csv', 'Secret;Dept;E-Mail;Person\nbombe;Maths;alan@example.com;Alan Turing\n')
    await ui.expectTexts(importedRows(), [/Can’t import.*The password is missing/])
    await expect.element(importButton('Nothing to import')).toHaveAttribute('aria-disabled', 'true')
    await column('Password').selectOptions('Secret')
    await ui.expectTexts(importedRows(), [/New.*Alan Turing/])
    await confirmImport()
    expect(stored()).toEqual([alan])
  })

  test('marks the column that is missing, says so with it, and gives it the focus', async () => {
    await openRecords()
    await ui.paste('Wer\tWo\nAda Lovelace\tada at example.com\nGrace Hopper\tgrace at example.com')
    await chooseFile('people.csv', 'Wer;Wo;Was\nAda Lovelace;ada at example.com;a1\n')
    await expectProblem('Choose the column for “Email”.')
    await expect.element(column('Email')).toHaveFocus()
    await expect.element(column('Email')).toHaveAccessibleDescription('Choose the column for “Email”.')
    await expect.element(column('Email')).toHaveAttribute('aria-invalid', 'true')
    await expect.element(column('Name')).not.toHaveAttribute('aria-invalid')
    await column('Email').selectOptions('Column B')
    await expect.element(column('Email')).not.toHaveAttribute('aria-invalid')
    await expect.element(column('Password')).toHaveAttribute('aria-invalid', 'true')
    await expectProblem('Choose the column for “Password”')
  })

  test.each([
    ['Email,Phone\nada@example.com,1234\n', 'Name', 'Choose the column for “Name”.'],
    [
      'Name,Email,Phone\nAda,ada@example.com,1234\n',
      'Password',
      'Choose the column for “Password”, or generate one for each row.',
    ],
  ])('marks the column without which no row can be imported: %j', async (list, field, problem) => {
    await openRecords()
    await chooseFile('people.csv', list)
    await expectProblem(problem)
    await expect.element(column(field)).toHaveFocus()
    await expect.element(column(field)).toHaveAttribute('aria-invalid', 'true')
  })

  test('generates a password for each new record without one, and copies them for the hand-over', {
    tags: 'main',
  }, async () => {
    const { backend, stored } = await openRecords([ada])
    const rows = 'Ada King,ada@example.com\n"""Amazing"" Grace",grace@example.com\nAlan Turing,a@b.co\n'
    await chooseFile('staff.csv', `Name,Email\n${rows}`)
    await ui.dialog().getByText('2 rows have no password. Generate one for each.').click()
    await ui.expectTexts(importedRows(), [
      /Changed.*Ada King/,
      /New.*"Amazing" Grace.*password will be generated/,
      /New.*Alan Turing.*password will be generated/,
    ])
    await importButton('Import 3 records').click()
    await expect.element(resultDialog()).toMatchTextContent('2 passwords were generated.')
    await expect.element(resultDialog()).toMatchTextContent('2 records imported, 1 changed')
    await ui.expectTexts(resultDialog().getByRole('listitem'), [
      /Changed.*Ada King/,
      /New.*Grace.*password generated/,
      /New.*Alan.*password generated/,
    ])
    // The line at the bottom would say the same.
    await expect.element(page.getByText('2 records imported, 1 changed.')).not.toBeVisible()
    const [, ...added] = stored()
    for (const { password } of added) expect(password).toHaveLength(20)
    await resultDialog().getByRole('button', { name: 'Copy with passwords' }).click()
    await expect.element(resultDialog().getByText('Copied.')).toBeVisible()
    const lines = ['Employee Name\tEmail\tPassword', ...added.map(toRow)]
    const text = lines.join('\n').replace('"Amazing" Grace', '"""Amazing"" Grace"')
    expect(navigator.clipboard.writeText).toHaveBeenLastCalledWith(text)
    await expect.poll(() => backend.reports).toMatchObject([{ kind: 'export-passwords', count: 2 }])
    await userEvent.keyboard('{Escape}')
    await ui.paste(text)
    await ui.expectTexts(importedRows(), [/Unchanged.*Grace/, /Unchanged.*Alan/])
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText('2 records imported, 1 changed.')).toBeVisible()
    await ui.undoButton('Undo import').click()
    await ui.expectNames(ada)
    expect(stored()).toEqual([ada])
  })

  test('imports every row of a long list once and in its order, with a password for each', async () => {
    const { backend } = await openRecords()
    const emails = Array.from({ length: 12_000 }, (_, index) => `person${index}@example.com`)
    await chooseFile('staff.csv', `Name,Email\n${emails.map((email) => `Ada,${email}\n`).join('')}`)
    await ui.dialog().getByText('12,000 rows have no password. Generate one for each.').click()
    await importButton('Import 12,000 records').click()
    await expect.element(resultDialog()).toMatchTextContent('12,000 passwords were generated.')
    expect(backend.employees().map(({ email }) => email)).toEqual(emails)
    expect(new Set(backend.employees().map(({ password }) => password)).size).toBe(emails.length)
  })

  test('can be imported only when all records are loaded, so that none is added twice', async () => {
    const testPage = await openRecords([ada])
    const release = testPage.client.holdCalls(['list'])
    await testPage.reload()
    await ui.paste(toRow(ada))
    await expect.element(importButton('Import 1 record')).toHaveAttribute('aria-disabled', 'true')
    const message = ui.dialog().getByText('You can import as soon as all records are loaded.')
    await expect.element(message).toBeVisible()
    release()
    await ui.expectTexts(importedRows(), [/Unchanged.*Ada Lovelace/])
    await expect.element(message).not.toBeInTheDocument()
  })

  test('outlives Back, which closes it: Forward and the command open it with its choices', async () => {
    const { stored } = await openRecords([ada])
    const address = location.href
    await chooseFile('people.csv', 'Secret;Dept;E-Mail;Person\nbombe;Maths;alan@example.com;Alan Turing\n')
    await column('Password').selectOptions('Secret')
    history.back()
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await ui.expectNames(ada)
    history.forward()
    await ui.expectTexts(importedRows(), [/New.*Alan Turing/])
    await expect.element(column('Password')).toHaveDisplayValue('Secret')
    expect(location.href).toBe(address)
    expect(JSON.stringify(history.state)).not.toMatch(/alan|bombe|people/i)
    history.back()
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await ui.button('Import').click()
    await expect.element(column('Password')).toHaveDisplayValue('Secret')
    await confirmImport()
    expect(stored()).toEqual([ada, alan])
    await ui.button('Import').click()
    await expect.element(pasteBox()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    await expect.poll(() => history.state?.usr?.dialog).toBeUndefined()
  })

  test('is forgotten when it is closed in another way than by Back, also at once after it was opened', async () => {
    await openRecords([ada])
    await pasteThree()
    await expect.element(importButton('Import 3 records')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await ui.button('Import').click()
    await expect.element(pasteBox()).toBeVisible()
    await expect.poll(() => history.state?.usr?.dialog).toBe('import')
  })

  test('stays while an import is being sent, whatever Back does', async () => {
    const testPage = await openRecords([ada])
    await pasteThree()
    const release = testPage.client.holdCalls(['writeBatch'])
    await importButton('Import 3 records').click()
    await expect.element(ui.dialog().getByText('Either every row is saved or none.')).toBeVisible()
    const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
    history.back()
    await moved
    await expect.poll(() => history.state?.usr?.dialog).toBe('import')
    await expect.element(ui.dialog()).toBeVisible()
    release()
    await expect.element(resultDialog()).toMatchTextContent('3')
  })

  test('is of what was read, though the file has changed since: also in another encoding', async () => {
    const { stored } = await openRecords()
    await ui.button('Import').click()
    const file = new File(
      [Uint8Array.from(new TextEncoder().encode(`${header}Ada,ada@example.com,x`))],
      'a.csv',
    )
    const read = vi.spyOn(Blob.prototype, 'arrayBuffer')
    await ui.dialog().getByCss('input[type=file]').upload(file)
    await ui.expectTexts(importedRows(), [/New.*Ada/])
    // What the browser says of a file that was saved again.
    read.mockRejectedValue(new DOMException('The file could not be read', 'NotReadableError'))
    await ui.dialog().getByLabelText('Encoding').selectOptions('Western (Windows-1252)')
    await ui.expectTexts(importedRows(), [/New.*Ada/])
    await confirmImport()
    expect(stored()).toHaveLength(1)
    await chooseFile('b.csv', header)
    await expectProblem('This file can’t be read.')
  })

  test('can be imported only as it was chosen: not while the file is read in another encoding', async () => {
    const { stored } = await openRecords()
    await chooseFile('a.csv', `${header}Ada,ada@example.com,x`)
    await ui.expectTexts(importedRows(), [/New.*Ada/])
    const reading = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => {})
    const encoding = ui.dialog().getByLabelText('Encoding')
    await encoding.selectOptions('Western (Windows-1252)')
    await expect.poll(() => reading.mock.calls).toHaveLength(1)
    await expect.element(importButton('Import 1 record')).toHaveAttribute('aria-disabled', 'true')
    await ui.press(importButton('Import 1 record'), '{Enter}')
    await encoding.selectOptions('Western (ISO 8859-15)')
    await expect.element(importButton('Import 1 record')).not.toHaveAttribute('aria-disabled')
    expect(stored()).toEqual([])
    await confirmImport()
    expect(stored()).toHaveLength(1)
  })

  test('updates when a colleague changes a record, and overwrites nothing', async () => {
    const { colleague } = await openRecords([ada])
    await chooseFile('two.csv', `${header}Ada King,ada@example.com,\n${Object.values(grace)}`)
    await ui.expectTexts(importedRows(), [/Changed/, /New/])
    await colleague.add(grace)
    await ui.expectTexts(importedRows(), [/Changed/, /Unchanged/])
    await colleague.change(ada, renamed('Ada King'))
    await ui.expectTexts(importedRows(), [/Unchanged/, /Unchanged/])
    await expect.element(importButton('Nothing to import')).toHaveAttribute('aria-disabled', 'true')
  })

  test('recognises the file of a password manager, and leaves out what is not a login', {
    tags: 'main',
  }, async () => {
    const { stored } = await openRecords()
    const columns =
      'folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp'
    const login = ",,login,Ada Lovelace,,,0,,ada@example.com,'=analytical,"
    await chooseFile('bitwarden.csv', `${columns}\n${login}\n,,note,Wi-Fi,The key is 1234,,0,,,,`)
    await expect.element(ui.dialog()).toMatchTextContent('bitwarden.csv · 2 rows from Bitwarden')
    await ui.expectTexts(importedRows(), [/New.*Ada Lovelace/, /Skipped.*Wi-Fi.*A note, not a login\./])
    await expect.element(ui.dialog()).not.toMatchTextContent('The key is 1234')
    await ui.dialog().getByText('Skipped 1').click()
    await ui.expectTexts(importedRows(), [/Wi-Fi/])
    await importButton('Import 1 record').click()
    await expect.element(resultDialog()).toMatchTextContent('1 record imported, 1 skipped')
    await ui.expectTexts(resultDialog().getByRole('listitem'), [/New.*Ada/, /Skipped.*A note, not a login\./])
    await resultDialog().getByRole('button', { name: 'Copy the skipped rows' }).click()
    await expect.element(resultDialog()).toMatchTextContent('Copied.')
    expect(await navigator.clipboard.readText()).toBe('3\tWi-Fi\t\tA note, not a login.')
    expect(stored()).toEqual([{ ...ada, password: "'=analytical" }])
  })

  test('is followed by a result that calls a row skipped, whatever the reason, and has only the kinds that there are', async () => {
    await openRecords()
    await ui.paste(`Name\tEmail\tPassword\n${toRow(ada)}\n\tnobody@example.com\tx`)
    await ui.expectTexts(importedRows(), [/New/, /Can’t import/])
    const kinds = ui.dialog().getByRole('group', { name: 'Rows to list' })
    await expect.element(kinds.getByRole('radio', { name: 'Changed 0', exact: true })).toBeDisabled()
    await importButton('Import 1 record').click()
    await expect.element(resultDialog()).toMatchTextContent('1 record imported, 1 skipped')
    await expect.element(resultDialog()).not.toMatchTextContent('Can’t import')
    await ui.expectTexts(kinds.getByRole('radio'), ['', '', ''])
    await expect.element(kinds.getByRole('radio', { name: 'Skipped 1' })).toBeChecked()
    await ui.expectTexts(resultDialog().getByRole('listitem'), [/Skipped.*The name is missing/])
  })

  test('lets the user choose the columns of a first and a last name, and joins them', async () => {
    await openRecords()
    await chooseFile('people.csv', 'One,Two,Mail,Secret\nAda,Lovelace,ada@example.com,x\n')
    await expect.element(column('Last name')).toHaveDisplayValue('In the name')
    await column('Name').selectOptions('One')
    await column('Last name').selectOptions('Two')
    await column('Password').selectOptions('Secret')
    await ui.expectTexts(importedRows(), [/New.*Ada Lovelace/])
    await importButton('Back').click()
    const fileInput = ui.dialog().getByCss('input[type=file]')
    fileInput.element().dispatchEvent(new Event('cancel', { bubbles: true }))
    await expect.element(fileInput).toBeInTheDocument()
    await chooseFile('names.csv', 'First name,Last name,Email,Password\nGrace,Hopper,grace@example.com,x\n')
    await expect.element(column('Last name')).toHaveDisplayValue('Last name')
  })

  test('reads the file again in another encoding, and detects the columns again', async () => {
    const { stored } = await openRecords()
    // "氏名,メール,パスワード" and "山田 太郎,yamada@example.com,十" in Shift_JIS, whose second bytes include the backslash.
    const shiftJis =
      '\x8e\x81\x96\xbc,\x83\x81\x81\x5b\x83\x8b,\x83\x70\x83\x58\x83\x8f\x81\x5b\x83\x68\n' +
      '\x8e\x52\x93\x63 \x91\xbe\x98\x59,yamada@example.com,\x8f\x5c'
    await chooseFile(
      'japanese.csv',
      Uint8Array.from(shiftJis, (byte) => byte.charCodeAt(0)),
    )
    const encoding = ui.dialog().getByLabelText('Encoding')
    await expect.element(encoding).toHaveDisplayValue('Japanese (Shift_JIS)')
    await encoding.selectOptions('Western (Mac OS Roman)')
    await expect.element(column('Password')).toHaveDisplayValue(/É/)
    await encoding.selectOptions('Japanese (Shift_JIS)')
    await ui.expectTexts(importedRows(), [/New.*山田 太郎/])
    await expect.element(column('Password')).toHaveDisplayValue('パスワード')
    await expect.element(encoding).toHaveDisplayValue('Japanese (Shift_JIS)')
    await confirmImport()
    expect(stored()).toEqual([named('山田 太郎', { email: 'yamada@example.com', password: '十' })])
  })
})

test('asks whether the names look right, and the passwords are in a column, where that was guessed', async () => {
  await openRecords()
  // "Ayşe Yılmaz" in Turkish, which is readable in other encodings too.
  const turkish = Uint8Array.from('Name,Email,Password\nAy\xfee Y\xfdlmaz,a@b.co,x', (byte) =>
    byte.charCodeAt(0),
  )
  const question = ui.dialog().getByText('Do these names look right?')
  await chooseFile('turkish.csv', turkish)
  await expect.element(question).toBeVisible()
  await ui.dialog().getByLabelText('Encoding').selectOptions('Turkish (Windows-1254)')
  await ui.expectTexts(importedRows(), [/New.*Ayşe Yılmaz/])
  await expect.element(question).not.toBeInTheDocument()
  await importButton('Back').click()
  await chooseFile('list.csv', 'Ada,ada@example.com,Maths,en9ine!\nGrace,grace@example.com,Navy,c0bol-60')
  await expect.element(ui.dialog()).toMatchTextContent('Are the passwords in Column D?')
  await column('Password').selectOptions('Column C')
  await expect.element(ui.dialog()).not.toMatchTextContent('Are the passwords in')
})

test('asks for the password of a protected file', async () => {
  const { stored } = await openRecords()
  await chooseFile('bitwarden.json', lockedVaults.pbkdf2)
  const field = ui.dialog().getByLabelText('Password of the file')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('wrong{Enter}')
  await expectProblem('This password doesn’t open the file.')
  await userEvent.keyboard('horse battery{Enter}')
  await ui.expectTexts(importedRows(), [/New.*Ada Lovelace/, /Skipped.*Wi-Fi/])
  await confirmImport()
  expect(stored()).toEqual([ada])
})

test('stops the reading of a file that has no end, says so, and reads the next one', async () => {
  await openRecords()
  await chooseFile('bitwarden.json', slowVault)
  await expect.element(ui.dialog().getByLabelText('Password of the file')).toHaveFocus()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await userEvent.keyboard('horse battery{Enter}')
  await expect.element(ui.dialog()).toMatchTextContent('Reading…')
  const problem = ui.dialog().getByRole('alert').filter({ hasText: 'Reading this took too long' })
  await expect.poll(() => vi.advanceTimersByTime(120_000) && problem.length).toBe(1)
  await chooseFile('people.csv', `${header}Ada Lovelace,ada@example.com,en9ine!\n`)
  await ui.expectTexts(importedRows(), [/New.*Ada Lovelace/])
})

test('ends the reading of a file that is cancelled, and reads the next one', async () => {
  const end = vi.spyOn(Worker.prototype, 'terminate')
  await openRecords()
  await chooseFile('bitwarden.json', slowVault)
  await expect.element(ui.dialog().getByLabelText('Password of the file')).toHaveFocus()
  await expect.poll(() => end.mock.calls.length).toBe(1)
  await userEvent.keyboard('horse battery{Enter}')
  await importButton('Cancel').click()
  await expect.element(importButton('Choose a file')).toBeVisible()
  expect(end).toHaveBeenCalledTimes(2)
  await chooseFile('people.csv', `${header}Ada Lovelace,ada@example.com,en9ine!\n`)
  await ui.expectTexts(importedRows(), [/New.*Ada Lovelace/])
})

test('reads nothing that was cancelled while its file was fetched', async () => {
  const workers = vi.spyOn(globalThis, 'Worker')
  const controls = { signal: AbortSignal.abort(), onProgress() {} }
  await expect(openSource({ source: header }, controls)).rejects.toBe(controls.signal.reason)
  expect(workers).not.toHaveBeenCalled()
})

interface MadeSheet {
  name: string
  rows: string
  isHidden?: boolean
}

/** A workbook as other programs write it. */
function makeWorkbook(sheets: MadeSheet[]) {
  const list = sheets.map(
    ({ name, isHidden }, i) => `<sheet name="${name}" r:id="r${i}"${isHidden ? ' state="hidden"' : ''}/>`,
  )
  const relationships = sheets.map((_, i) => `<Relationship Id="r${i}" Target="worksheets/sheet${i}.xml"/>`)
  const files = {
    'xl/workbook.xml': `<workbook><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relationships.join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, i) => [
        `xl/worksheets/sheet${i}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(xml)])))
}

const xmlRow = (cells: string[], more = '') =>
  `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}${more}</row>`
const titles = xmlRow(['Name', 'Email', 'Password'])
const recordRow = (record: EmployeeFields) => xmlRow(Object.values(record))

describe('a workbook', () => {
  test('opens at its sheet with emails, lets the user choose another, and says which rows are hidden', {
    tags: 'main',
  }, async () => {
    const { stored } = await openRecords()
    const hiddenRow = recordRow(grace).replace('<row', '<row hidden="1"')
    const workbook = makeWorkbook([
      { name: 'Notes', rows: xmlRow(['Wi-Fi', 'The key is 1234']) },
      { name: 'Staff', rows: titles + recordRow(ada) + hiddenRow },
      { name: 'Former', rows: titles + recordRow(alan) },
    ])
    await chooseFile('staff.xlsx', workbook)
    await ui.expectTexts(importedRows(), [/Row 2.*New.*Ada/, /Row 3.*New.*Grace/])
    await expect.element(ui.dialog()).toMatchTextContent('1 row is hidden in the workbook.')
    await expect.element(column('Sheet')).toHaveDisplayValue('Staff')
    await column('Sheet').selectOptions('Former')
    await ui.expectTexts(importedRows(), [/Row 2.*New.*Alan/])
    await confirmImport()
    expect(stored()).toEqual([alan])
  })

  test('opens at a sheet that can be seen; a hidden one is called so, and is read only by choice', async () => {
    const { stored } = await openRecords()
    const old = { ...ada, password: 'of last year' }
    const workbook = makeWorkbook([
      { name: 'Old', rows: titles + recordRow(old), isHidden: true },
      { name: 'Staff', rows: titles + recordRow(ada) },
    ])
    await chooseFile('staff.xlsx', workbook)
    await expect.element(column('Sheet')).toHaveDisplayValue('Staff')
    const hiddenNote = ui.dialog().getByText('This sheet is hidden in the workbook.')
    await expect.element(hiddenNote).not.toBeInTheDocument()
    await column('Sheet').selectOptions('Old (hidden)')
    await expect.element(hiddenNote).toBeVisible()
    await column('Sheet').selectOptions('Staff')
    await expect.element(hiddenNote).not.toBeInTheDocument()
    await confirmImport()
    expect(stored()).toEqual([ada])
  })

  test('whose only list is in a hidden sheet opens at it, and says so', async () => {
    await openRecords()
    const workbook = makeWorkbook([
      { name: 'Notes', rows: xmlRow(['Wi-Fi', 'The key is 1234']) },
      { name: 'Old', rows: titles + recordRow(ada), isHidden: true },
    ])
    await chooseFile('staff.xlsx', workbook)
    await ui.expectTexts(importedRows(), [/Row 2.*New.*Ada/])
    await expect.element(column('Sheet')).toHaveDisplayValue('Old (hidden)')
    await expect.element(ui.dialog().getByText('This sheet is hidden in the workbook.')).toBeVisible()
  })

  test('says which columns are not read', async () => {
    await openRecords()
    const far = xmlRow(Object.values(ada), '<c r="IW2" t="str"><v>far</v></c>')
    await chooseFile('staff.xlsx', makeWorkbook([{ name: 'Staff', rows: titles + far }]))
    await expectProblem('Columns beyond the 256th are not read.')
    drag('drop', [new File([`${header}Ada,ada@example.com,x${','.repeat(260)}far\n`], 'wide.csv')])
    await expect.element(ui.dialog().getByText('wide.csv')).toBeVisible()
    await expectProblem('Columns beyond the 256th are not read.')
  })

  test('that is locked or empty is refused with a sentence', async () => {
    await openRecords()
    const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
    const name = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0])
    await chooseFile('locked.xlsx', Uint8Array.from([...compoundFile, ...name]))
    await expectProblem('locked with a password')
    await chooseFile('empty.xlsx', writeWorkbook([]))
    await expectProblem('The workbook is empty.')
  })
})

function drag(type: string, files: File[]) {
  const dataTransfer = new DataTransfer()
  for (const file of files) dataTransfer.items.add(file)
  document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}

describe('the import dialog', () => {
  test('reports why a source cannot be read, and stays open', async () => {
    await openRecords()
    await chooseFile('book.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))
    await expectProblem('damaged or incomplete')
    await ui.moveFocus('{Escape}', ui.button('Import'))
  })

  test('opens with a file that is dropped anywhere on the page, also while another is read', {
    tags: 'main',
  }, async () => {
    await openRecords()
    const reading = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => {})
    await chooseFile('slow.csv', header)
    await expect.poll(() => reading.mock.calls).toHaveLength(1)
    const files = [new File([`${header}Ada,ada@example.com,x\n`], 'dropped.csv')]
    drag('dragover', files)
    await expect.element(page.getByText('Drop to import')).toBeVisible()
    drag('drop', files)
    await expect.element(ui.dialog().getByText('dropped.csv')).toBeVisible()
    expect(reading).toHaveBeenCalledTimes(2)
    await confirmImport()
    await ui.expectNames('Ada')
  })

  test('reads the first of several files that are dropped at once, and says that the others are not read', async () => {
    await openRecords()
    const list = (record: EmployeeFields, name: string) =>
      new File([`${header}${Object.values(record).join()}\n`], name)
    drag('drop', [list(ada, 'a.csv'), list(grace, 'b.csv'), list(alan, 'c.csv')])
    await ui.expectTexts(importedRows(), [/New.*Ada/])
    await expect.element(ui.dialog().getByText('a.csv')).toBeVisible()
    await expect.element(ui.dialog()).toMatchTextContent('2 other files came with it. They are not read')
    drag('drop', [list(grace, 'b.csv')])
    await ui.expectTexts(importedRows(), [/New.*Grace/])
    await expect.element(ui.dialog()).not.toMatchTextContent('came with it')
  })

  test('can be used with the keyboard only, from its button to the record', async () => {
    await openRecords()
    await ui.press(ui.button('Import'), '{Enter}')
    await expect.element(pasteBox()).toBeVisible()
    await ui.tabTo(pasteBox())
    await userEvent.keyboard('Ada;ada@example.com;engine')
    await expect.element(pasteBox()).toHaveValue('Ada;ada@example.com;engine')
    await ui.tabTo(page.getByRole('button', { name: 'Read these rows' }))
    await userEvent.keyboard('{Enter}')
    await ui.expectTexts(importedRows(), [/New.*Ada/])
    await ui.tabTo(importButton('Import 1 record'))
    await userEvent.keyboard('{Enter}')
    await expect.element(resultDialog()).toMatchTextContent('1 record imported')
    await userEvent.keyboard('{Escape}')
    await ui.expectNames('Ada')
    await expect.element(ui.button('Import')).toHaveFocus()
  })

  test.each(['Done', 'Undo import'])(
    'moves the focus to the form after %s if its button is gone',
    async (name) => {
      await openRecords()
      await ui.press(ui.button('Import a spreadsheet'), '{Enter}')
      await pasteBox().fill(toRow(ada))
      await ui.pressButtons('Read these rows', 'Import 1 record')
      await expect.element(resultDialog()).toBeVisible()
      await ui.press(resultDialog().getByRole('button', { name }), '{Enter}')
      await expect.element(ui.nameField()).toHaveFocus()
    },
  )

  test('opens for pasted rows, not for words, a password, an email or a letter, or for rows pasted into a field', async () => {
    await openRecords()
    const letter = 'Dear Ada,\nplease write to grace@example.com today.\n'
    const sentence = 'Ask Ada, ada@example.com; she knows.'
    for (const text of ['Ada', 'Hello, world', sentence, 'p4ss,w;rd|\t', 'ada@example.com', letter])
      expect(await ui.paste(text), text).toBe(false)
    expect(await ui.paste(toRow(grace), ui.nameField().element())).toBe(false)
    expect(await ui.paste(toRow(ada))).toBe(true)
    await ui.expectTexts(importedRows(), [/Row 1.*New.*Ada/])
    // While it is open, the same rows again.
    await importButton('Back').click()
    await expect.element(importedRows()).toHaveLength(0)
    expect(await ui.paste(toRow(ada))).toBe(true)
    await ui.expectTexts(importedRows(), [/Row 1.*New.*Ada/])
  })

  test('opens for the rows that a spreadsheet copies with a picture of them, not for the picture', async () => {
    await openRecords()
    const picture = new File(['\x89PNG\r\n\x1a\n'], 'image.png', { type: 'image/png' })
    expect(await ui.paste('a password', document.body, picture)).toBe(false)
    expect(await ui.paste(toRow(ada), document.body, picture)).toBe(true)
    await ui.expectTexts(importedRows(), [/Row 1.*New.*Ada/])
  })

  test('has the focus on Import, which says what it would do, when nothing has to be decided', async () => {
    await openRecords([ada])
    await chooseFile('team.csv', `${header}${Object.values(grace)}`)
    const submit = importButton('Import 1 record')
    await expect.element(submit).toHaveFocus()
    await expect.element(submit).toHaveAccessibleDescription(/^team\.csv · 1 row New: 1, Changed: 0/)
    const heldEnter = { key: 'Enter', repeat: true, bubbles: true, cancelable: true }
    const isHandled = submit.element().dispatchEvent(new KeyboardEvent('keydown', heldEnter))
    expect(isHandled, 'a key held down').toBe(false)
    await importButton('Back').click()
    await chooseFile('team.csv', `${header}${Object.values(grace)}\nAlan,x,y`)
    await expect.element(ui.dialog().getByRole('group', { name: 'What would be imported' })).toHaveFocus()
  })

  test('keeps the focus in the dialog from step to step, also while a pressed button is removed', async () => {
    await openRecords([ada])
    await ui.button('Import').click()
    await expect.element(ui.dialog()).toBeVisible()
    const dialog = ui.dialog().element()
    const outside: (Element | null)[] = []
    const observer = new MutationObserver(() => {
      if (!dialog.contains(document.activeElement)) outside.push(document.activeElement)
    })
    observer.observe(dialog, { childList: true, subtree: true })
    await chooseFile('team.csv', `${header}${Object.values(grace)}`)
    await expect.element(importButton('Import 1 record')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(resultDialog().getByRole('button', { name: 'Done' })).toHaveFocus()
    observer.disconnect()
    expect(outside).toEqual([])
  })

  test('keeps the focus on Import while what would be imported is found out again', async () => {
    const { colleague } = await openRecords([ada])
    const [first = grace, ...others] = makeEmployees(3)
    const rows = [first, ...others].map((row) => Object.values(row).join(','))
    await chooseFile('team.csv', `${header}${rows.join('\n')}`)
    await expect.element(importButton('Import 3 records')).toHaveFocus()
    const lost: unknown[] = []
    const watch = (event: FocusEvent) => lost.push(event.target)
    document.addEventListener('focusout', watch)
    // The browser paints between the steps of the work, as it does with a long list.
    let timeMs = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => {
      timeMs += 20
      return timeMs
    })
    await colleague.add(first)
    await expect.element(importButton('Import 2 records')).toHaveFocus()
    document.removeEventListener('focusout', watch)
    expect(lost).toEqual([])
  })

  test('retains pasted rows after Back, Escape and Close, until they are imported', async () => {
    await openRecords()
    const text = 'Ada Lovelace,ada@example.com,analytical\nNobody,nobody,x'
    await ui.button('Import').click()
    await pasteBox().fill(text)
    await ui.button('Read these rows').click()
    for (const leave of ['Back', 'Close']) {
      await importButton(leave).click()
      if (leave === 'Back') await userEvent.keyboard('{Escape}')
      await ui.button('Import').click()
      await expect.element(pasteBox()).toHaveValue(text)
    }
    await ui.pressButtons('Read these rows', 'Import 1 record')
    await expect.element(page.getByText('1 record imported, 1 skipped')).toBeVisible()
    await ui.pressButtons('Done', 'Import')
    await expect.element(pasteBox()).toHaveValue('')
  })

  test('imports once although its button is pressed twice', async () => {
    const { backend } = await openRecords()
    await ui.paste(toRow(ada))
    await expect.element(importButton('Import 1 record')).toBeVisible()
    const submit = importButton('Import 1 record').element() as HTMLElement
    submit.click()
    submit.click()
    await expect.element(resultDialog()).toMatchTextContent('1 record imported')
    expect(backend.employees()).toHaveLength(1)
  })

  test('reports a failed import, can retry it, and leaves it in the outbox', { tags: 'main' }, async () => {
    const { client } = await openRecords()
    const repair = client.failCalls(offlineError())
    await pasteThree()
    await importButton('Import 3 records').click()
    await expectProblem('Not imported. The server can’t be reached')
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.outboxList()).toMatchTextContent('Not imported: 3 records')
    repair()
    await ui.outboxList().getByRole('button', { name: 'Retry' }).click()
    await ui.expectNames('Person 0', 'Person 1', 'Person 2')
    await expect.element(ui.undoBar()).toMatchTextContent('3 records imported.')
  })
})

test('undo of an import restores everything, also after a reload, except what a colleague has changed', {
  tags: 'main',
}, async () => {
  const { colleague, reload, stored } = await openRecords([ada, grace])
  const rows = 'Ada King,ada@example.com,\nAdmiral,grace@example.com,\nAlan Turing,alan@example.com,bombe\n'
  await chooseFile('all.csv', header + rows)
  await confirmImport()
  await expect.element(ui.undoBar()).toMatchTextContent('1 record imported, 2 changed.')
  await ui.expectNames('Ada King', 'Admiral', 'Alan Turing')
  await colleague.change('Admiral', renamed('Rear Admiral', grace))
  await ui.expectNames('Ada King', 'Rear Admiral', 'Alan Turing')
  await reload()
  await ui.undoButton('Undo import').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Import undone.')
  const conflict = '1 record left alone because someone changed it in the meantime'
  await expect.element(ui.undoBar()).toMatchTextContent(conflict)
  await ui.expectNames('Ada Lovelace', 'Rear Admiral')
  expect(stored()).toEqual([ada, renamed('Rear Admiral', grace)])
})

describe('the export dialog', () => {
  test('opens with the focus on its first choice', async () => {
    await openRecords([ada, alan])
    await ui.button('Export').click()
    await expect.element(page.getByRole('radio', { name: 'Excel workbook' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await ui.searchBox().fill('ada')
    await ui.expectNames(ada)
    await ui.button('Export').click()
    await expect.element(page.getByLabelText('Shown in the table (1)')).toHaveFocus()
  })

  /** The name and the text of the file that is downloaded when the button is pressed, with the byte order mark. */
  async function exportFile(buttonName: string) {
    const createUrl = vi.spyOn(URL, 'createObjectURL').mockClear()
    const download = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockClear()
    await page.getByRole('button', { name: buttonName }).click()
    await expect.poll(() => createUrl.mock.calls).toHaveLength(1)
    const [[file]] = createUrl.mock.calls as [[Blob]]
    const [link] = download.mock.contexts as [HTMLAnchorElement]
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
    return { name: link.download, text, file }
  }

  test('exports a workbook, which can be imported again: every record is unchanged', {
    tags: 'main',
  }, async () => {
    await openRecords([ada, { ...grace, password: "'=1 " }])
    await ui.button('Export').click()
    await page.getByLabelText('Include passwords').click()
    const { name, file } = await exportFile('Export 2 records')
    expect(name).toBe('employees.xlsx')
    await chooseFile(name, file)
    await ui.expectTexts(importedRows(), [/Row 2.*Unchanged.*Ada/, /Row 3.*Unchanged.*Grace/])
    await expect.element(ui.dialog()).toMatchTextContent('employees.xlsx · 2 rows')
    await expect.element(ui.dialog().getByLabelText('Encoding')).not.toBeInTheDocument()
  })

  test('exports what the search shows, and passwords only on request', { tags: 'main' }, async () => {
    await openRecords([ada, grace, alan])
    await ui.searchBox().fill('grace')
    await ui.expectNames(grace)
    await ui.button('Export').click()
    await page.getByLabelText('CSV').click()
    const { text } = await exportFile('Export 1 record')
    expect(text).toBe('\ufeff"Employee Name","Email"\r\n"Grace Hopper","grace@example.com"\r\n')
    await ui.button('Export').click()
    await page.getByLabelText('CSV').click()
    await page.getByLabelText('Include passwords').click()
    expect((await exportFile('Export 1 record')).text).toContain('"grace@example.com","nanoseconds"\r\n')
  })

  test('for a password manager exports the exact passwords, and warns of spreadsheets', async () => {
    await openRecords([{ ...ada, password: '=1+1' }])
    await ui.button('Export').click()
    await page.getByLabelText('Bitwarden').click()
    await expect.element(page.getByLabelText('Include passwords')).not.toBeInTheDocument()
    await expect.element(ui.dialog()).toMatchTextContent('can read every password')
    await expect.element(ui.dialog()).toMatchTextContent('Don’t open this file in a spreadsheet')
    const { name, text } = await exportFile('Export 1 record')
    expect(name).toBe('employees-bitwarden.csv')
    expect(text).toMatch(/"login","Ada Lovelace","","","","","ada@example.com","=1\+1",""\r\n$/)
  })

  test('makes an emergency file of all records, whose code is shown once, copied and printed', {
    tags: 'main',
  }, async () => {
    const { backend } = await openRecords([ada, grace, alan])
    await ui.searchBox().fill('grace')
    await ui.expectNames(grace)
    const readShownCode = () => /\S{5}(-\S{5,6}){4}/.exec(ui.dialog().element().textContent ?? '')?.[0] ?? ''
    const showCode = async () => {
      await ui.button('Export').click()
      await page.getByLabelText('Emergency file').click()
      await expect.element(page.getByLabelText('Shown in the table')).not.toBeInTheDocument()
      await page.getByRole('button', { name: 'Show the code' }).click()
      await expect.poll(readShownCode).not.toBe('')
      return readShownCode()
    }
    const code = await showCode()
    expect(backend.reports).toEqual([])
    await expect.element(page.getByText('Copy or print the code first.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Download file' })).toBeDisabled()
    await page.getByRole('button', { name: 'Copy code' }).click()
    const notice = page.getByText('Code copied. Paste it within a minute; then it leaves the clipboard.')
    await expect.element(notice).toBeVisible()
    expect(navigator.clipboard.writeText).toHaveBeenLastCalledWith(code)
    const print = vi.spyOn(window, 'print').mockReturnValue()
    await page.getByRole('button', { name: 'Print code' }).click()
    expect(print).toHaveBeenCalledOnce()

    const { name, text } = await exportFile('Download file')
    expect(name).toMatch(/^staffbook-emergency-\d{4}-\d\d-\d\d\.html$/)
    await expect.element(page.getByText(`Downloaded as ${name}.`)).toBeVisible()
    await expect.poll(() => backend.reports).toMatchObject([{ kind: 'emergency', count: 3 }])
    expect(openEmergencyFile(text, code)?.rows).toEqual(
      [ada, grace, alan].map((record) => fieldNames.map((field) => fieldOf(record, field))),
    )
    for (const record of [ada, grace, alan])
      for (const value of Object.values(record)) expect(text).not.toContain(value)

    await page.getByRole('button', { name: 'Close' }).click()
    expect(document.body.textContent).not.toContain(code)
    expect(await showCode()).not.toBe(code)
    await page.getByRole('button', { name: 'Print code' }).click()
    await expect.element(page.getByRole('button', { name: 'Download file' })).toBeEnabled()
  })
})
