// Entered data is never lost: changes that could not be saved stay in the outbox, between form and table.
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ServiceError } from '../../web/backends/ports.ts'
import { offlineError, serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, makeEmployees, renamed, toFields } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  addEmployee,
  button,
  expectNames,
  expectTexts,
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

const unsaved = { eName: 'Lost Soul', email: 'lost@example.com', password: 'a secret that must not be lost' }
const emptyForm = { eName: '', email: '', password: '' }
const storageFull = serviceError('storage-full')
const unsavedEntry = () => outboxEntry('Not saved: Lost Soul')
const buttonOf = (eName: string, name: 'Edit' | 'Delete') => rowOf(eName).getByRole('button', { name })

/** Deletes the records with the keyboard, one after the other. */
async function deleteAll(employees: { eName: string }[]) {
  for (const { eName } of employees) {
    await expect.element(rowOf(eName)).toBeVisible()
    await press(buttonOf(eName, 'Delete'), '{Enter}')
    await expect.element(rowOf(eName)).not.toBeInTheDocument()
  }
}

/** Records the text of every announcement in the live regions of the page. */
function recordAnnouncements(): string[] {
  const announced: string[] = []
  new MutationObserver((mutations) => {
    for (const { target, addedNodes } of mutations) {
      const element = target instanceof Element ? target : target.parentElement
      if (!element?.closest('[role=status], [role=alert]')) continue
      announced.push(...[...addedNodes].map((node) => node.textContent ?? ''))
    }
  }).observe(document.body, { childList: true, subtree: true })
  return announced
}

describe('a failed operation', () => {
  test('that was an add shows the reason, and offers Retry, Edit and Discard', async () => {
    const { client } = await openRecords()
    client.failCalls(storageFull)
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toMatchTextContent(storageFull.message)
    for (const name of ['Retry', 'Edit', 'Discard'])
      await expect.element(unsavedEntry().getByRole('button', { name })).toBeVisible()
    expect(readForm()).toEqual(emptyForm)
    await unsavedEntry().getByRole('button', { name: 'Discard' }).click()
    await expect.element(outboxEntries()).toHaveLength(0)
  })

  test('that was an update leaves the record unchanged, and can be edited again', async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    await rowButton(ada, 'Edit').click()
    await fillForm(alan)
    await updateButton().click()
    await outboxEntry(`Not saved: ${alan.eName}`).getByRole('button', { name: 'Edit' }).click()
    await expectNames(ada)
    expect(readForm()).toEqual(alan)
    repair()
    await updateButton().click()
    await expectNames(alan)
  })

  test('that was a delete leaves the record in the table, marked as not saved, until Retry', async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    // The tooltip describes the row before the delete fails.
    await userEvent.click(page.getByRole('searchbox'))
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(rowOf(ada)).toHaveAccessibleDescription(/^Changed/)
    await rowButton(ada, 'Delete').click()
    const entry = outboxEntry(`Not deleted: ${ada.eName}`)
    await expect.element(entry.getByRole('button', { name: 'Keep the record' })).toBeVisible()
    await expectNames(ada)
    await expect.element(rowOf(ada)).toHaveAccessibleDescription('Not saved')
    repair()
    await entry.getByRole('button', { name: 'Retry' }).click()
    await expect.element(names()).toHaveLength(0)
    await expect.element(undoBar()).toMatchTextContent(`Deleted ${ada.eName}`)
  })

  test('shows its message only in the outbox; a failed list shows none @spec-8', async () => {
    const testPage = await openRecords()
    testPage.client.failCalls(storageFull)
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toMatchTextContent(storageFull.message)
    // Its announcement to screen readers is removed after 5 s.
    await expect.poll(() => document.documentElement.textContent?.split(storageFull.message)).toHaveLength(2)
    const listError = serviceError('server-error')
    testPage.client.failCalls(listError, ['list'])
    await testPage.reload()
    await expect.poll(() => testPage.client.countCalls('list')).toBeGreaterThan(3)
    await expect.element(unsavedEntry()).toBeVisible()
    expect(document.documentElement.textContent).not.toContain(listError.message)
  })

  test('is still in the outbox after a reload, and Retry adds one record', async () => {
    const testPage = await openRecords()
    const repair = testPage.client.failCalls(storageFull)
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    repair()
    await testPage.reload()
    await unsavedEntry().getByRole('button', { name: 'Retry' }).click()
    await expectNames(unsaved)
    await expect.element(outboxEntries()).toHaveLength(0)
  })

  test('fills the form again with Edit after a reload, without the password in the markup', async () => {
    const testPage = await openRecords()
    testPage.client.failCalls(storageFull)
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toBeVisible()
    await testPage.reload()
    await unsavedEntry().getByRole('button', { name: 'Edit' }).click()
    await expect.poll(readForm).toEqual(unsaved)
    expect(document.body.outerHTML.includes(unsaved.password)).toBe(false)
  })
})

