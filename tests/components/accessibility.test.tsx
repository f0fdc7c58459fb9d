import axe from 'axe-core'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { t } from '../../web/language/translate.ts'
import { listenAtWindow } from '../../web/lib/dom.ts'
import { Button } from '../../web/ui/button.tsx'
import { offlineError } from '../support/memory-services.ts'
import {
  account,
  ada,
  alan,
  edgeCaseEmployees,
  grace,
  makeEmployees,
  named,
  nameOf,
  renamed,
} from '../support/people.ts'
import { fillAccount, openPage, openRecords, signIn } from '../support/render.tsx'
import { sample } from '../support/sample.ts'
import * as ui from './elements.ts'
import { findMotions, recordMotions, stopRecordingMotions } from './motions.ts'
import { allowConsole } from './setup.ts'

/** Where space is smallest, all rules of axe are checked in every state. */
const narrow = { name: 'light on a phone', media: { colorScheme: 'light' }, width: 320 } as const

const others = [
  { name: 'light', media: { colorScheme: 'light' }, width: 1280 },
  { name: 'dark', media: { colorScheme: 'dark' }, width: 1280 },
  { name: 'dark on a phone', media: { colorScheme: 'dark' }, width: 320 },
  { name: 'high contrast', media: { forcedColors: 'active', contrast: 'more' }, width: 1280 },
] as const

/** A day checks one of the others in every second state. */
function appearancesOf(state: string) {
  const chosen = sample([...others, ...others.map(() => null)], 1, { salt: state })
  return [narrow, ...chosen.filter((one) => one !== null)]
}

/** The rules whose result depends on colors. axe checks the others once for each width. */
const colorRules: axe.RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

beforeEach(recordMotions)
afterEach(stopRecordingMotions)

/**
 * Checks that nothing has moved or would, and in some appearances axe's rules and horizontal scrolling. `prepare` runs before
 * each check, to show again the messages that disappear after a time.
 */
async function expectAccessible(state: string, prepare = async () => {}) {
  expect(findMotions(), `${state}: motions`).toEqual([])
  for (const { name, media, width } of appearancesOf(state)) {
    await commands.emulateMedia({ forcedColors: 'none', contrast: 'no-preference', ...media })
    await page.viewport(width, 800)
    await prepare()
    await ui.finishTransitions()
    const { violations } = await axe.run(name.startsWith('light') ? {} : colorRules)
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
    )
    expect(found, `${state}, ${name}`).toEqual([])
    expect(document.documentElement.scrollWidth, `${state}, ${name}: width`).toBeLessThanOrEqual(innerWidth)
  }
  await commands.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  await page.viewport(1280, 800)
}

/** The dialog does not scroll horizontally; on a phone everything that can be touched is at least 44 px high. */
async function expectDialogFits() {
  const dialog = page.getByRole('dialog').element()
  expect(dialog.scrollWidth, 'width').toBe(dialog.clientWidth)
  if (innerWidth > 320) return
  const targets = [...dialog.querySelectorAll('button, select, label:has(input)')]
  const small = targets.filter((target) => target.getBoundingClientRect().height < 44)
  expect(small, 'small targets').toEqual([])
}

test('the account screens have no violation, with a message and with an alert', async () => {
  allowConsole(/Sign-in failed/)
  const testPage = await openPage('/')
  await expectAccessible('sign-up')
  testPage.backend.settings.signUp = 'closed'
  await testPage.reload()
  await expect.element(page.getByText('Sign-up is closed.')).toBeVisible()
  await expectAccessible('sign-up, closed')
  testPage.backend.settings.signUp = 'open'
  await fillAccount()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect.element(page.getByText('Your account is ready')).toBeVisible()
  await expectAccessible('sign-in, account ready')
  await signIn({ ...account, password: 'wrong password' })
  await expect.element(page.getByRole('alert')).toMatchTextContent('Error')
  await expectAccessible('sign-in, alert')
  await signIn()
  await ui.expectNames()
  await testPage.reload('/signin')
  await expect.element(page.getByRole('link', { name: 'Open the register' })).toBeVisible()
  await expectAccessible('sign-in, signed in')
})

