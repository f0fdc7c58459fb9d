// The specification, sentence by sentence; docs/specification.md maps each sentence to its test.
// These tests use only the page, so they run against every backend.
import { newCredentials } from '../support/backend-client.ts'
import {
  addEmployee,
  expect,
  expectNames,
  fillForm,
  form,
  names,
  openAnotherBrowser,
  outboxEntry,
  readForm,
  rowButton,
  rowOf,
  rows,
  signIn,
  signUp,
  table,
  test,
} from '../support/e2e/fixture.ts'
import { account, ada, alan, grace } from '../support/people.ts'

const storedUser = { uid: 'someone', email: 'someone@example.com', createdAt: '2026-01-01T00:00:00.000Z' }

test.describe('screens and routes', { tag: '@spec-2' }, () => {
  test('/ is sign-up, titled Create Your Account, with email, password and Sign Up', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign Up', exact: true })).toBeVisible()
  })

  test('/signin is sign-in, titled Welcome Back, with email, password and Sign In', async ({ page }) => {
    await page.goto('/signin')
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  })

  test('any other path redirects to /', async ({ page }) => {
    for (const path of [
      '/login',
      '/nowhere',
      '/form/',
      '/form/deeper',
      '/signin/x',
      '/SignIn',
      '/Form2',
      '/anna.smith',
    ]) {
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    }
  })

  test('/form without a stored signed-in user redirects to /', async ({ page }) => {
    await page.goto('/form')
    await expect(page).toHaveURL('/')
  })

  test('/form has a top bar with Logged in as: {email} and a Logout button', async ({ recordsPage }) => {
    const bar = recordsPage.getByRole('banner')
    await expect(bar.getByText(`Logged in as: ${account.email}`, { exact: true })).toBeVisible()
    await expect(bar.getByRole('button', { name: 'Logout', exact: true })).toBeVisible()
  })

  test('the form is titled Employee Data Form, with its three fields and Submit', async ({ recordsPage }) => {
    await expect(recordsPage.getByRole('heading', { name: 'Employee Data Form', exact: true })).toBeVisible()
    await expect(form(recordsPage).getByLabel('Employee Name', { exact: true })).toBeVisible()
    await expect(form(recordsPage).getByLabel('Email', { exact: true })).toBeVisible()
    await expect(form(recordsPage).getByLabel('Password', { exact: true })).toBeVisible()
    await expect(form(recordsPage).getByRole('button', { name: 'Submit', exact: true })).toBeVisible()
  })

  test('the submit button reads Update while editing, and Submit again afterwards', async ({
    recordsPage,
  }) => {
    await addEmployee(recordsPage, ada)
    await rowButton(recordsPage, ada, 'Edit').click()
    await expect(form(recordsPage).getByRole('button', { name: 'Update', exact: true })).toBeVisible()
    await expect(form(recordsPage).getByRole('button', { name: 'Submit', exact: true })).toHaveCount(0)
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    await expect(form(recordsPage).getByRole('button', { name: 'Submit', exact: true })).toBeVisible()
  })

  test('below the form is the table Employee Records, with its five columns', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await expect(recordsPage.getByRole('heading', { name: 'Employee Records', exact: true })).toBeVisible()
    const headers = table(recordsPage).getByRole('columnheader')
    await expect(headers).toHaveText(['#', 'Employee Name', 'Email', 'Password', 'Action'])
    const formBox = await form(recordsPage).boundingBox()
    const tableBox = await table(recordsPage).boundingBox()
    expect(tableBox?.y).toBeGreaterThan((formBox?.y ?? 0) + (formBox?.height ?? 0) - 1)
    await expect(rowOf(recordsPage, ada).getByRole('cell').first()).toHaveText('1')
    await expect(rowOf(recordsPage, ada)).toContainText(ada.email)
  })

  test('the password cell is a disabled field, masked by default', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    const field = rowOf(recordsPage, ada).getByLabel(`Password of ${ada.eName}`, { exact: true })
    await expect(field).toBeDisabled()
    await expect(field).toHaveAttribute('type', 'password')
    await expect(field).toHaveValue(ada.password)
  })

  test('the eye reveals or hides the password of that row only', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    const field = (eName: string) =>
      rowOf(recordsPage, eName).getByLabel(`Password of ${eName}`, { exact: true })
    const eye = rowButton(recordsPage, ada, 'Show password')
    await eye.click()
    await expect(field(ada.eName)).toHaveAttribute('type', 'text')
    await expect(field(ada.eName)).toHaveValue(ada.password)
    await expect(field(grace.eName)).toHaveAttribute('type', 'password')
    await eye.click()
    await expect(field(ada.eName)).toHaveAttribute('type', 'password')
  })

  test('the Action column has an edit and a delete button per row', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    for (const eName of [ada.eName, grace.eName]) {
      const action = rowOf(recordsPage, eName).getByRole('cell').last()
      await expect(action.getByRole('button', { name: `Edit ${eName}`, exact: true })).toBeVisible()
      await expect(action.getByRole('button', { name: `Delete ${eName}`, exact: true })).toBeVisible()
    }
  })

  test('all records are loaded when the page opens with a stored user', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    await recordsPage.reload()
    await expectNames(recordsPage, ada, grace)
  })

  test('Logout navigates to /login, which falls through to /', async ({ recordsPage }) => {
    const visited: string[] = []
    await recordsPage.exposeFunction('visited', (path: string) => visited.push(path))
    await recordsPage.evaluate(() => {
      for (const name of ['pushState', 'replaceState'] as const) {
        const original = history[name].bind(history)
        history[name] = (data, unused, url) => {
          ;(window as unknown as { visited(path: string): void }).visited(String(url))
          original(data, unused, url)
        }
      }
    })
    await recordsPage.getByRole('button', { name: 'Logout' }).click()
    await expect(recordsPage).toHaveURL('/')
    await expect(recordsPage.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    expect(visited).toEqual(['/login', '/'])
  })
})

