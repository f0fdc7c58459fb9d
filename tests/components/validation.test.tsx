// What a field refuses is said below it, in the page's own words, and not in the browser's bubble, which covers what is below.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { account, ada, grace, named, nameOf } from '../support/people.ts'
import { openPage, openRecords } from '../support/render.tsx'
import { recordAnnouncements } from './announcements.ts'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

/** The browser says in a bubble what each of these is about, unless it is prevented. */
const invalidEvents: Event[] = []
const keep = (event: Event) => void invalidEvents.push(event)

beforeEach(() => {
  invalidEvents.length = 0
  addEventListener('invalid', keep, { capture: true })
})
afterEach(() => removeEventListener('invalid', keep, { capture: true }))

const noEmail = 'Enter an email address, such as name@example.com.'

async function expectProblem(field: Locator, text: string) {
  await expect.element(field).toHaveAccessibleDescription(text)
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveFocus()
  const { bottom } = field.element().getBoundingClientRect()
  const message = page.getByRole('alert').filter({ hasText: text }).element()
  expect(message.getBoundingClientRect().top).toBeGreaterThanOrEqual(Math.floor(bottom))
  expect(invalidEvents.map((event) => event.defaultPrevented)).not.toContain(false)
}

const expectNoProblem = (field: Locator) => expect.element(field).not.toHaveAttribute('aria-invalid', 'true')

describe('the form', () => {
  test('takes a name and an email of a document without what nobody sees, and a password as it is', async () => {
    const { stored } = await openRecords([])
    const password = 'bom\u00adbe\u200b'
    const taken = named('Lovelace', { email: 'ada@example.com', password })
    await ui.fillForm(named('Love\u00adlace\u200b', { email: 'a\u00adda@exam\u200bple.com', password }))
    expect(ui.readForm()).toEqual(taken)
    await ui.submitButton().click()
    await expect.element(ui.rowOf('Lovelace')).toBeVisible()
    expect(stored()).toEqual([taken])
  })

  test('says below the email that it is none, until it is another', { tags: 'main' }, async () => {
    const { stored } = await openRecords([ada])
    const top = () => ui.rowOf(ada).element().getBoundingClientRect().top
    const topBefore = top()
    await ui.nameField().fill('Grace Hopper')
    await ui.passwordField().fill(grace.password)
    await ui.emailField().fill('grace.hopper')
    await ui.submitButton().click()
    await expectProblem(ui.emailField(), noEmail)
    expect(top()).toBe(topBefore)
    await ui.emailField().fill(grace.email)
    await expectNoProblem(ui.emailField())
    await expect.element(page.getByText(noEmail)).not.toBeInTheDocument()
    await ui.submitButton().click()
    await ui.expectNames(ada, grace)
    expect(stored()).toHaveLength(2)
  })

  test('says of one field after the other what is missing', async () => {
    await openRecords([ada])
    for (const [field, value] of [
      [ui.nameField(), nameOf(grace)],
      [ui.emailField(), grace.email],
      [ui.passwordField(), grace.password],
    ] as const) {
      await ui.submitButton().click()
      await expectProblem(field, 'Fill in this field.')
      await expect.element(page.getByRole('alert').filter({ hasText: /./ })).toHaveLength(1)
      await field.fill(value)
    }
    await ui.submitButton().click()
    await ui.expectNames(ada, grace)
  })

  test('says nothing of the fields of another record', async () => {
    await openRecords([ada])
    await ui.rowButton(ada, 'Edit').click()
    await ui.nameField().fill('')
    await ui.updateButton().click()
    await expectProblem(ui.nameField(), 'Fill in this field.')
    await ui.form().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(ui.submitButton()).toBeVisible()
    await expect.element(ui.nameField()).toHaveValue('')
    await expectNoProblem(ui.nameField())
  })
})

test('the account screens say it too', async () => {
  await openPage('/signin')
  const email = page.getByLabelText('Email', { exact: true })
  await email.fill('nobody')
  await ui.accountPassword().fill('long enough')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectProblem(email, noEmail)
})

test('a refused password is told once, and a success no longer once something was refused', async () => {
  allowConsole(/^Sign-(up|in) failed/)
  await openPage('/')
  const hint = page.getByText('A few random words work well.')
  await page.getByLabelText('Email', { exact: true }).fill(account.email)
  await ui.accountPassword().fill('short')
  await expect.element(hint).toBeVisible()
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await expect.element(hint).not.toBeInTheDocument()
  await ui.accountPassword().fill(account.password)
  await expect.element(hint).toBeVisible()
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  const ready = page.getByText('Your account is ready.')
  await expect.element(ready).toBeVisible()
  await ui.accountPassword().fill('another password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Error:' })
  await expect.element(alert).toBeVisible()
  await expect.element(ready).not.toBeInTheDocument()
  // While the next attempt is on its way, too: a screen reader would say it again.
  const announced = recordAnnouncements()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect.poll(() => announced.join()).toContain('Error:')
  expect(announced.join()).not.toContain('Your account is ready.')
})