test('the hand-over has no violation, in the dialog and on the page of the link, which can be tried again', async () => {
  const { client, reload } = await openRecords([ada])
  await ui.rowButton(ada, 'Hand over').click()
  await ui.button('Make a link').click()
  await expect.element(page.getByRole('img', { name: 'The link as a QR code' })).toBeVisible()
  await expectAccessible('hand-over', expectDialogFits)
  const link = ui.dialog().getByLabelText('Link', { exact: true }).element() as HTMLInputElement
  const { hash } = new URL(link.value)
  await reload(`/${hash}`)
  await expect.element(ui.button('Show')).toBeVisible()
  const reconnect = client.failCalls(offlineError(), ['team'])
  await ui.button('Show').click()
  await expect.element(ui.alert()).toMatchTextContent('Check your connection.')
  await expectAccessible('link')
  reconnect()
  await ui.pressButtons('Show', 'Copy Email')
  await expect.element(page.getByText(/^Email copied|copy it by hand/)).toBeVisible()
  await expectAccessible('credential')
})

test('the table has no violation while it is empty, filled, searched, and when nobody is found', async () => {
  const { colleague } = await openRecords()
  await expect.element(page.getByText('No employees yet')).toBeVisible()
  await expectAccessible('empty')
  await colleague.add(...edgeCaseEmployees)
  await expect.element(ui.rows()).toHaveLength(edgeCaseEmployees.length)
  const weakPasswords = page.getByRole('button', { name: /weak passwords/ })
  await expect.element(weakPasswords).toBeVisible()
  await expectAccessible('filled')
  await weakPasswords.click()
  await expect.element(weakPasswords).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible('only weak passwords')
  await weakPasswords.click()
  await ui.table().getByRole('columnheader', { name: 'Email' }).getByRole('button').dblClick()
  await ui.searchBox().fill('example')
  await expect.element(page.getByCss('mark').first()).toBeVisible()
  await expectAccessible('searched')
  await ui.searchBox().fill('nobody')
  await expect.element(page.getByText('No results for')).toBeVisible()
  await expectAccessible('nobody found')
})

test('the table has no violation while it is being loaded, and does not move afterwards', async () => {
  const testPage = await openRecords([ada])
  const release = testPage.client.holdCalls(['list'])
  await testPage.reload()
  await expect.element(page.getByText('Loading…')).toBeInTheDocument()
  await expectAccessible('loading')
  const getTop = () => ui.table().element().getBoundingClientRect().y
  const before = getTop()
  release()
  await expect.element(ui.rowOf(ada)).toBeVisible()
  expect(getTop()).toBe(before)
})

test('the form has no violation with every hint, the generator, a revealed password, an undo and a message', async () => {
  const deleted = renamed('Grace'.repeat(40), grace)
  const duplicate = renamed('Alan'.repeat(50), alan)
  await openRecords([ada, deleted, duplicate])
  await ui.rowButton(ada, 'Show password').click()
  await ui.rowButton(deleted, 'Delete').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted')
  await ui.rowButton(ada, 'Edit').click()
  await ui.fillForm({ ...ada, email: alan.email, password: 'ada12345' })
  await ui.button('Generate password').click()
  await expect.element(page.getByRole('group', { name: 'Password generator' })).toBeVisible()
  await expect.element(ui.form().getByRole('link', { name: nameOf(duplicate) })).toBeVisible()
  await expectAccessible('the form with the generator')
  await ui.button('Generate password').click()
  await expectAccessible('the form', () => ui.rowButton(duplicate, 'Copy email').click())
})

test('the form has no violation while conflicts are undecided and decided, with a revealed password', async () => {
  const { colleague } = await openRecords([ada])
  await ui.rowButton(ada, 'Edit').click()
  await ui.fillForm(named('x'.repeat(300), { email: 'ada@king.example', password: 'Ada’s new secret' }))
  await colleague.change(ada, { ...alan, password: 'y'.repeat(100) })
  await expect.element(ui.form().getByRole('group')).toHaveLength(3)
  await expectAccessible('undecided')
  await ui.form().getByRole('button', { name: 'Show both passwords' }).click()
  await ui.form().getByRole('radio', { name: 'Theirs' }).last().click()
  await expectAccessible('decided')
})

