// The specification, sentence by sentence; docs/specification.md maps each sentence to its test.
// These tests use only the page, so they run against every backend.
import type { Locator, Page } from '@playwright/test'
import { fieldNames } from '../../contract/employees.ts'
import { newCredentials } from '../support/backend-client.ts'
import { allowConsole, expect, sendAccount, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { account, ada, alan, grace, named, nameOf, record } from '../support/people.ts'

const readStoredUser = (page: Page) => page.evaluate(() => localStorage.getItem('user'))
const storedUser = { uid: 'someone', email: 'someone@example.com', createdAt: '2026-01-01T00:00:00.000Z' }

test.describe('screens and routes', { tag: ['@spec-2', '@main'] }, () => {
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

  test('/form has a top bar with Logged in as: {email} and a Logout button', async ({
    records: { page },
  }) => {
    const bar = page.getByRole('banner')
    await expect(bar.getByText(`Logged in as: ${account.email}`, { exact: true })).toBeVisible()
    await expect(bar.getByRole('button', { name: 'Logout', exact: true })).toBeVisible()
  })

  test('the form is titled Employee Data Form, with its three fields and Submit, or Update while editing', async ({
    records,
    page,
  }) => {
    const button = (name: string) => records.form.getByRole('button', { name, exact: true })
    await expect(page.getByRole('heading', { name: 'Employee Data Form', exact: true })).toBeVisible()
    for (const name of fieldNames) await expect(records.field(name)).toBeVisible()
    await expect(button('Submit')).toBeVisible()
    await records.add(ada)
    await records.edit(ada)
    await expect(button('Update')).toBeVisible()
    await expect(button('Submit')).toHaveCount(0)
    await button('Update').click()
    await expect(button('Submit')).toBeVisible()
  })

  test('below the form is the table Employee Records, with its five columns', async ({ records, page }) => {
    await records.add(ada)
    await expect(page.getByRole('heading', { name: 'Employee Records', exact: true })).toBeVisible()
    const headers = records.table.getByRole('columnheader')
    await expect(headers).toHaveText(['#', 'Employee Name', 'Email', 'Password', 'Action'], {
      useInnerText: true,
    })
    const formBox = await records.form.boundingBox()
    const tableBox = await records.table.boundingBox()
    expect(tableBox?.y).toBeGreaterThan((formBox?.y ?? 0) + (formBox?.height ?? 0) - 1)
    await expect(records.rowOf(ada).getByRole('cell').first()).toHaveText('1')
    await expect(records.rowOf(ada)).toContainText(ada.email)
  })

  test('each row has a disabled, masked password, an eye that reveals it, and buttons to edit and delete', async ({
    records,
  }) => {
    const people = [ada, grace]
    for (const employee of people) await records.add(employee)
    const [password, otherPassword] = people.map((employee) =>
      records.rowOf(employee).locator('input:not([type=checkbox])'),
    ) as [Locator, Locator]
    await expect(password).toBeDisabled()
    for (const field of [password, otherPassword]) await expect(field).toHaveAttribute('type', 'password')
    const eye = records.rowButton(ada, 'Show password')
    await eye.click()
    await expect(password).toHaveAttribute('type', 'text')
    await expect(password).toHaveValue(ada.password)
    await expect(otherPassword).toHaveAttribute('type', 'password')
    await eye.click()
    await expect(password).toHaveAttribute('type', 'password')
    for (const employee of people) {
      const actions = records.rowOf(employee).getByRole('cell').last()
      for (const action of ['Edit', 'Delete'])
        await expect(actions.getByRole('button', { name: `${action} ${nameOf(employee)}` })).toBeVisible()
    }
  })

  test('logout signs out, removes the stored user, and navigates to /login, which falls through to /', async ({
    records,
    page,
  }) => {
    const visited: string[] = []
    await page.exposeFunction('visited', (path: string) => visited.push(path))
    await page.evaluate(() => {
      for (const name of ['pushState', 'replaceState'] as const) {
        const original = history[name].bind(history)
        history[name] = (data, unused, url) => {
          ;(window as unknown as { visited(path: string): void }).visited(String(url))
          original(data, unused, url)
        }
      }
    })
    await records.press('Logout')
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await expect.poll(() => visited).toEqual(['/login', '/'])
    expect(await readStoredUser(page)).toBeNull()
    await page.goto('/form')
    await expect(page).toHaveURL('/')
  })
})

test.describe('entities and their fields', { tag: ['@spec-3', '@main'] }, () => {
  test('local storage has the user object under the key user, and no password or token', async ({
    records,
    page,
  }) => {
    await records.add(ada)
    const user = JSON.parse((await readStoredUser(page)) ?? 'null')
    expect(user).toMatchObject({ uid: expect.any(String), email: account.email })
    const stored = JSON.stringify(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]))
    for (const password of [account.password, ada.password]) expect(stored).not.toContain(password)
    expect(stored.replaceAll(user.uid, '')).not.toMatch(/token|apiKey/i)
  })

  test('a record is name, email and password as text, shown in plain form', async ({ records, page }) => {
    const odd = named('<b>Zoë 👩‍💻</b>', { email: "o'zoe+1@example.com", password: '  spaces & "quotes" ' })
    await records.add(odd)
    await page.reload()
    await records.rowButton(odd, 'Show password').click()
    await expect(records.rowOf(odd).getByRole('rowheader')).toHaveText(nameOf(odd))
    await expect(records.rowOf(odd)).toContainText(odd.email)
    await expect(records.rowOf(odd).locator('input:not([type=checkbox])')).toHaveValue(odd.password)
  })
})

