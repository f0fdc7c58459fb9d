// One boundary around the whole page catches the exceptions of all parts, also of those that are loaded on demand.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { SignUpScreen } from '../../web/auth/sign-up-screen.tsx'
import { ImportDialog } from '../../web/records/features/import/import-dialog.tsx'
import { TopBar } from '../../web/records/page/top-bar.tsx'
import { PasswordGenerator } from '../../web/records/register/form/password-generator.tsx'
import { EmployeeTable } from '../../web/records/register/table/employee-table.tsx'
import { ada, grace } from '../support/people.ts'
import { openPage, openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

vi.mock('../../web/auth/sign-up-screen.tsx', { spy: true })
vi.mock('../../web/records/register/form/password-generator.tsx', { spy: true })
vi.mock('../../web/records/features/import/import-dialog.tsx', { spy: true })
vi.mock('../../web/records/register/table/employee-table.tsx', { spy: true })
vi.mock('../../web/records/page/top-bar.tsx', { spy: true })

type Part = (props: never) => unknown

/** Makes a part throw when it is next rendered. Returns a function that repairs it. */
function breakPart(part: Part) {
  allowConsole(/broken/, /error occurred in/)
  const spy = vi.mocked(part).mockImplementation(() => {
    throw new Error('broken')
  })
  return () => spy.mockReset()
}

test.each<[string, Part, (testPage: TestPage) => unknown]>([
  ['top bar', TopBar, (testPage) => testPage.reload()],
  ['table', EmployeeTable, ({ colleague }) => colleague.add(grace)],
  ['password generator', PasswordGenerator, () => ui.button('Generate password').click()],
  ['import', ImportDialog, () => ui.button('Import').click()],
])('an exception in the %s is told, and loses no input', async (_, part, render) => {
  const testPage = await openRecords([ada])
  await ui.fillForm(grace)
  const repair = breakPart(part)
  await render(testPage)
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your unsaved changes are kept.')
  await expect.element(ui.button('Reload')).toBeVisible()
  repair()
  await testPage.reload()
  await expect.poll(ui.readForm).toEqual(grace)
})

test('an exception in an account screen is told', { tags: 'main' }, async () => {
  const repair = breakPart(SignUpScreen)
  await openPage('/')
  await expect.element(page.getByRole('alert')).toMatchTextContent('The page stopped because of an error.')
  repair()
})