test('the account menu and its dialogs have no violation, with passkeys and the form that adds one', async () => {
  const { backend } = await openRecords([ada])
  await (await backend.connect()).identity.signIn(account.email, account.password)
  await ui.button('Account menu').click()
  await expect.element(ui.button('Help')).toBeVisible()
  await expectAccessible('the account menu')
  await userEvent.keyboard('{Escape}')
  for (const name of ['Keyboard shortcuts', 'Change password', 'Help', 'Sessions and passkeys']) {
    await ui.chooseInMenu(name)
    await expect.element(ui.dialog(name)).toBeVisible()
    await expectAccessible(name, expectDialogFits)
    if (name !== 'Sessions and passkeys') await userEvent.keyboard('{Escape}')
  }
  await userEvent.keyboard('{Escape}{Control>}k{/Control}')
  await ui.dialog().getByRole('combobox').fill('ada')
  await expect.element(ui.dialog().getByRole('option').last()).toMatchTextContent('Ada')
  await expectAccessible('the command menu', expectDialogFits)
  await userEvent.keyboard('{Escape}')
  await ui.chooseInMenu('Sessions and passkeys')
  await ui.button('Add a passkey').click()
  await page.getByLabelText('Your password', { exact: true }).fill(account.password)
  await expectAccessible('the form of a passkey', expectDialogFits)
  await userEvent.keyboard('{Enter}')
  await expect.element(ui.button('Remove the passkey Firefox on Linux')).toBeVisible()
  await expectAccessible('the list of passkeys', expectDialogFits)
})

test('import and export have no violation at any step', async () => {
  await openRecords(makeEmployees(3))
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const chooseFile = (name: string, content: string) =>
    dialog('Import')
      .getByCss('input[type=file]')
      .upload(new File([content], name, { type: 'text/csv' }))
  await ui.button('Import').click()
  await expect.element(dialog('Import')).toBeVisible()
  await expectAccessible('import', expectDialogFits)
  await chooseFile('nothing.csv', '\n')
  const emptyFile = dialog('Import').getByRole('alert').filter({ hasText: 'The file is empty.' })
  await expect.element(emptyFile).toBeVisible()
  await expectAccessible('import of an empty file', expectDialogFits)
  await chooseFile(
    'people.csv',
    `Employee Name,Email,Password
Person 0,person0@example.com,secret-0
A name that is much too long to stand in a row of this list on any screen,person1@example.com,new
'=a formula,new@example.com,x
عائشة,rtl@example.com,p
,wrong,x
`,
  )
  await expect.element(dialog('Import').getByRole('listitem')).toHaveLength(5)
  await expectAccessible('preview', expectDialogFits)
  await dialog('Import').getByRole('button', { name: 'Import 3 records' }).click()
  await expect.element(dialog('Imported')).toMatchTextContent('2 records imported, 1 changed')
  await expectAccessible('imported', expectDialogFits)
  await dialog('Imported').getByRole('button', { name: 'Done' }).click()
  await ui.button('Import').click()
  await chooseFile('staff.csv', 'Name,Email\nSomebody,staff@example.com\n')
  await dialog('Import').getByText('1 row has no password. Generate one.').click()
  await expectAccessible('preview with generated passwords', expectDialogFits)
  await dialog('Import').getByRole('button', { name: 'Import 1 record' }).click()
  await dialog('Imported').getByRole('button', { name: 'Copy with passwords' }).click()
  await expect.element(dialog('Imported').getByText('Copied.')).toBeVisible()
  await expectAccessible('imported with generated passwords', expectDialogFits)
  await dialog('Imported').getByRole('button', { name: 'Done' }).click()
  await ui.searchBox().fill('person')
  await expect.element(ui.rows()).toHaveLength(3)
  await ui.button('Export').click()
  await expect.element(dialog('Export').getByLabelText('Shown in the table')).toBeChecked()
  await dialog('Export').getByLabelText('Include passwords').click()
  await expectAccessible('export', expectDialogFits)
  await dialog('Export').getByLabelText('1Password').click()
  await expectAccessible('export for a password manager', expectDialogFits)
  await dialog('Export').getByLabelText('Emergency file').click()
  await expectAccessible('export for the safe', expectDialogFits)
  await dialog('Export').getByRole('button', { name: 'Show the code' }).click()
  await expect.element(dialog('Emergency file')).toBeVisible()
  await expectAccessible('code of an emergency file', expectDialogFits)
}, 180_000)

