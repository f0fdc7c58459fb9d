// Journeys of people who hear the page. Each sentence is one that they need at that moment.

import { test } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { account, ada, alan, grace, nameOf, renamed } from '../support/people.ts'
import { type Listener, openListener } from './listener.ts'

async function addRecord({ page, type, press }: Listener, record: typeof ada, isOnline = true) {
  await type(nameOf(record))
  await press('Tab')
  await type(record.email)
  await press('Tab')
  await type(record.password)
  await press('Return')
  if (isOnline) await page.getByRole('rowheader', { name: nameOf(record) }).waitFor()
}

/** Opens the form for an account, with these records in the register. */
async function openWith(records: (typeof ada)[], options = {}) {
  const listener = await openListener(options)
  await listener.openForm()
  for (const data of records) await listener.page.request.post(paths.books, { data })
  for (const record of records) await listener.page.getByRole('rowheader', { name: nameOf(record) }).waitFor()
  // What is said after a focus shows that the reader has come to the page.
  await listener.meanwhile('focusing the search', () => listener.page.getByRole('searchbox').focus())
  await listener.reaches('entry')
  await listener.meanwhile('focusing the name', () => listener.page.getByRole('textbox').first().focus())
  await listener.reaches('entry required')
  return listener
}

async function focusRow({ page, meanwhile, reaches }: Listener, index: number, record: typeof ada) {
  await meanwhile(`focusing ${nameOf(record)}`, () => page.locator(`tr[data-row="${index}"]`).focus())
  await reaches(nameOf(record))
}

test('signs up and in, and is told what is refused', async () => {
  // xdotool changes the keyboard for a letter that it lacks, at times too late.
  const password = 'a register of our own'
  const listener = await openListener()
  const { goto, hears, press, type } = listener
  await goto('/')
  await hears('Email entry required')
  await type(account.email)
  await press('Tab')
  await hears('At least 8 characters. A few random words work well')
  await type('short')
  await press('Return')
  await hears('Choose a password of 8 to 128 characters')
  await press('ctrl+a')
  await type(password)
  await press('Return')
  await hears('Your account is ready. Sign in to open the register', 'Password password text')
  await type('not my password')
  await press('Return')
  await hears('Error: ')
  await press('ctrl+a')
  await type(password)
  await press('Return')
  await hears('Employee Name entry required')
  await listener.expectNothingTwice()
})

test('adds, edits and deletes a record, and takes it back', async () => {
  const listener = await openWith([grace])
  const { hears, press, type } = listener
  await addRecord(listener, ada)
  await hears('Ada Lovelace saved')
  await focusRow(listener, 1, ada)
  await press('Return')
  await hears('Editing Ada Lovelace')
  await press('End')
  await type(' King')
  await press('Return')
  await hears('Ada Lovelace King saved')
  await press('Delete')
  await hears('Deleted Ada Lovelace King')
  await press('ctrl+z')
  await hears('Ada Lovelace King restored')
  await listener.expectNothingTwice()
})

test('searches, and hears how many were found', async () => {
  const listener = await openWith([ada, grace, alan])
  const { hears, press, type, meanwhile, page } = listener
  await meanwhile('focusing the search', () => page.getByRole('searchbox').focus())
  await hears('Search entry')
  await type('hopper')
  await hears('1 of 3 found')
  await press('Escape')
  await hears('3 records')
  await listener.expectNothingTwice()
})

test('finds a command in the command menu', async () => {
  const listener = await openWith([ada, grace])
  const { hears, press, type } = listener
  await press('ctrl+k')
  await hears('Commands and records dialog', 'Commands and records editable combo box')
  await type('team')
  await hears('Team, the only match')
  await press('Return')
  await hears('Team dialog')
  await listener.expectNothingTwice()
})

test('selects several records', async () => {
  const listener = await openWith([ada, grace, alan])
  const { hears, press } = listener
  await focusRow(listener, 0, ada)
  await press('shift+space')
  await hears('1 selected')
  await press('Tab')
  await hears('Grace Hopper')
  await press('shift+space')
  await hears('2 selected')
  await press('Delete')
  await hears('Deleted 2 records')
  await press('ctrl+z')
  await hears('2 records restored')
  await listener.expectNothingTwice()
})

test('imports a list', async () => {
  const listener = await openWith([ada])
  const { hears, press, meanwhile, page } = listener
  await meanwhile('opening the import', () =>
    page.getByRole('button', { name: 'Import', exact: true }).click(),
  )
  await hears('Where the rows come from')
  const buffer = Buffer.from('Name,Email,Password\nMary Jackson,mary@example.com,wind tunnel\n')
  await meanwhile('choosing a file', () =>
    page.locator('dialog input[type=file]').setInputFiles({ name: 'team.csv', mimeType: 'text/csv', buffer }),
  )
  await hears('Import 1 record push button', 'New: 1, Changed: 0')
  await meanwhile('importing', () => page.getByRole('button', { name: 'Import 1 record' }).press('Enter'))
  await hears('Done push button', '1 record imported')
  await press('Return')
  await listener.expectNothingTwice()
})

test('opens Team, and hears how many are in it', async () => {
  const listener = await openWith([ada])
  const { hears, press, meanwhile, page } = listener
  await meanwhile('focusing the menu', () => page.getByRole('button', { name: 'Account menu' }).focus())
  await hears('Account menu')
  await press('Return')
  await meanwhile('choosing Team', () => page.getByRole('button', { name: 'Team' }).focus())
  await hears('Team push button')
  await press('Return')
  await hears('Team dialog', 'One account can read and change every record')
  await listener.expectNothingTwice()
})

test('hears what a colleague has changed, and chooses', async () => {
  const listener = await openWith([ada])
  const { hears, press, type, meanwhile, page } = listener
  await focusRow(listener, 0, ada)
  await press('Return')
  await hears('Editing Ada Lovelace')
  await press('End')
  await type(' King')
  const [{ id }] = (await (await page.request.get(paths.books)).json()).documents
  await meanwhile('a change of a colleague', () =>
    page.request.patch(paths.book(id), { data: renamed('Ada Byron') }),
  )
  await hears('changed the name in another tab', 'Keep which')
  await listener.expectNothingTwice()
})

test('goes offline and comes back', async () => {
  const listener = await openWith([ada])
  const { hears, meanwhile, context } = listener
  await meanwhile('losing the connection', () => context.setOffline(true))
  await hears('You’re offline. Changes stay on this device and are saved when you reconnect')
  await addRecord(listener, grace, false)
  await meanwhile('getting the connection back', () => context.setOffline(false))
  await hears('You’re back online', 'Grace Hopper saved')
  await listener.expectNothingTwice()
})

test.each([
  ['de-DE', 'Ada Lovelace gespeichert', 'Ada Lovelace gelöscht', 'Ada Lovelace wiederhergestellt'],
  ['ar', 'تم حفظ Ada Lovelace', 'تم حذف Ada Lovelace', 'تمت استعادة Ada Lovelace'],
])('in %s, hears the same in its language', async (locale, saved, deleted, restored) => {
  const listener = await openWith([grace], { locale })
  const { hears, press } = listener
  await addRecord(listener, ada)
  await hears(saved)
  await focusRow(listener, 1, ada)
  await press('Delete')
  await hears(deleted)
  await press('ctrl+z')
  await hears(restored)
  await listener.expectNothingTwice()
})