test.describe('entities and their fields', { tag: '@spec-3' }, () => {
  test('the user object is in local storage under the key user, and its email in the top bar', async ({
    recordsPage,
  }) => {
    const stored = await recordsPage.evaluate(() => ({ ...localStorage }))
    const user = JSON.parse(stored.user ?? 'null')
    expect(user).toMatchObject({ email: account.email })
    expect(user.uid).toEqual(expect.any(String))
    await expect(recordsPage.getByRole('banner')).toContainText(user.email)
  })

  test('local storage holds no password and no token', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    const stored = JSON.stringify(
      await recordsPage.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]),
    )
    expect(stored).not.toContain(account.password)
    expect(stored).not.toContain(ada.password)
    expect(stored).not.toMatch(/token|apiKey/i)
  })

  test('a record is name, email and password as text, shown in plain form', async ({ recordsPage }) => {
    const odd = { eName: '<b>Zoë 👩‍💻</b>', email: "o'zoe+1@example.com", password: '  spaces & "quotes" ' }
    await addEmployee(recordsPage, odd)
    await recordsPage.reload()
    await rowButton(recordsPage, odd, 'Show password').click()
    await expect(rowOf(recordsPage, odd).getByRole('rowheader')).toHaveText(odd.eName)
    await expect(rowOf(recordsPage, odd)).toContainText(odd.email)
    await expect(rowOf(recordsPage, odd).locator('input')).toHaveValue(odd.password)
  })
})