describe('an operation whose response was lost', () => {
  test('adds one record, however often it is sent', async () => {
    const testPage = await openRecords()
    const repair = testPage.client.loseResponses()
    await submitEmployee(unsaved)
    for (let attempt = 1; attempt <= 3; attempt++) {
      await unsavedEntry().getByRole('button', { name: 'Retry' }).click()
      await expect.poll(() => testPage.client.countCalls('add')).toBeGreaterThan(attempt)
    }
    repair()
    // The page retries automatically.
    await expect.element(outboxEntries()).toHaveLength(0)
    await testPage.reload()
    await expectNames(unsaved)
  })

  test('that was edited before the retry adds one record with the new fields', async () => {
    const testPage = await openRecords()
    const repair = testPage.client.loseResponses()
    await submitEmployee(unsaved)
    await unsavedEntry().getByRole('button', { name: 'Edit' }).click()
    await expect.poll(readForm).toEqual(unsaved)
    repair()
    await nameField().fill('Found Soul')
    await submitButton().click()
    await expect.element(rowOf('Found Soul')).toBeVisible()
    await expect
      .poll(testPage.backend.employees)
      .toEqual([expect.objectContaining(renamed(unsaved, 'Found Soul'))])
  })
})

describe('an operation that waits for the service', () => {
  test('is sent again automatically after a single failure on a live connection', async () => {
    const { client } = await openRecords()
    const repair = client.failCalls(offlineError())
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toMatchTextContent('Will be sent when the connection is back.')
    const release = client.holdCalls()
    repair()
    await expect.poll(() => client.countCalls('add')).toBeGreaterThan(1)
    await expect.element(unsavedEntry().getByRole('button', { name: 'Retry' })).toBeVisible()
    release()
    await expectNames(unsaved)
    await expect.element(outboxList()).toBeEmptyDOMElement()
  })

  test('is shown only once it takes long, and moves nothing on the page', async () => {
    const { client } = await openRecords([ada])
    await expect.element(rowOf(ada)).toBeVisible()
    const getTop = () => table().element().getBoundingClientRect().y
    const before = getTop()
    const seen: string[] = []
    const box = undoBar().getByRole('paragraph').element()
    new MutationObserver(() => seen.push(box.textContent ? 'text' : box.innerHTML)).observe(box, {
      childList: true,
      subtree: true,
    })
    const release = client.holdCalls()
    await submitEmployee(grace)
    await expect.element(undoBar()).toMatchTextContent(`Saving ${grace.eName}…`)
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
    await expect.element(undoBar()).toMatchTextContent(`Deleting ${ada.eName}…`)
    releaseDelete()
    const releaseRestore = client.holdCalls(['restore'])
    await undoButton().click()
    await expect.element(undoBar()).toMatchTextContent(`Restoring ${ada.eName}…`)
    await userEvent.type(nameField(), 'Gr')
    releaseRestore()
    await expect.element(rowOf(ada)).toBeVisible()
    await expect.element(outboxList()).toBeEmptyDOMElement()
    await expect.element(nameField()).toHaveFocus()
    await userEvent.keyboard('ace')
    await expect.element(nameField()).toHaveValue('Grace')
  })

  test('is shown as waiting while the service is busy, and is sent again after its Retry-After', async () => {
    const { client } = await openRecords()
    // Long enough for all that is done until `repair`, also on a busy machine.
    const retryAfterMs = 6_000
    const repair = client.failCalls(new ServiceError('busy', 'Busy.', { retryAfterMs }))
    const startedAt = Date.now()
    await submitEmployee(unsaved)
    await expect.element(unsavedEntry()).toMatchTextContent('The register is busy. Trying again in a moment.')
    await submitEmployee(grace)
    await expect.element(outboxEntries()).toHaveLength(2)
    expect(client.countCalls('add')).toBe(1)
    repair()
    await expectNames(unsaved, grace)
    expect(Date.now() - startedAt).toBeGreaterThan(retryAfterMs)
    expect(client.countCalls('add')).toBe(3)
    await expect.element(outboxList()).toBeEmptyDOMElement()
  })

  test('is shown as waiting, not as failed, while the page is offline', async () => {
    const { client } = await openRecords([ada])
    await client.cutNetwork()
    await submitEmployee(renamed(ada, 'Olga'))
    const entry = outboxEntries()
    await expect
      .element(entry)
      .toMatchTextContent('Not saved: Olga. Will be sent when the connection is back.')
    await expect
      .element(entry.getByRole('button', { name: 'Retry' }))
      .toHaveAccessibleDescription(/^Not saved: Olga/)
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

  test('is still offered after a reload', async () => {
    const testPage = await openRecords([ada, grace])
    await rowButton(ada, 'Delete').click()
    await expectNames(grace)
    await testPage.reload()
    await undoButton().click()
    await expectNames(ada, grace)
  })

  test('is no longer offered once someone else has restored the record', async () => {
    const testPage = await openRecords([ada])
    const [stored] = testPage.backend.employees()
    await rowButton(ada, 'Delete').click()
    await expect.element(undoBar()).toMatchTextContent(`Deleted ${ada.eName}`)
    await testPage.colleague.documents.restore({ id: stored?.id ?? '', ...alan })
    await expectNames(alan)
    await expect.element(outboxList()).toBeEmptyDOMElement()
    await testPage.reload()
    await expectNames(alan)
    await expect.element(outboxList()).toBeEmptyDOMElement()
  })

  test('restores every deleted record, one by one from the last, also after a reload', async () => {
    const employees = makeEmployees(8)
    const testPage = await openRecords(employees)
    await deleteAll(employees)
    await testPage.reload()
    await expect.element(undoBar()).toMatchTextContent('Deleted Person 7 and 7 others')
    for (const { eName } of employees.toReversed()) {
      await expect.element(undoBar()).toMatchTextContent(`Deleted ${eName}`)
      await undoButton().click()
      await expect.element(rowOf(eName)).toBeVisible()
    }
    await expectTexts(
      names(),
      employees.map(({ eName }) => eName),
    )
    await expect.element(undoButton()).not.toBeInTheDocument()
  })

  test('restores one of several deleted records, or all of them together', async () => {
    const employees = makeEmployees(8)
    await openRecords(employees)
    await deleteAll(employees)
    await undoButton('Show recent changes').click()
    await undoBar().getByRole('listitem').filter({ hasText: 'Person 3' }).getByRole('button').click()
    await expectNames('Person 3')
    const announced = recordAnnouncements()
    await undoButton('Undo all (7)').click()
    await expectTexts(
      names(),
      employees.map(({ eName }) => eName),
    )
    await expect.element(rowOf('Person 0')).toHaveFocus()
    await expect.poll(() => announced).toContain('7 records restored.')
    expect(announced.filter((text) => /Person [^3] restored/.test(text))).toEqual([])
    await expect.element(undoButton()).not.toBeInTheDocument()
  })

  test('can be dismissed for all records at once, and the focus moves to the form', async () => {
    const employees = makeEmployees(6)
    await openRecords(employees)
    await deleteAll(employees)
    await undoButton('Dismiss').click()
    await expect.element(undoButton()).not.toBeInTheDocument()
    await expect.element(nameField()).toHaveFocus()
  })
})

describe('a draft', () => {
  test('is set aside when another record is edited, and can be edited again as a new record', async () => {
    await openRecords([ada])
    await fillForm(unsaved)
    await rowButton(ada, 'Edit').click()
    await expect.poll(readForm).toEqual(ada)
    await outboxEntry('Unfinished draft: Lost Soul').getByRole('button', { name: 'Edit' }).click()
    await expect.poll(readForm).toEqual(unsaved)
    await expect.element(submitButton()).toBeVisible()
  })
})

describe('a live region', () => {
  test('announces that a record is saved, restored, or saved after a retry', async () => {
    const { client } = await openRecords()
    const announced = recordAnnouncements()
    const count = (text: string) => announced.filter((said) => said === text).length
    await addEmployee(ada)
    await expect.poll(() => count(`${ada.eName} saved.`)).toBe(1)
    await rowButton(ada, 'Edit').click()
    await fillForm(alan)
    await updateButton().click()
    await expect.poll(() => count(`${alan.eName} saved.`)).toBe(1)

    await rowButton(alan, 'Delete').click()
    await expect.element(undoButton()).toBeVisible()
    await press(undoButton(), '{Enter}')
    await expect.poll(() => count(`${alan.eName} restored.`)).toBe(1)
    await expect.element(rowOf(alan)).toHaveFocus()
    await userEvent.keyboard('{Delete}')
    await expect.element(undoBar()).toMatchTextContent(`Deleted ${alan.eName}`)
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => count(`${alan.eName} restored.`)).toBe(2)
    await expect.element(rowOf(alan)).toHaveFocus()

    const repair = client.failCalls(storageFull)
    await submitEmployee(grace)
    const entry = outboxEntry(`Not saved: ${grace.eName}`)
    await expect.element(entry).toBeVisible()
    repair()
    await entry.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => count(`${grace.eName} saved.`)).toBe(1)
    await expect.element(page.getByText('saved.')).not.toBeInTheDocument()
  })

  test('announces that an import has been undone', async () => {
    const { backend } = await openRecords()
    await button('Import').click()
    await page.getByLabelText('Or paste rows from a spreadsheet').fill('Ada,ada@example.com,x')
    await page.getByRole('button', { name: 'Read these rows' }).click()
    await page.getByRole('button', { name: 'Import 1 record' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    const announced = recordAnnouncements()
    await undoButton('Undo import').click()
    await expect.poll(() => announced).toContain('Import undone.')
    await expect.element(names()).toHaveLength(0)
    expect(toFields(backend.employees())).toEqual([])
  })
})