test('what happened to the records has no violation, in dialogs, form, rows and sort order', async () => {
  const people = makeEmployees(9)
  const { backend, colleague } = await openRecords([ada, grace, ...people])
  await colleague.identity.createAccount('leaver@example.com', 'a long enough one')
  await colleague.remove(...people)
  await ui.chooseInMenu('Recently deleted')
  await expect.element(page.getByRole('dialog').getByRole('listitem')).toHaveLength(9)
  await expectAccessible('recently deleted', expectDialogFits)
  await userEvent.keyboard('{Escape}')
  await ui.chooseInMenu('Activity')
  await page.getByRole('dialog').getByRole('button', { name: 'Records' }).click()
  await expect.element(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await expectAccessible('activity', expectDialogFits)
  await userEvent.keyboard('{Escape}')
  await backend.removeAccount('leaver@example.com')
  await ui.chooseInMenu('Team')
  await expect.element(page.getByRole('heading', { name: 'Removed' })).toBeVisible()
  await page.getByRole('button', { name: 'More about colleague@example.com' }).click()
  await page.getByRole('button', { name: /^Remove / }).click()
  await expectAccessible('team', expectDialogFits)
  await page.getByRole('button', { name: 'More about leaver@example.com' }).click()
  await expectAccessible('team with a removed account open', expectDialogFits)
  await page.getByRole('button', { name: 'What must we change? leaver@example.com' }).click()
  await expect.element(page.getByRole('note').getByText('knew 2 passwords')).toBeVisible()
  await ui.sortSelect().selectOptions('Last changed')
  await expectAccessible('what must change')
  await ui.button('Change 2…').click()
  await expect.element(ui.updateButton()).toHaveFocus()
  await expectAccessible('a run')
  await userEvent.keyboard('{Enter}{Escape}')
  await expect.element(ui.form()).toMatchTextContent('1 of 2 passwords changed.')
  await expectAccessible('the end of a run')
  await ui.rows().getByRole('button', { name: 'Edit' }).click()
  await expect.element(ui.form()).toMatchTextContent(/Changed (just now|\d+ minutes? ago)/)
  await expectAccessible('last changed in the form')
  await colleague.remove(ada, grace)
  await expect.element(page.getByText('All done.')).toBeVisible()
  await expectAccessible('nothing left to change')
}, 180_000)

test('an offline page and an ended session have no violation', async () => {
  const { client } = await openRecords([ada])
  await client.cutNetwork()
  await expect.element(page.getByText('The server isn’t available.')).toBeVisible()
  await ui.submitEmployee(grace)
  await expect.element(ui.outboxList()).toMatchTextContent('Will be saved')
  await expectAccessible('offline')
  await client.restoreNetwork()
  await expect.element(ui.outboxList()).not.toMatchTextContent('Will be saved')
  client.endSession()
  await expect.element(page.getByRole('alert')).toMatchTextContent('You’ve been signed out')
  await expectAccessible('session ended')
})

test('the bar with Undo has no violation, with one delete, reduced to its buttons, and with a list', async () => {
  await page.viewport(320, 700)
  await openRecords(makeEmployees(18))
  await expect.element(ui.rowOf('Person 12')).toBeInTheDocument()
  ui.rowOf('Person 12').element().scrollIntoView({ block: 'center' })
  await ui.button('Delete Person 12').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 12')
  await expectAccessible('a delete')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await ui.button('Delete Person 13').click()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 13')
  vi.advanceTimersByTime(8_000)
  vi.useRealTimers()
  await expect.poll(() => document.querySelector('[data-quiet="true"]')).not.toBeNull()
  await expectAccessible('deletes that were a while ago')
  await ui.button('Recent changes').click()
  await expect.element(ui.undoBar().getByRole('listitem')).toHaveLength(2)
  await expectAccessible('two deletes')
})

test('the name of an icon has no violation, by keyboard in a row and with the mouse in a dialog', async () => {
  await openRecords([ada, grace])
  const name = page.getByCss('[popover=manual]:popover-open')
  await expect.element(page.getByCss('[popover=manual]')).toBeInTheDocument()
  await expectAccessible('the name of an icon in a row', async () => {
    ui.focus(ui.rowOf(ada))
    await ui.moveFocus('{ArrowRight}', ui.rowButton(ada, 'Copy email'))
    await expect.element(name).toMatchTextContent('Copy the email')
  })
  await ui.button('Import').click()
  await expectAccessible('the name of an icon in a dialog', async () => {
    await ui.dialog('Import').getByRole('heading').first().hover()
    await ui.dialog('Import').getByRole('button', { name: 'Close' }).hover()
    await expect.element(name).toHaveTextContent('Close')
  })
})

test('without reduced motion, something moves in every state, so the checks above can fail', async () => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' })
  const testPage = await openRecords()
  const release = testPage.client.holdCalls(['list'])
  await testPage.reload()
  await expect.element(page.getByText('Loading…')).toBeInTheDocument()
  expect(findMotions()).toContain('div::before has an animation')
  release()
  await ui.addEmployee(grace)
  await ui.rowButton(grace, 'Edit').hover()
  await expect.poll(findMotions).toContainEqual(expect.stringMatching(/^transitionrun of 120 ms/))
  await ui.addEmployee(ada)
  await ui.table().getByRole('columnheader', { name: 'Email' }).getByRole('button').click()
  await ui.expectNames(ada, grace)
  expect(findMotions()).toEqual(expect.arrayContaining(['TR slides', 'button has a transition']))
})

