import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, alan, grace, renamed } from '../support/people.ts'
import { openPage, openRecords } from '../support/render.tsx'
import {
  button,
  expectPath,
  form,
  nameField,
  outboxEntries,
  outboxEntry,
  press,
  readForm,
  rowButton,
  rowOf,
  searchBox,
  submitEmployee,
  undoBar,
  undoButton,
} from './elements.ts'

test('returns to the row on Cancel, and the draft moves to the outbox', async () => {
  await openRecords([ada, grace])
  await rowButton(grace, 'Edit').click()
  await nameField().fill('Grace Brewster Hopper')
  await form().getByRole('button', { name: 'Cancel' }).click()
  await expect.element(rowOf(grace)).toHaveFocus()
  await outboxEntry('Unfinished edit: Grace Brewster Hopper').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(readForm).toEqual(renamed(grace, 'Grace Brewster Hopper'))
})

test('stays in the outbox while it has an entry, and moves to the name field after the last', async () => {
  const { client } = await openRecords([ada, grace, alan])
  await rowButton(ada, 'Delete').click()
  await expect.element(undoBar()).toMatchTextContent('Deleted Ada Lovelace')
  client.failCalls(serviceError('storage-full'), ['add'])
  await submitEmployee(renamed(alan, 'Lost'))
  await expect.element(outboxEntry('Not saved: Lost')).toBeVisible()
  await undoButton().click()
  await expect.element(rowOf(ada)).toHaveFocus()
  await submitEmployee(renamed(alan, 'Lost too'))
  await expect.element(outboxEntries()).toHaveLength(2)
  await outboxEntries().last().getByRole('button', { name: 'Discard' }).click()
  await expect.element(outboxEntries().first().getByRole('button', { name: 'Retry' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(nameField()).toHaveFocus()
  await outboxEntries().first().getByRole('button', { name: 'Discard' }).click()
  await expect.element(nameField()).toHaveFocus()
})

test('starts in the name field if there are no records', async () => {
  await openRecords()
  await expect.element(nameField()).toHaveFocus()
})

test('moves to "Show all records" when the last row of a search is deleted, where Ctrl+Z restores it', async () => {
  await openRecords([ada, grace])
  await searchBox().fill('grace')
  await expect.element(rowOf(ada)).not.toBeInTheDocument()
  await press(rowButton(grace, 'Delete'), '{Enter}')
  await expect.element(button('Show all records')).toHaveFocus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(rowOf(grace)).toHaveFocus()
})

test('starts in the first empty field of the account screens', async () => {
  await openPage('/')
  const type = (text: string) => userEvent.keyboard(text)
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
  await type(account.email)
  await type('{Tab}')
  await type(account.password)
  await type('{Enter}')
  // The path changes before the screen: sign-up has a field of the same name.
  await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await expect.element(page.getByLabelText('Password', { exact: true })).toHaveFocus()
  await type(account.password)
  await type('{Enter}')
  await expectPath('/form')
  await button('Logout').click()
  await expectPath('/')
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
})