test.describe('states and transitions', { tag: '@spec-4' }, () => {
  test('add appends the new record, which can be used at once', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    await addEmployee(recordsPage, alan)
    await expectNames(recordsPage, ada, grace, alan)
    await rowButton(recordsPage, alan, 'Delete').click()
    await expectNames(recordsPage, ada, grace)
  })

  test('edit fills the form with that row, and update replaces the record in its position', async ({
    recordsPage,
  }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    await rowButton(recordsPage, ada, 'Edit').click()
    expect(await readForm(recordsPage)).toEqual(ada)
    await fillForm(recordsPage, { eName: 'Ada King', email: 'king@example.com', password: 'countess' })
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    await expectNames(recordsPage, 'Ada King', grace)
    await expect(rowOf(recordsPage, 'Ada King')).toContainText('king@example.com')
    await recordsPage.reload()
    await expect(rowOf(recordsPage, 'Ada King').locator('input')).toHaveValue('countess')
  })

  test('the form is in create mode by default, and again after an update', async ({ recordsPage }) => {
    await expect(form(recordsPage).getByRole('button', { name: 'Submit' })).toBeVisible()
    await addEmployee(recordsPage, ada)
    await rowButton(recordsPage, ada, 'Edit').click()
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    await addEmployee(recordsPage, grace)
    await expectNames(recordsPage, ada, grace)
  })

  test('the form is cleared after every submit', async ({ recordsPage }) => {
    const empty = { eName: '', email: '', password: '' }
    await addEmployee(recordsPage, ada)
    expect(await readForm(recordsPage)).toEqual(empty)
    await rowButton(recordsPage, ada, 'Edit').click()
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    expect(await readForm(recordsPage)).toEqual(empty)
  })

  test('delete applies immediately, with no confirmation, and only to that record', async ({
    recordsPage,
  }) => {
    recordsPage.on('dialog', () => expect('a dialog').toBe('not shown'))
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    await rowButton(recordsPage, ada, 'Delete').click()
    await expectNames(recordsPage, grace)
    await recordsPage.reload()
    await expectNames(recordsPage, grace)
  })

  test('sign-up success navigates to /signin', async ({ page }) => {
    await signUp(page, newCredentials())
    await expect(page).toHaveURL('/signin')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })

  test('sign-in success stores the user and navigates to /form', async ({ page }) => {
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    await signIn(page, newcomer)
    await expect(page).toHaveURL('/form')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toContain(newcomer.email)
  })

  test('logout signs out, removes the stored user, and closes /form', async ({ recordsPage }) => {
    await recordsPage.getByRole('button', { name: 'Logout' }).click()
    await expect(recordsPage).toHaveURL('/')
    expect(await recordsPage.evaluate(() => localStorage.getItem('user'))).toBeNull()
    await recordsPage.goto('/form')
    await expect(recordsPage).toHaveURL('/')
  })

  test('access to /form depends only on the presence of the stored user', async ({
    page,
    expectedErrors,
  }) => {
    // The service rejects the list request of a user without a session, and the browser logs it.
    expectedErrors.push(/401|permission/i)
    await page.goto('/')
    await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), storedUser)
    await page.goto('/form')
    await expect(page).toHaveURL('/form')
    await expect(page.getByText(`Logged in as: ${storedUser.email}`)).toBeVisible()
    await expect(rows(page)).toHaveCount(0)
  })
})

test.describe('validation rules', { tag: '@spec-5' }, () => {
  for (const [path, action] of [
    ['/', 'Sign Up'],
    ['/signin', 'Sign In'],
  ] as const) {
    test(`${action} requires an email-type email and a password`, async ({ page }) => {
      await page.goto(path)
      const email = page.getByLabel('Email')
      const password = page.getByLabel('Password', { exact: true })
      await expect(email).toHaveAttribute('type', 'email')
      await expect(password).toHaveAttribute('type', 'password')
      const invalid = () =>
        page
          .locator('input:invalid')
          .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))
      expect(await invalid()).toEqual(['email', 'password'])
      await email.fill('not an address')
      await password.fill('long enough')
      expect(await invalid()).toEqual(['email'])
      await page.getByRole('button', { name: action }).click()
      await expect(page).toHaveURL(path)
      await expect(email).toBeFocused()
    })
  }

  test('the employee form requires name, an email-type email and a password', async ({ recordsPage }) => {
    await expect(form(recordsPage).getByLabel('Email', { exact: true })).toHaveAttribute('type', 'email')
    const submit = form(recordsPage).getByRole('button', { name: 'Submit' })
    for (const missing of ['eName', 'email', 'password'] as const) {
      await fillForm(recordsPage, { ...ada, [missing]: '' })
      await submit.click()
      await expect(form(recordsPage).locator(':invalid')).toHaveAttribute('name', missing)
    }
    await fillForm(recordsPage, { ...ada, email: 'not an address' })
    await submit.click()
    await expect(form(recordsPage).locator(':invalid')).toHaveAttribute('name', 'email')
    await expect(rows(recordsPage)).toHaveCount(0)
    for (const label of ['Employee Name', 'Email', 'Password']) {
      await expect(form(recordsPage).getByLabel(label, { exact: true })).toHaveAttribute('required')
    }
  })
})

