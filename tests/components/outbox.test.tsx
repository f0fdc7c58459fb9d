// Entered data is never lost: changes that could not be saved stay in the outbox, between form and table.

import { StrictMode } from 'react'
import { Provider } from 'react-redux'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { EmployeeFields } from '../../contract/employees.ts'
import { type DocumentStore, ServiceError } from '../../web/backends/ports.ts'
import { openEncryptedStore } from '../../web/records/outbox/encrypted-store.ts'
import type { Tab } from '../../web/records/outbox/tab-lock.ts'
import { useOutbox } from '../../web/records/outbox/use-outbox.ts'
import { makeStore } from '../../web/store.ts'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, makeEmployees, named, renamed, toFields } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  expectNames,
  fillForm,
  nameField,
  names,
  outboxEntries,
  outboxEntry,
  outboxList,
  press,
  readForm,
  rowButton,
  rowOf,
  submitButton,
  submitEmployee,
  table,
  undoBar,
  undoButton,
  updateButton,
} from './elements.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })
const storageFull = serviceError('storage-full')
const unsavedEntry = () => outboxEntry('Not saved: Lost Soul')

/** Deletes the records with the keyboard, one after the other. */
async function deleteAll(employees: EmployeeFields[]) {
  for (const employee of employees) {
    await expect.element(rowOf(employee)).toBeVisible()
    await press(rowButton(employee, 'Delete'), '{Enter}')
    await expect.element(rowOf(employee)).not.toBeInTheDocument()
  }
}

/** Opens the page with an add of `unsaved` that has failed. */
async function openWithFailure(error = storageFull) {
  const testPage = await openRecords()
  const repair = testPage.client.failCalls(error)
  await submitEmployee(unsaved)
  await expect.element(unsavedEntry()).toBeVisible()
  return { ...testPage, repair }
}

describe('a failed operation', () => {
  test('that was an add shows the reason, and offers Retry, Edit and Discard', async () => {
    await openWithFailure()
    await expect.element(unsavedEntry()).toMatchTextContent(storageFull.message)
    for (const name of ['Retry', 'Edit', 'Discard'])
      await expect.element(unsavedEntry().getByRole('button', { name })).toBeVisible()
    expect(Object.values(readForm()).join('')).toBe('')
    await unsavedEntry().getByRole('button', { name: 'Discard' }).click()
    await expect.element(outboxEntries()).toHaveLength(0)
  })

  test('that was an update leaves the record unchanged, and can be edited again', async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    await rowButton(ada, 'Edit').click()
    await fillForm(alan)
    await updateButton().click()
    await outboxEntry('Not saved: Alan Turing').getByRole('button', { name: 'Edit' }).click()
    await expectNames(ada)
    expect(readForm()).toEqual(alan)
    repair()
    await updateButton().click()
    await expectNames(alan)
  })

  test('that was a delete leaves the record in the table, marked as not saved, until Retry', async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    // The title describes the row before the delete fails.
    await userEvent.click(page.getByRole('searchbox'))
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(rowOf(ada)).toHaveAccessibleDescription(/^Changed/)
    await rowButton(ada, 'Delete').click()
    const entry = outboxEntry('Not deleted: Ada Lovelace')
    await expect.element(entry.getByRole('button', { name: 'Keep the record' })).toBeVisible()
    await expectNames(ada)
    await expect.element(rowOf(ada)).toHaveAccessibleDescription('Not saved')
    repair()
    await entry.getByRole('button', { name: 'Retry' }).click()
    await expect.element(names()).toHaveLength(0)
    await expect.element(undoBar()).toMatchTextContent('Deleted Ada Lovelace')
  })

  test('shows its message only in the outbox; a failed list shows none @spec-8', async () => {
    const testPage = await openWithFailure()
    const listError = serviceError('server-error')
    testPage.client.failCalls(listError, ['list'])
    await testPage.reload()
    await expect.poll(() => testPage.client.countCalls('list')).toBeGreaterThan(3)
    await expect.element(unsavedEntry()).toMatchTextContent(storageFull.message)
    expect(document.documentElement.textContent).not.toContain(listError.message)
  })
})

test('an operation whose response was lost adds one record, however often it is sent, also if it is edited before', async () => {
  const { client, backend } = await openRecords()
  const repair = client.loseResponses()
  await submitEmployee(unsaved)
  await unsavedEntry().getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => client.countCalls('add')).toBeGreaterThan(1)
  await unsavedEntry().getByRole('button', { name: 'Edit' }).click()
  await expect.poll(readForm).toEqual(unsaved)
  repair()
  await nameField().fill('Found Soul')
  await submitButton().click()
  await expectNames('Found Soul')
  await expect.poll(() => toFields(backend.employees())).toEqual([renamed('Found Soul', unsaved)])
})

