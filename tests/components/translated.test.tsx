// Journeys through the messages of the page, once as it is, and once while the browser translates it: both show the same words.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type EmployeeFields, fieldNames } from '../../contract/employees.ts'
import { preloadParts } from '../../web/ui/lazy-part.tsx'
import { serviceError } from '../support/memory-services.ts'
import { account, named, renamed } from '../support/people.ts'
import { openPage, openRecords } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
import { startTranslator } from '../support/translator.ts'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'
import { takeTextFaults } from './watch-texts.ts'

/** Passwords without an issue, which would be counted at any time. */
const [ada, grace, alan] = [
  named('Ada Lovelace', { password: 'kiwi tram lantern orbit 7' }),
  named('Grace Hopper', { password: 'velvet onion harbor quartz 4' }),
  named('Alan Turing', { password: 'maple comet drizzle anvil 9' }),
] as const

/** Waits for these texts, and compares all words of the page. */
type See = (...texts: string[]) => Promise<void>

/** The visible words of the page, in capitals or not. `isLasting`: without what is there for a time, or random. */
function readWords(isLasting: boolean): string {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (texts.nextNode()) {
    const { parentElement: parent } = texts.currentNode
    const isPassing = parent?.closest('[role=status].visually-hidden, [role=status]:has(> p), output')
    if (parent?.checkVisibility() && !(isLasting && isPassing))
      found.push(texts.currentNode.textContent ?? '')
  }
  const random = /\d{1,2}:\d{2}|\S{5}(-\S{5,6}){4}/g
  return found.join('').replaceAll(/\s+/g, ' ').replaceAll(random, '').toLowerCase()
}

/** Waits until the words have not changed twice. */
async function settleWords(): Promise<string> {
  let [last, unchanged] = ['', 0]
  const isSettled = () => {
    const words = readWords(true)
    unchanged = words === last ? unchanged + 1 : 0
    last = words
    return unchanged
  }
  await expect.poll(isSettled, { interval: 100 }).toBeGreaterThan(2)
  return last
}

const exactly = (name: string) => new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'i')

/** Presses the last of the buttons with each name; a dialog follows the page. */
async function press(...buttons: string[]) {
  for (const name of buttons)
    await page
      .getByRole('button', { name: exactly(name) })
      .last()
      .click()
}

async function choose(item: string) {
  await press('Account menu', item)
}

/** A field of a dialog or, without one, of the page. */
const field = (name: string) => page.getByCss(`:is(dialog, body:not(:has(dialog))) input[name=${name}]`)

async function fill(fields: Partial<EmployeeFields>) {
  for (const name of fieldNames)
    if (fields[name] !== undefined) await ui.form().getByCss(`[name=${name}]`).fill(fields[name])
}

async function submit(fields: Partial<EmployeeFields>) {
  await fill(fields)
  await userEvent.keyboard('{Enter}')
}

