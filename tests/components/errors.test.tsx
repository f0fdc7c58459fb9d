// No exception in any part of the page leaves it blank.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { PasswordDialog } from '../../web/auth/password-dialog.tsx'
import { SessionsDialog } from '../../web/auth/sessions-dialog.tsx'
import { SignInScreen } from '../../web/auth/sign-in-screen.tsx'
import { SignUpScreen } from '../../web/auth/sign-up-screen.tsx'
import { TeamDialog } from '../../web/auth/team/team-dialog.tsx'
import { ExportDialog } from '../../web/records/export/export-dialog.tsx'
import { EmployeeForm } from '../../web/records/form/employee-form.tsx'
import { PasswordGenerator } from '../../web/records/form/password-generator.tsx'
import { DeletedDialog } from '../../web/records/history/deleted-dialog.tsx'
import { ImportDialog } from '../../web/records/import/import-dialog.tsx'
import { OutboxList } from '../../web/records/outbox/outbox-list.tsx'
import { SearchControls } from '../../web/records/search/search-controls.tsx'
import { ShortcutsDialog } from '../../web/records/shortcuts/shortcuts-dialog.tsx'
import { EmployeeTable } from '../../web/records/table/employee-table.tsx'
import { HelpDialog } from '../../web/records/workspace/help-dialog.tsx'
import { TopBar } from '../../web/records/workspace/top-bar.tsx'
import { UndoBar } from '../../web/records/workspace/undo-bar.tsx'
import { ada, grace } from '../support/people.ts'
import { openPage, openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

vi.mock('../../web/auth/password-dialog.tsx', { spy: true })
vi.mock('../../web/auth/sessions-dialog.tsx', { spy: true })
vi.mock('../../web/auth/sign-in-screen.tsx', { spy: true })
vi.mock('../../web/auth/sign-up-screen.tsx', { spy: true })
vi.mock('../../web/auth/team/team-dialog.tsx', { spy: true })
vi.mock('../../web/records/export/export-dialog.tsx', { spy: true })
vi.mock('../../web/records/form/employee-form.tsx', { spy: true })
vi.mock('../../web/records/form/password-generator.tsx', { spy: true })
vi.mock('../../web/records/history/deleted-dialog.tsx', { spy: true })
vi.mock('../../web/records/import/import-dialog.tsx', { spy: true })
vi.mock('../../web/records/outbox/outbox-list.tsx', { spy: true })
vi.mock('../../web/records/search/search-controls.tsx', { spy: true })
vi.mock('../../web/records/shortcuts/shortcuts-dialog.tsx', { spy: true })
vi.mock('../../web/records/table/employee-table.tsx', { spy: true })
vi.mock('../../web/records/workspace/help-dialog.tsx', { spy: true })
vi.mock('../../web/records/workspace/top-bar.tsx', { spy: true })
vi.mock('../../web/records/workspace/undo-bar.tsx', { spy: true })

type Part = (props: never) => unknown

/** Makes a part throw when it is next rendered. Returns a function that repairs it. */
function breakPart(part: Part) {
  allowConsole(/broken/, /error occurred in/)
  const spy = vi.mocked(part).mockImplementation(() => {
    throw new Error('broken')
  })
  return () => spy.mockReset()
}

const change = ({ colleague }: TestPage) => colleague.documents.add(grace, 'key')
const inMenu = (item: string) => () => ui.chooseInMenu(item)

test.each<[string, Part, (testPage: TestPage) => unknown]>([
  ['top bar', TopBar, (testPage) => testPage.reload()],
  ['form', EmployeeForm, change],
  ['list of unsaved changes', OutboxList, change],
  ['undo bar', UndoBar, change],
  ['table', EmployeeTable, change],
  ['search', SearchControls, change],
  ['password generator', PasswordGenerator, () => ui.button('Generate password').click()],
  ['import', ImportDialog, () => ui.button('Import').click()],
  ['export', ExportDialog, () => ui.button('Export').click()],
  ['recently deleted records', DeletedDialog, inMenu('Recently deleted')],
  ['team', TeamDialog, inMenu('Team')],
  ['sessions', SessionsDialog, inMenu('Sessions and passkeys')],
  ['password dialog', PasswordDialog, inMenu('Change password')],
  ['shortcuts', ShortcutsDialog, inMenu('Keyboard shortcuts')],
  ['help', HelpDialog, inMenu('Help')],
])('an exception in the %s is told, and loses no input', async (_, part, render) => {
  const testPage = await openRecords([ada])
  await expect.element(ui.rowOf(ada)).toBeVisible()
  await ui.fillForm(grace)
  const repair = breakPart(part)
  await render(testPage)
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your unsaved changes are kept.')
  await expect.element(ui.button('Reload')).toBeVisible()
  repair()
  await testPage.reload()
  await expect.poll(ui.readForm).toEqual(grace)
})

test.each<[string, Part]>([
  ['/', SignUpScreen],
  ['/signin', SignInScreen],
])('an exception in %s is told', async (path, part) => {
  const repair = breakPart(part)
  await openPage(path)
  await expect.element(page.getByRole('alert')).toMatchTextContent('The page stopped because of an error.')
  repair()
})