describe('an operation that waits for the service', () => {
  test('is shown only once it takes long, and moves nothing on the page', async () => {
    const { client } = await openRecords([ada])
    const getTop = () => table().element().getBoundingClientRect().y
    const before = getTop()
    const seen: string[] = []
    const box = undoBar().getByRole('paragraph').element()
    const observer = new MutationObserver(() => seen.push(box.textContent ? 'text' : box.innerHTML))
    observer.observe(box, { childList: true, subtree: true })
    const release = client.holdCalls()
    await submitEmployee(grace)
    await expect.element(undoBar()).toMatchTextContent('Saving Grace Hopper…')
    release()
    await expectNames(ada, grace)
    await expect.element(outboxList()).toBeEmptyDOMElement()
    expect(seen).toEqual(['text', ''])
    expect(getTop()).toBe(before)
  })

  test('shows whether it deletes or restores; the focus stays in the field', async () => {
    const { client } = await openRecords([ada])
    const releaseDelete = client.holdCalls(['remove'])
    await rowButton(ada, 'Delete').click()
    await expect.element(undoBar()).toMatchTextContent('Deleting Ada Lovelace…')
    releaseDelete()
    const releaseRestore = client.holdCalls(['restore'])
    await undoButton().click()
    await expect.element(undoBar()).toMatchTextContent('Restoring Ada Lovelace…')
    await userEvent.type(nameField(), 'Gr')
    releaseRestore()
    await expect.element(rowOf(ada)).toBeVisible()
    await expect.element(outboxList()).toBeEmptyDOMElement()
    await expect.element(nameField()).toHaveFocus()
    await userEvent.keyboard('ace')
    await expect.element(nameField()).toHaveValue('Grace')
  })

  test('is shown as waiting while the service is busy, and is sent again by itself', async () => {
    const { repair } = await openWithFailure(new ServiceError('busy', 'Busy.', { retryAfterMs: 1_000 }))
    await expect.element(unsavedEntry()).toMatchTextContent('The register is busy. Trying again in a moment.')
    repair()
    await expectNames(unsaved)
    await expect.element(outboxList()).toBeEmptyDOMElement()
  })

  test('is shown as waiting, not as failed, while the page is offline', async () => {
    const { client } = await openRecords([ada])
    await client.cutNetwork()
    await submitEmployee(named('Olga'))
    const text = 'Not saved: Olga. Will be sent when the connection is back.'
    await expect.element(outboxEntries()).toMatchTextContent(text)
    const retry = outboxEntries().getByRole('button', { name: 'Retry' })
    await expect.element(retry).toHaveAccessibleDescription(/^Not saved: Olga/)
    await client.restoreNetwork()
    await expect.element(rowOf('Olga')).toBeVisible()
  })
})

describe('undo', () => {
  test('restores the record under its id and in its position, for everybody', async () => {
    const testPage = await openRecords([ada, grace, alan])
    const before = testPage.backend.employees()
    await rowButton(grace, 'Delete').click()
    await expectNames(ada, alan)
    await undoButton().click()
    await expectNames(ada, grace, alan)
    await expect.element(outboxEntries()).toHaveLength(0)
    expect(await testPage.colleague.documents.list()).toEqual(before)
  })

  test('is no longer offered once someone else has restored the record, also after a reload', async () => {
    const testPage = await openRecords([ada])
    const [stored] = testPage.backend.employees()
    await rowButton(ada, 'Delete').click()
    await expect.element(undoBar()).toMatchTextContent('Deleted Ada Lovelace')
    await testPage.colleague.documents.restore({ id: stored?.id ?? '', ...alan })
    for (const next of [async () => {}, testPage.reload]) {
      await next()
      await expectNames(alan)
      await expect.element(outboxList()).toBeEmptyDOMElement()
    }
  })

  test('restores the last of several deleted records, one of them, or all together, also after a reload', async () => {
    const employees = makeEmployees(4)
    const testPage = await openRecords(employees)
    await deleteAll(employees)
    await testPage.reload()
    await expect.element(undoBar()).toMatchTextContent('Deleted Person 3 and 3 others')
    await undoButton().click()
    await expectNames('Person 3')
    await undoButton('Show recent changes').click()
    await undoBar().getByRole('listitem').filter({ hasText: 'Person 1' }).getByRole('button').click()
    await expectNames('Person 1', 'Person 3')
    await undoButton('Undo all (2)').click()
    await expectNames(...employees)
    await expect.element(rowOf('Person 0')).toHaveFocus()
    await expect.element(undoButton()).not.toBeInTheDocument()
  })

  test('can be dismissed for all records at once, and the focus moves to the form', async () => {
    const employees = makeEmployees(3)
    await openRecords(employees)
    await deleteAll(employees)
    await undoButton('Dismiss').click()
    await expect.element(undoButton()).not.toBeInTheDocument()
    await expect.element(nameField()).toHaveFocus()
  })
})

test('a draft is set aside when another record is edited, and can be edited again as a new record', async () => {
  await openRecords([ada])
  await fillForm(unsaved)
  await rowButton(ada, 'Edit').click()
  await expect.poll(readForm).toEqual(ada)
  await outboxEntry('Unfinished draft: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(readForm).toEqual(unsaved)
  await expect.element(submitButton()).toBeVisible()
})

test('StrictMode opens one outbox, so that a stored draft is not duplicated', async () => {
  const tab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }
  const claimedTab = Promise.resolve(tab)
  await (await openEncryptedStore('someone', tab)).put('form-1', { fields: unsaved, editing: null })
  const loading = vi.spyOn(claimedTab, 'then')
  const DraftName = () => <p>{useOutbox('someone', claimedTab).loadedOutbox?.initialDraft.fields.eName}</p>
  const screen = await render(
    <StrictMode>
      <Provider store={makeStore({} as DocumentStore)}>
        <DraftName />
      </Provider>
    </StrictMode>,
  )
  await expect.element(screen.getByText('Lost Soul')).toBeVisible()
  expect(loading).toHaveBeenCalledOnce()
})
