import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, alan, grace, makeEmployees, named } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  emailField,
  fillForm,
  focus,
  focusedRow,
  form,
  readForm,
  rowButton,
  rowOf,
  rows,
  searchBox,
  submitButton,
} from './elements.ts'

test('links to the record that has the same email, and still accepts it', async () => {
  await openRecords([...makeEmployees(60), grace])
  await fillForm({ ...ada, email: 'GRACE@example.com' })
  await form().getByRole('link', { name: 'Grace Hopper' }).click()
  await expect.element(focusedRow()).toHaveTextContent('Grace Hopper')
  await expect.element(rowOf(grace)).toBeInViewport()
  expect(readForm().email).toBe('GRACE@example.com')
  await submitButton().click()
  await searchBox().fill('grace@')
  await expect.element(rows()).toHaveLength(2)
})

test('skips the link when Tab is pressed in the email field, and treats no typed letter as a shortcut', async () => {
  await openRecords([ada, grace, alan])
  await expect.element(rowOf(grace)).toBeVisible()
  await userEvent.keyboard('n')
  await userEvent.keyboard('Carl')
  await userEvent.tab()
  await userEvent.keyboard(grace.email)
  const link = form().getByRole('link', { name: 'Grace Hopper' })
  await expect.element(link).toBeVisible()
  await userEvent.tab()
  await userEvent.keyboard('Sunshine42!')
  expect(readForm()).toEqual(named('Carl', { email: grace.email, password: 'Sunshine42!' }))
  await expect.element(emailField()).toHaveAccessibleDescription('Already in the register: Grace Hopper')
  focus(link)
  await userEvent.keyboard('n/?')
  await expect.element(link).toHaveFocus()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('does not call a record a duplicate of itself, and shows the linked row although a search hides it', async () => {
  await openRecords([ada, grace, alan])
  await rowButton(grace, 'Edit').click()
  await expect.poll(() => readForm().email).toBe(grace.email)
  await expect.element(form().getByRole('link')).not.toBeInTheDocument()
  await searchBox().fill('alan')
  await expect.element(rows()).toHaveLength(1)
  await emailField().fill(ada.email)
  await form().getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect.element(focusedRow()).toHaveTextContent('Ada Lovelace')
})