test('a page from right to left has no violation', async () => {
  document.documentElement.dir = 'rtl'
  await openRecords([ada, grace])
  await expectAccessible('right to left')
  document.documentElement.removeAttribute('dir')
})

test('puts no listener for clicks on what is no control, which screen readers would call clickable', async () => {
  const listeners = new Map<EventTarget, string[]>()
  const add = EventTarget.prototype.addEventListener
  vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (
    this: EventTarget,
    ...args: Parameters<typeof add>
  ) {
    listeners.set(this, [...(listeners.get(this) ?? []), args[0]])
    add.apply(this, args)
  })
  const container = listenAtWindow(document.body.appendChild(document.createElement('div')))
  const root = createRoot(container)
  const press = vi.fn()
  root.render(<Button onClick={press}>{t('Close')}</Button>)
  await page.getByRole('button', { name: 'Close' }).click()
  expect(press).toHaveBeenCalledOnce()
  expect(listeners.has(container)).toBe(false)
  root.unmount()
  container.remove()

  await openRecords([ada])
  await ui.rowButton(ada, 'Edit').click()
  const isControl = (element: HTMLElement) =>
    element.matches('button, a, input, select, textarea, [role=option]')
  const isInPage = (element: HTMLElement) => element.closest('main') !== null
  const clickable = [...document.querySelectorAll<HTMLElement>('*')].filter(
    (element) => isInPage(element) && !isControl(element) && element.onclick !== null,
  )
  expect(clickable).toEqual([])
})

test('says which record the form edits when the focus comes to it', async () => {
  await openRecords([ada])
  await expect.element(ui.form()).toHaveAccessibleName('Employee Data Form')
  await ui.rowButton(ada, 'Edit').click()
  await expect.element(ui.form()).toHaveAccessibleName('Employee Data Form Editing Ada Lovelace')
})