test.describe('roles and permissions', { tag: '@spec-6' }, () => {
  test('any signed-in user can add, edit and delete all records', async ({ recordsPage, baseURL }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    const theirs = await openAnotherBrowser(recordsPage, baseURL)
    const colleague = newCredentials()
    await signUp(theirs, colleague)
    await signIn(theirs, colleague)
    await expectNames(theirs, ada, grace)
    await rowButton(theirs, ada, 'Edit').click()
    await fillForm(theirs, alan)
    await form(theirs).getByRole('button', { name: 'Update' }).click()
    await rowButton(theirs, grace, 'Delete').click()
    await expectNames(theirs, alan)
    const added = { eName: 'Mary Jackson', email: 'mary@example.com', password: 'wind tunnel' }
    await addEmployee(theirs, added)
    const all = [alan.eName, added.eName]
    await expect(names(recordsPage)).toHaveText(all)
    await recordsPage.reload()
    await expect(names(recordsPage)).toHaveText(all)
    await theirs.context().close()
  })
})

test.describe('the error catalogue', { tag: '@spec-8' }, () => {
  test('sign-up failure: the error is logged, and an alert shows the provider’s message', async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/40[09]/, /Sign-up failed/)
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    const logged = page.waitForEvent('console', (message) => message.text().includes('Sign-up failed'))
    await page.goto('/')
    await page.getByLabel('Email').fill(newcomer.email)
    await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('alert')).toHaveText('An account with this email already exists.')
    expect((await logged).type()).toBe('error')
    await expect(page).toHaveURL('/')
    await expect(page.getByLabel('Email')).toHaveValue(newcomer.email)
  })

  test('sign-in failure: an alert shows Error: {message}, and the code is logged', async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/40[01]/, /Sign-in failed/)
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    const logged = page.waitForEvent('console', (message) => message.text().includes('Sign-in failed'))
    await page.getByLabel('Email').fill(newcomer.email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Error: Wrong email or password.')
    expect((await logged).text()).toBe('Sign-in failed: invalid-credentials')
    await expect(page).toHaveURL('/signin')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })

  test('an unknown account and a wrong password look the same', async ({ page, expectedErrors }) => {
    expectedErrors.push(/40[01]/, /Sign-in failed/)
    await page.goto('/signin')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('whatever it is')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Error: Wrong email or password.')
  })

  test('logout failure is only logged; the user stays signed in', async ({
    backend,
    recordsPage,
    expectedErrors,
  }) => {
    expectedErrors.push(/Logout failed/, /Failed to load resource/)
    await addEmployee(recordsPage, ada)
    const repair = await backend.failSignOut(recordsPage)
    const logged = recordsPage.waitForEvent('console', (message) => message.text().includes('Logout failed'))
    await recordsPage.getByRole('button', { name: 'Logout' }).click()
    expect((await logged).type()).toBe('error')
    await expect(recordsPage).toHaveURL('/form')
    await expect(recordsPage.getByRole('alert')).toBeEmpty()
    expect(await recordsPage.evaluate(() => localStorage.getItem('user'))).toContain(account.email)
    await addEmployee(recordsPage, grace)
    await repair()
    await recordsPage.reload()
    await expectNames(recordsPage, ada, grace)
  })

  test('the message of a failed operation is displayed only in the outbox', async ({
    backend,
    recordsPage,
    expectedErrors,
  }) => {
    expectedErrors.push(/Failed to load resource/)
    const reason = await backend.rejectWrites(recordsPage)
    await fillForm(recordsPage, ada)
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(outboxEntry(recordsPage, `Not saved: ${ada.eName}`)).toContainText(reason)
    // Its announcement to screen readers is removed after 5 s.
    const readPage = () => recordsPage.locator('html').textContent()
    await expect.poll(async () => (await readPage())?.split(reason)).toHaveLength(2)
    await expect(recordsPage.getByRole('alert')).toBeEmpty()
  })
})