const journeys: Record<string, (see: See) => Promise<void>> = {
  async 'sign-up and sign-in, with errors'(see) {
    allowConsole(/Sign-(in|up) failed/)
    await openPage('/')
    await see('Create Your Account')
    await field('email').fill(account.email)
    await field('password').fill('short')
    await userEvent.keyboard('{Enter}')
    await see('8 to 128 characters')
    await field('password').fill(account.password)
    await userEvent.keyboard('{Enter}')
    await see('Your account is ready', 'Use a passkey')
    await field('password').fill('wrong password')
    await userEvent.keyboard('{Enter}')
    await see('Error: ')
    await field('password').fill(account.password)
    await userEvent.keyboard('{Enter}')
    await see('No employees yet', account.email)
  },
  async 'adding, hints, search'(see) {
    await openRecords([ada])
    await see('Employee Records1')
    await fill(named('Grace', { email: ada.email, password: 'a' }))
    await see('Already in the register: Ada Lovelace', 'Very weak')
    await fill({ ...grace, password: 'nanosecond' })
    await see('Weak')
    await fill(grace)
    await see('Strong')
    await submit(grace)
    await see('Grace Hopper saved.', 'Employee Records2')
    await submit(alan)
    await see('Alan Turing saved.', 'Employee Records3')
    await ui.searchBox().fill('nobody')
    await see('No results for nobody')
    await ui.searchBox().fill('nobodies')
    await see('No results for nobodies')
    await ui.searchBox().fill('ada')
    await see('Employee Records1 of 3')
    await ui.searchBox().fill('a')
    await see('Employee Records3 of 3')
    await ui.searchBox().fill('')
    await ui.rowButton(ada, 'Copy email').click()
    await see('Email of Ada Lovelace copied.')
    await submit(named('Ed', { password: 'summer2024' }))
    await see('1 weak password')
    await submit(named('Zoe', { password: 'summer2025' }))
    await see('2 weak passwords')
  },
  async 'editing, deleting, undo'(see) {
    const { colleague } = await openRecords([ada, grace, alan])
    await ui.rowButton(ada, 'Edit').click()
    await see('Editing Ada Lovelace', 'Update', 'Changed just now by ')
    await submit(renamed('Ada King', ada))
    await see('Saved Ada King', 'Submit')
    await ui.rowButton(grace, 'Delete').click()
    await see('Deleted Grace Hopper')
    // By keyboard: its row has just moved under the mouse.
    await ui.press(ui.rowButton(alan, 'Delete'), '{Enter}')
    await see('Deleted Alan Turing', 'Undo')
    await press('Recent changes')
    await see('Saved Ada King', 'Undo all (2)')
    await press('Undo all (2)')
    await see('2 records restored.', 'Employee Records3')
    await press('Undo edit')
    await see('Ada Lovelace changed back.')
    await ui.rowButton(ada, 'Edit').click()
    await fill(renamed('Ada King', ada))
    await colleague.change(ada, named('Ada Byron', { password: ada.password }))
    await see('changed the name', 'Keep which?', 'Theirs', 'The new email is already here')
    await userEvent.keyboard('{Enter}')
    await see('Choose one')
    await page.getByRole('radio', { name: /^theirs/i }).click()
    await see('Theirs')
    await colleague.remove('Ada Byron')
    await see('This record was deleted while you were editing')
    await press('Cancel')
    await see('Submit')
  },
  async 'offline, refused, signed out'(see) {
    const { client } = await openRecords([ada])
    await client.cutNetwork()
    await see('The server isn’t available.')
    await submit(grace)
    await see('Will be saved when you reconnect: Grace Hopper')
    await submit(alan)
    await see('2 changes wait for the connection: Grace Hopper, Alan Turing')
    await press('Show waiting changes')
    await see('Discard')
    await client.restoreNetwork()
    await see('You’re back online.', 'Employee Records3')
    const repair = client.failCalls(serviceError('storage-full'))
    await submit(named('Lost Soul'))
    await see('Not saved: Lost Soul.', serviceError('storage-full').message)
    await ui.rowButton(grace, 'Delete').click()
    await see('Not deleted: Grace Hopper')
    await ui.press(ui.rowButton(alan, 'Delete'), '{Enter}')
    await see('3 changes are not saved')
    await press('Show unsaved changes')
    await see('Keep the record')
    await press('Logout')
    await see('Logging out deletes them')
    await press('Stay logged in')
    repair()
    await press('Keep the record', 'Retry')
    await see('Deleted Grace Hopper')
    client.endSession()
    await see('You’ve been signed out', 'Sign in to see the records.')
  },
  async 'dialogs of the account and the team'(see) {
    allowConsole(/was not changed|Nothing was changed/)
    const { colleague } = await openRecords([ada, grace])
    await colleague.identity.createAccount('leaver@example.com', 'a long enough one')
    await choose('Change password')
    await see('Current password')
    await field('password').fill('wrong password')
    await field('newPassword').fill('a new and long one')
    await userEvent.keyboard('{Enter}')
    await see('That isn’t your current password.')
    await field('password').fill(account.password)
    await userEvent.keyboard('{Enter}')
    await see('Password changed.')
    await press('Close')
    await choose('Sessions and passkeys')
    await see('Active now · this browser')
    await press('Close')
    await choose('Team')
    await see('3 accounts can read and change every record.', 'leaver@example.com')
    await press('More about leaver@example.com', 'Make a reset link for leaver@example.com')
    await see('The link lets leaver@example.com set')
    await press('Remove leaver@example.com…')
    await see('leaver@example.com is signed out everywhere at once.')
    await field('password').fill('wrong password')
    await userEvent.keyboard('{Enter}')
    await see('That isn’t your password.')
    await field('password').fill('a new and long one')
    await userEvent.keyboard('{Enter}')
    await see('leaver@example.com knew 2 passwords')
    await press('Change 2…')
    await see('1 of 2', 'A new password is suggested.')
    await press('Update')
    await see('saved, new password copied.', '2 of 2')
    await userEvent.keyboard('{Escape}')
    // The texts are also in announcements, before the table is narrowed again.
    await expect.element(ui.rows()).toHaveLength(1)
    await see('1 of 2 passwords changed.', 'leaver@example.com knew one password')
    await press('Undo all')
    await expect.element(ui.rows()).toHaveLength(2)
    await see('1 password changed back.', 'leaver@example.com knew 2 passwords')
    await press('Show all records')
    await choose('Team')
    await press('More about leaver@example.com', 'Let leaver@example.com back in')
    await see('leaver@example.com can sign in again')
    await press('Close')
    await choose('Keyboard shortcuts')
    await see('Anywhere')
  },
  async 'import, export, history'(see) {
    await openRecords([ada])
    const [name, email] = ['Ada King', 'new@example.com']
    await ui.paste(`Name,Email,Password\n${name},${ada.email},${ada.password}\nNew,${email},\n,wrong,x`)
    await see('Pasted rows · 3 rows', 'was Ada Lovelace', '1 row has no password', 'Can’t import')
    await page.getByLabelText('1 row has no password').click()
    await see('Import 2 records', 'password will be generated')
    await page.getByLabelText('The first row is a header').click()
    await see('· 4 rows')
    await page.getByLabelText('The first row is a header').click()
    await press('Import 2 records')
    await see('1 record imported, 1 changed, 1 skipped')
    await press('Copy with passwords')
    await see('Copied. Paste it within a minute')
    await press('Undo import')
    await see('Import undone.')
    await press('Export')
    await see('Include passwords')
    await page.getByLabelText('1Password').click()
    await see('1Password needs the exact passwords')
    await page.getByLabelText('Emergency file').click()
    await see('All records in one encrypted page')
    await press('Show the code', 'Copy code')
    await see('Code copied.')
    await press('Close')
    await ui.rowButton(ada, 'Delete').click()
    await see('Deleted Ada Lovelace', 'No employees yet')
    await choose('Recently deleted')
    await see('by you', 'Anyone can restore them.')
    await press('Restore Ada Lovelace')
    await see('Ada Lovelace restored.', 'Restored')
    await press('Close')
    await ui.rowButton(ada, 'Edit').click()
    await see('Changed just now by ')
    await ui
      .form()
      .getByRole('button', { name: /^changed/i })
      .click()
    await see('History of Ada Lovelace', 'Added by colleague@example.com')
  },
  async 'a hand-over and its link'(see) {
    const { client, reload } = await openRecords([ada])
    await ui.rowButton(ada, 'Hand over').click()
    await see('The link shows Ada Lovelace the credential')
    await press('Make a link')
    await see('Send it or let a phone scan it.', `By ${account.email} · expires`)
    await press('Copy link')
    await see('Copied. Send it')
    const link = ui.dialog().getByCss('input[readonly]').element() as HTMLInputElement
    const { hash } = new URL(link.value)
    await reload(`/${hash}`)
    await see('A colleague has handed you a login.')
    const repair = client.failCalls(serviceError('server-error'), ['team'])
    await press('Show')
    await see(serviceError('server-error').message)
    repair()
    await press('Show')
    await see(`From ${account.email}, for you alone`)
    await press('Copy Email')
    await see('Email copied.')
    await press('Copy Password')
    await see('Password copied.')
    await reload(`/${hash}`)
    await press('Show')
    await see('It was already used')
  },
}

// A part that arrives later would change words that have settled.
beforeAll(() => preloadParts(new AbortController().signal))

let stopTranslator = () => {}
afterEach(() => stopTranslator())

describe.each(sample(Object.entries(journeys), 1))('the words of %s', (_, journey) => {
  const seen: string[] = []

  async function waitFor(texts: string[]) {
    for (const text of texts) await expect.poll(() => readWords(false)).toContain(text.toLowerCase())
  }

  test('stand on the page', async () => {
    await journey(async (...texts) => {
      await waitFor(texts)
      seen.push(await settleWords())
    })
  }, 60_000)

  test('are the same when a browser translates it', async () => {
    // It would see what the translator removes.
    takeTextFaults()
    stopTranslator = startTranslator()
    const expected = [...seen]
    await journey(async (...texts) => {
      await waitFor(texts)
      await expect.poll(() => readWords(true)).toBe(expected.shift())
    })
    expect(expected).toEqual([])
  }, 60_000)
})