test.describe('states and transitions', { tag: ['@spec-4', '@main'] }, () => {
  test('add appends the new record, which can be used at once; all are loaded when the page opens', async ({
    records,
    page,
  }) => {
    for (const employee of [ada, grace, alan]) await records.add(employee)
    await records.expectNames(ada, grace, alan)
    await records.delete(alan)
    await records.expectNames(ada, grace)
    await page.reload()
    await records.expectNames(ada, grace)
  })

  test('edit fills the form with that row, and update replaces the record in its position', async ({
    records,
    page,
  }) => {
    await records.add(ada)
    await records.add(grace)
    await records.edit(ada)
    expect(await records.read()).toEqual(ada)
    await records.fill(alan)
    await records.update()
    await records.expectNames(alan, grace)
    await expect(records.rowOf(alan)).toContainText(alan.email)
    await page.reload()
    await records.rowButton(alan, 'Show password').click()
    await expect(records.rowOf(alan).locator('input:not([type=checkbox])')).toHaveValue(alan.password)
  })

  test('the form is in create mode by default and after an update, and is cleared after every submit', async ({
    records,
  }) => {
    const readTexts = async () => Object.values(await records.read()).join('')
    await records.add(ada)
    expect(await readTexts()).toBe('')
    await records.edit(ada)
    await records.update()
    expect(await readTexts()).toBe('')
    await records.add(grace)
    await records.expectNames(ada, grace)
  })

  test('delete applies immediately, with no confirmation, and only to that record', async ({
    records,
    page,
  }) => {
    page.on('dialog', () => expect('a dialog').toBe('not shown'))
    await records.add(ada)
    await records.add(grace)
    await records.delete(ada)
    await records.expectNames(grace)
    await page.reload()
    await records.expectNames(grace)
  })

  test('sign-up success navigates to /signin; sign-in success stores the user and navigates to /form', async ({
    page,
  }) => {
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    expect(await readStoredUser(page)).toBeNull()
    await signIn(page, newcomer)
    expect(await readStoredUser(page)).toContain(newcomer.email)
  })

  test('access to /form depends only on the presence of the stored user', async ({ page }) => {
    // The service rejects the list request of a user without a session, and the browser logs it.
    allowConsole(/401|permission/i)
    await page.goto('/')
    await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), storedUser)
    await page.goto('/form')
    await expect(page).toHaveURL('/form')
    await expect(page.getByText(`Logged in as: ${storedUser.email}`)).toBeVisible()
    await expect(recordsIn(page).rows).toHaveCount(0)
  })
})

