// The specification, sentence by sentence; docs/specification.md maps each sentence to its test.
// These tests use only the page, so they run against every backend.
import type { Locator, Page } from '@playwright/test'
import { fieldNames } from '../../contract/employees.ts'
import { newCredentials } from '../support/backend-client.ts'
import {
  addEmployee,
  expect,
  expectNames,
  field,
  fillForm,
  form,
  openAnotherBrowser,
  outboxEntry,
  readForm,
  rowButton,
  rowOf,
  rows,
  signIn,
  signUp,
  submitEmployee,
  table,
  test,
} from '../support/e2e/fixture.ts'
import { account, ada, alan, grace, named, nameOf, record } from '../support/people.ts'

const readStoredUser = (page: Page) => page.evaluate(() => localStorage.getItem('user'))
const storedUser = { uid: 'someone', email: 'someone@example.com', createdAt: '2026-01-01T00:00:00.000Z' }

test.describe('screens and routes', { tag: '@spec-2' }, () => {
  for (const [path, screen, title, action] of [
    ['/', 'sign-up', 'Create Your Account', 'Sign Up'],
    ['/signin', 'sign-in', 'Welcome Back', 'Sign In'],
  ] as const) {
    test(`${path} is ${screen}, titled ${title}, with email, password and ${action}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page.getByLabel('Email')).toBeVisible()
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: action, exact: true })).toBeVisible()
    })
  }

  test('any other path redirects to /', async ({ page }) => {
    for (const path of ['login', 'form/', 'form/deeper', 'signin/x', 'SignIn', 'Form2', 'anna.smith']) {
      await page.goto(`/${path}`)
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

  test('the form is titled Employee Data Form, with its three fields and Submit, or Update while editing', async ({
    recordsPage,
  }) => {
    const button = (name: string) => form(recordsPage).getByRole('button', { name, exact: true })
    await expect(recordsPage.getByRole('heading', { name: 'Employee Data Form', exact: true })).toBeVisible()
    for (const name of fieldNames) await expect(field(recordsPage, name)).toBeVisible()
    await expect(button('Submit')).toBeVisible()
    await addEmployee(recordsPage, ada)
    await rowButton(recordsPage, ada, 'Edit').click()
    await expect(button('Update')).toBeVisible()
    await expect(button('Submit')).toHaveCount(0)
    await button('Update').click()
    await expect(button('Submit')).toBeVisible()
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

  test('each row has a disabled, masked password, an eye that reveals it, and buttons to edit and delete', async ({
    recordsPage,
  }) => {
    const people = [ada, grace]
    for (const employee of people) await addEmployee(recordsPage, employee)
    const [password, otherPassword] = people.map((employee) =>
      recordsPage.getByLabel(`Password of ${nameOf(employee)}`, { exact: true }),
    ) as [Locator, Locator]
    await expect(password).toBeDisabled()
    await expect(password).toHaveValue(ada.password)
    for (const field of [password, otherPassword]) await expect(field).toHaveAttribute('type', 'password')
    const eye = rowButton(recordsPage, ada, 'Show password')
    await eye.click()
    await expect(password).toHaveAttribute('type', 'text')
    await expect(password).toHaveValue(ada.password)
    await expect(otherPassword).toHaveAttribute('type', 'password')
    await eye.click()
    await expect(password).toHaveAttribute('type', 'password')
    for (const employee of people) {
      const actions = rowOf(recordsPage, employee).getByRole('cell').last()
      for (const action of ['Edit', 'Delete'])
        await expect(actions.getByRole('button', { name: `${action} ${nameOf(employee)}` })).toBeVisible()
    }
  })

  test('logout signs out, removes the stored user, and navigates to /login, which falls through to /', async ({
    recordsPage,
  }) => {
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
    await expect(recordsPage.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await expect.poll(() => visited).toEqual(['/login', '/'])
    expect(await readStoredUser(recordsPage)).toBeNull()
    await recordsPage.goto('/form')
    await expect(recordsPage).toHaveURL('/')
  })
})

test.describe('entities and their fields', { tag: '@spec-3' }, () => {
  test('local storage has the user object under the key user, and no password or token', async ({
    recordsPage,
  }) => {
    await addEmployee(recordsPage, ada)
    const user = JSON.parse((await readStoredUser(recordsPage)) ?? 'null')
    expect(user).toMatchObject({ uid: expect.any(String), email: account.email })
    const stored = JSON.stringify(
      await recordsPage.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]),
    )
    for (const password of [account.password, ada.password]) expect(stored).not.toContain(password)
    expect(stored).not.toMatch(/token|apiKey/i)
  })

  test('a record is name, email and password as text, shown in plain form', async ({ recordsPage }) => {
    const odd = named('<b>Zoë 👩‍💻</b>', { email: "o'zoe+1@example.com", password: '  spaces & "quotes" ' })
    await addEmployee(recordsPage, odd)
    await recordsPage.reload()
    await rowButton(recordsPage, odd, 'Show password').click()
    await expect(rowOf(recordsPage, odd).getByRole('rowheader')).toHaveText(nameOf(odd))
    await expect(rowOf(recordsPage, odd)).toContainText(odd.email)
    await expect(rowOf(recordsPage, odd).locator('input')).toHaveValue(odd.password)
  })
})

test.describe('states and transitions', { tag: '@spec-4' }, () => {
  test('add appends the new record, which can be used at once; all are loaded when the page opens', async ({
    recordsPage,
  }) => {
    for (const employee of [ada, grace, alan]) await addEmployee(recordsPage, employee)
    await expectNames(recordsPage, ada, grace, alan)
    await rowButton(recordsPage, alan, 'Delete').click()
    await expectNames(recordsPage, ada, grace)
    await recordsPage.reload()
    await expectNames(recordsPage, ada, grace)
  })

  test('edit fills the form with that row, and update replaces the record in its position', async ({
    recordsPage,
  }) => {
    await addEmployee(recordsPage, ada)
    await addEmployee(recordsPage, grace)
    await rowButton(recordsPage, ada, 'Edit').click()
    expect(await readForm(recordsPage)).toEqual(ada)
    await fillForm(recordsPage, alan)
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    await expectNames(recordsPage, alan, grace)
    await expect(rowOf(recordsPage, alan)).toContainText(alan.email)
    await recordsPage.reload()
    await expect(rowOf(recordsPage, alan).locator('input')).toHaveValue(alan.password)
  })

  test('the form is in create mode by default and after an update, and is cleared after every submit', async ({
    recordsPage,
  }) => {
    const readTexts = async () => Object.values(await readForm(recordsPage)).join('')
    await addEmployee(recordsPage, ada)
    expect(await readTexts()).toBe('')
    await rowButton(recordsPage, ada, 'Edit').click()
    await form(recordsPage).getByRole('button', { name: 'Update' }).click()
    expect(await readTexts()).toBe('')
    await addEmployee(recordsPage, grace)
    await expectNames(recordsPage, ada, grace)
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

  test('sign-up success navigates to /signin; sign-in success stores the user and navigates to /form', async ({
    page,
  }) => {
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    await expect(page).toHaveURL('/signin')
    expect(await readStoredUser(page)).toBeNull()
    await signIn(page, newcomer)
    await expect(page).toHaveURL('/form')
    expect(await readStoredUser(page)).toContain(newcomer.email)
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
    await expect(field(recordsPage, 'email')).toHaveAttribute('type', 'email')
    const submit = form(recordsPage).getByRole('button', { name: 'Submit' })
    for (const name of fieldNames) {
      await expect(field(recordsPage, name)).toHaveAttribute('required')
      await fillForm(recordsPage, { ...ada, [name]: '' })
      await submit.click()
      await expect(form(recordsPage).locator(':invalid')).toHaveAttribute('name', name)
    }
    await fillForm(recordsPage, record({ email: 'not an address' }))
    await submit.click()
    await expect(form(recordsPage).locator(':invalid')).toHaveAttribute('name', 'email')
    await expect(rows(recordsPage)).toHaveCount(0)
  })
})

test.describe('roles and permissions', { tag: '@spec-6' }, () => {
  test('any signed-in user can add, edit and delete all records, and sees what others do without a reload', async ({
    recordsPage,
    baseURL,
  }) => {
    await addEmployee(recordsPage, ada)
    const theirs = await openAnotherBrowser(recordsPage, baseURL)
    const colleague = newCredentials()
    await signUp(theirs, colleague)
    await signIn(theirs, colleague)
    await expectNames(theirs, ada)
    await addEmployee(recordsPage, grace)
    await expectNames(theirs, ada, grace)
    await rowButton(theirs, ada, 'Edit').click()
    await fillForm(theirs, alan)
    await form(theirs).getByRole('button', { name: 'Update' }).click()
    await rowButton(theirs, grace, 'Delete').click()
    await expectNames(theirs, alan)
    await addEmployee(theirs, named('Mary Jackson'))
    await expectNames(recordsPage, alan, 'Mary Jackson')
    await expect(rowOf(recordsPage, alan)).toContainText(alan.email)
    await rowButton(recordsPage, 'Mary Jackson', 'Delete').click()
    await expectNames(theirs, alan)
    await recordsPage.reload()
    await expectNames(recordsPage, alan)
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

  test('sign-in failure: an alert shows Error: {message}, and the code is logged; an unknown account looks the same', async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/40[01]/, /Sign-in failed/)
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    for (const email of [newcomer.email, 'nobody@example.com']) {
      await page.goto('/signin')
      const logged = page.waitForEvent('console', (message) => message.text().includes('Sign-in failed'))
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByRole('alert')).toHaveText('Error: Wrong email or password.')
      expect((await logged).text()).toBe('Sign-in failed: invalid-credentials')
      await expect(page).toHaveURL('/signin')
      expect(await readStoredUser(page)).toBeNull()
    }
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
    expect(await readStoredUser(recordsPage)).toContain(account.email)
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
    await submitEmployee(recordsPage, ada)
    await expect(outboxEntry(recordsPage, 'Not saved: Ada Lovelace')).toContainText(reason)
    // Its announcement to screen readers is removed after 5 s.
    const readPage = () => recordsPage.locator('html').textContent()
    await expect.poll(async () => (await readPage())?.split(reason)).toHaveLength(2)
    await expect(recordsPage.getByRole('alert')).toBeEmpty()
  })
})