test.describe('validation rules', { tag: ['@spec-5', '@main'] }, () => {
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

  test('the employee form requires name, an email-type email and a password', async ({ records }) => {
    await expect(records.field('email')).toHaveAttribute('type', 'email')
    const submit = records.form.getByRole('button', { name: 'Submit' })
    for (const name of fieldNames) {
      await expect(records.field(name)).toHaveAttribute('required')
      await records.fill({ ...ada, [name]: '' })
      await submit.click()
      await expect(records.form.locator(':invalid')).toHaveAttribute('name', name)
    }
    await records.fill(record({ email: 'not an address' }))
    await submit.click()
    await expect(records.form.locator(':invalid')).toHaveAttribute('name', 'email')
    await expect(records.rows).toHaveCount(0)
  })
})

test.describe('roles and permissions', { tag: ['@spec-6', '@main'] }, () => {
  test('any signed-in user can add, edit and delete all records, and sees what others do without a reload', async ({
    records,
    page,
    openBrowser,
  }) => {
    await records.add(ada)
    const theirs = recordsIn(await openBrowser())
    const colleague = newCredentials()
    await signUp(theirs.page, colleague)
    await signIn(theirs.page, colleague)
    await theirs.expectNames(ada)
    await records.add(grace)
    await theirs.expectNames(ada, grace)
    await theirs.edit(ada)
    await theirs.fill(alan)
    await theirs.update()
    await theirs.delete(grace)
    await theirs.expectNames(alan)
    await theirs.add(named('Mary Jackson'))
    await records.expectNames(alan, 'Mary Jackson')
    await expect(records.rowOf(alan)).toContainText(alan.email)
    await records.delete('Mary Jackson')
    await theirs.expectNames(alan)
    await page.reload()
    await records.expectNames(alan)
  })
})

test.describe('the error catalogue', { tag: ['@spec-8', '@main'] }, () => {
  test('sign-up failure: the error is logged, and an alert shows the provider’s message', async ({
    page,
  }) => {
    allowConsole(/40[09]/, /Sign-up failed/)
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    const logged = page.waitForEvent('console', (message) => message.text().includes('Sign-up failed'))
    await page.goto('/')
    await sendAccount(page, 'Sign Up', newcomer)
    await expect(page.getByRole('alert')).toHaveText('An account with this email already exists.')
    expect((await logged).type()).toBe('error')
    await expect(page).toHaveURL('/')
    await expect(page.getByLabel('Email')).toHaveValue(newcomer.email)
  })

  test('sign-in failure: an alert shows Error: {message}, and the code is logged; an unknown account looks the same', async ({
    page,
  }) => {
    allowConsole(/40[01]/, /Sign-in failed/)
    const newcomer = newCredentials()
    await signUp(page, newcomer)
    for (const email of [newcomer.email, 'nobody@example.com']) {
      await page.goto('/signin')
      const logged = page.waitForEvent('console', (message) => message.text().includes('Sign-in failed'))
      await sendAccount(page, 'Sign In', { email, password: 'not the password' })
      await expect(page.getByRole('alert')).toHaveText('Error: Wrong email or password.')
      expect((await logged).text()).toBe('Sign-in failed: invalid-credentials')
      await expect(page).toHaveURL('/signin')
      expect(await readStoredUser(page)).toBeNull()
    }
  })

  test('logout failure is only logged; the user stays signed in', async ({ backend, records, page }) => {
    allowConsole(/Logout failed/, /Failed to load resource/)
    await records.add(ada)
    const repair = await backend.failSignOut(page)
    const logged = page.waitForEvent('console', (message) => message.text().includes('Logout failed'))
    await records.press('Logout')
    expect((await logged).type()).toBe('error')
    await expect(page).toHaveURL('/form')
    await expect(page.getByRole('alert')).toBeEmpty()
    expect(await readStoredUser(page)).toContain(account.email)
    await records.add(grace)
    await repair()
    await page.reload()
    await records.expectNames(ada, grace)
  })

  test('the message of a failed operation is displayed only in the outbox', async ({
    backend,
    records,
    page,
  }) => {
    allowConsole(/Failed to load resource/)
    const reason = await backend.rejectWrites(page)
    await records.submit(ada)
    await expect(records.entry('Not saved: Ada Lovelace')).toContainText(reason)
    // Besides its announcement to screen readers.
    await expect(page.locator('body *:not([role=status] *)').getByText(reason)).toHaveCount(1)
    await expect(page.getByRole('alert')).toBeEmpty()
  })
})
