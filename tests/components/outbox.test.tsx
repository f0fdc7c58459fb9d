// Entered data is never lost: changes that could not be saved stay in the outbox, between form and table.

import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EmployeeFields } from '../../contract/employees.ts'
import { ServiceError } from '../../web/backends/ports.ts'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, makeEmployees, named, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const unsaved = named('Lost Soul', { password: 'a secret that must not be lost' })
const storageFull = serviceError('storage-full')
const unsavedEntry = () => ui.outboxEntry('Not saved: Lost Soul')

/** Deletes the records with the keyboard, one after the other. */
async function deleteAll(employees: EmployeeFields[]) {
  for (const employee of employees) {
    await expect.element(ui.rowOf(employee)).toBeVisible()
    await ui.press(ui.rowButton(employee, 'Delete'), '{Enter}')
    await expect.element(ui.rowOf(employee)).not.toBeInTheDocument()
  }
}

/** Opens the page with an add of `unsaved` that has failed. */
async function openWithFailure(error = storageFull) {
  const testPage = await openRecords()
  const repair = testPage.client.failCalls(error)
  await ui.submitEmployee(unsaved)
  await expect.element(unsavedEntry()).toBeVisible()
  return { ...testPage, repair }
}

describe('a failed operation', () => {
  test('that was an add shows the reason, and offers Retry, Edit and Discard', { tags: 'main' }, async () => {
    const { reload } = await openWithFailure()
    await expect.element(unsavedEntry()).toMatchTextContent(storageFull.message)
    for (const name of ['Retry', 'Edit', 'Discard'])
      await expect.element(unsavedEntry().getByRole('button', { name })).toBeVisible()
    expect(Object.values(ui.readForm()).join('')).toBe('')
    await unsavedEntry().getByRole('button', { name: 'Discard' }).click()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    await reload()
    await expect.element(ui.submitButton()).toBeVisible()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
  })

  test('that was an update leaves the record unchanged, and can be edited again', {
    tags: 'main',
  }, async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    await ui.changeEmployee(ada, alan)
    await ui.outboxEntry('Not saved: Alan Turing').getByRole('button', { name: 'Edit' }).click()
    await ui.expectNames(ada)
    expect(ui.readForm()).toEqual(alan)
    repair()
    await ui.updateButton().click()
    await ui.expectNames(alan)
  })

  test('that was a delete leaves the record in the table, marked as not saved, until Retry', {
    tags: 'main',
  }, async () => {
    const { client } = await openRecords([ada])
    const repair = client.failCalls(storageFull)
    await ui.rowButton(ada, 'Delete').click()
    const entry = ui.outboxEntry('Not deleted: Ada Lovelace')
    await expect.element(entry.getByRole('button', { name: 'Keep the record' })).toBeVisible()
    await ui.expectNames(ada)
    await expect.element(ui.rowOf(ada)).toHaveAccessibleDescription('Not saved')
    repair()
    await entry.getByRole('button', { name: 'Retry' }).click()
    await expect.element(ui.names()).toHaveLength(0)
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Ada Lovelace')
  })

  test('on a phone is listed whole with two others, and their card has its colour', async () => {
    await page.viewport(390, 844)
    const employees = makeEmployees(3)
    const { client } = await openRecords(employees)
    client.failCalls(storageFull)
    const backgrounds = new Set<string>()
    for (const [index, employee] of employees.entries()) {
      // A click just after the rows have moved is ignored.
      await ui.press(ui.rowButton(employee, 'Delete'), '{Enter}')
      if (index === 0) {
        await expect.element(ui.outboxEntries()).toHaveLength(1)
        backgrounds.add(getComputedStyle(ui.outboxEntries().element()).backgroundColor)
      }
      await expect.element(ui.rowOf(employee)).toHaveAccessibleDescription('Not saved')
    }
    const card = ui.outboxList().element().firstElementChild as HTMLElement
    backgrounds.add(getComputedStyle(card).backgroundColor)
    expect(backgrounds.size).toBe(1)
    await ui.outboxList().getByRole('button', { name: 'Show unsaved changes' }).click()
    await expect.element(ui.outboxEntries()).toHaveLength(3)
    const list = ui.outboxList().getByRole('list').element()
    expect(list.scrollHeight).toBe(list.clientHeight)
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

test('an operation whose response was lost adds one record, however often it is sent, also if it is edited before', {
  tags: 'main',
}, async () => {
  const { client, stored } = await openRecords()
  const repair = client.loseResponses()
  await ui.submitEmployee(unsaved)
  await expect.element(ui.outboxEntry('May already be saved: Lost Soul')).toBeVisible()
  await ui.outboxEntry('Lost Soul').getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => client.countCalls('add')).toBeGreaterThan(1)
  await ui.outboxEntry('Lost Soul').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(ui.readForm).toEqual(unsaved)
  repair()
  await ui.nameField().fill('Found Soul')
  await ui.submitButton().click()
  await ui.expectNames('Found Soul')
  await expect.poll(stored).toEqual([renamed('Found Soul', unsaved)])
})

describe('a deletion that waits for the connection', () => {
  const decorationOf = (element: Element | null | undefined) =>
    element && getComputedStyle(element).textDecorationLine
  const noteOf = (record: EmployeeFields) =>
    getComputedStyle(ui.rowOf(record).getByRole('rowheader').element(), '::after').content

  test('strikes its row through, and says "Will be deleted" to readers and eyes', {
    tags: 'main',
  }, async () => {
    const { client } = await openRecords([ada, grace])
    await client.cutNetwork()
    await ui.rowButton(ada, 'Delete').click()
    await expect.element(ui.rowOf(ada)).toHaveAccessibleDescription('Will be deleted')
    const row = ui.rowOf(ada).element()
    expect(noteOf(ada)).toContain('Will be deleted')
    for (const text of ['bdi', '[data-text]'])
      expect(decorationOf(row.querySelector(text))).toBe('line-through')
    expect(noteOf(grace)).toBe('none')
    expect(decorationOf(ui.rowOf(grace).element().querySelector('bdi'))).toBe('none')
    await ui
      .outboxEntry('Will be deleted when you reconnect: Ada')
      .getByRole('button', { name: 'Keep the record' })
      .click()
    await expect.element(ui.rowOf(ada)).not.toHaveAccessibleDescription()
    expect(decorationOf(ui.rowOf(ada).element().querySelector('bdi'))).toBe('none')
  })

  test('marks every record of a selection, also one that is edited afterwards', async () => {
    const { client } = await openRecords([ada, grace, alan])
    await client.cutNetwork()
    for (const record of [ada, grace]) await ui.rowOf(record).getByRole('checkbox').click()
    await page
      .getByRole('group', { name: 'Selected records' })
      .getByRole('button', { name: 'Delete' })
      .click()
    for (const record of [ada, grace])
      await expect.element(ui.rowOf(record)).toHaveAccessibleDescription('Will be deleted')
    await ui.changeEmployee(ada, { email: 'another@example.com' })
    await ui.changeEmployee(alan, { email: 'another@example.com' })
    await expect.element(ui.rowOf(alan)).toHaveAccessibleDescription('Not saved')
    expect(noteOf(alan)).toContain('Not saved')
    await expect.element(ui.rowOf(ada)).toHaveAccessibleDescription('Will be deleted')
  })

  test.each([1280, 768, 390, 320])(
    'on %i px, its dot is at the start of the row, clear of the checkbox',
    async (width) => {
      await page.viewport(width, 800)
      const { client } = await openRecords([ada, grace])
      await client.cutNetwork()
      await ui.rowButton(ada, 'Delete').click()
      await expect.element(ui.rowOf(ada)).toHaveAccessibleDescription('Will be deleted')
      const cell = ui.rowOf(ada).getByRole('cell').first().element()
      const dot = getComputedStyle(cell, '::before')
      const left = cell.getBoundingClientRect().left + Number.parseFloat(dot.left)
      const right = left + 2 * Number.parseFloat(dot.borderLeftWidth)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThan(ui.rowOf(ada).getByRole('checkbox').element().getBoundingClientRect().left)
      expect(getComputedStyle(cell).overflow).toBe('visible')
    },
  )
})

describe('an operation that waits for the service', () => {
  test('is shown only once it takes long, and moves nothing on the page', async () => {
    const { client } = await openRecords([ada])
    const getTop = () => ui.table().element().getBoundingClientRect().y
    const before = getTop()
    const seen: string[] = []
    const box = ui.undoBar().getByRole('paragraph').element()
    const observer = new MutationObserver(() => seen.push(box.textContent ? 'text' : box.innerHTML))
    observer.observe(box, { childList: true, subtree: true })
    const release = client.holdCalls()
    await ui.submitEmployee(grace)
    await expect.element(ui.undoBar()).toMatchTextContent('Saving Grace Hopper…')
    release()
    await ui.expectNames(ada, grace)
    await expect.element(ui.outboxList()).toBeEmptyDOMElement()
    expect(seen).toEqual(['text', ''])
    expect(getTop()).toBe(before)
  })

  test('shows whether it deletes or restores; the focus stays in the field', async () => {
    const { client } = await openRecords([ada])
    const releaseDelete = client.holdCalls(['remove'])
    await ui.rowButton(ada, 'Delete').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleting Ada Lovelace…')
    releaseDelete()
    const releaseRestore = client.holdCalls(['restore'])
    await ui.undoButton().click()
    await expect.element(ui.undoBar()).toMatchTextContent('Restoring Ada Lovelace…')
    await userEvent.type(ui.nameField(), 'Gr')
    releaseRestore()
    await expect.element(ui.rowOf(ada)).toBeVisible()
    await expect.element(ui.outboxList()).toBeEmptyDOMElement()
    await expect.element(ui.nameField()).toHaveFocus()
    await userEvent.keyboard('ace')
    await expect.element(ui.nameField()).toHaveValue('Grace')
  })

  test('is shown as waiting while the service is busy, and is sent again by itself', async () => {
    const { repair } = await openWithFailure(new ServiceError('busy', 'Busy.', { retryAfterMs: 1_000 }))
    await expect.element(unsavedEntry()).toMatchTextContent('The register is busy. Trying again in a moment.')
    repair()
    await ui.expectNames(unsaved)
    await expect.element(ui.outboxList()).toBeEmptyDOMElement()
  })
})

test('several changes that wait for the connection are one card with their names, which opens, and closes with Escape', {
  tags: 'main',
}, async () => {
  const card = () => ui.outboxList().getByRole('paragraph')
  const { client } = await openRecords([ada, grace])
  await client.cutNetwork()
  await ui.submitEmployee(named('Olga'))
  await ui.submitEmployee(named('Piet'))
  await expect.element(card()).toMatchTextContent('2 changes wait for the connection: Olga, Piet')
  await expect.element(ui.outboxEntries()).toHaveLength(0)
  await ui.press(ui.rowButton(ada, 'Delete'), '{Enter}')
  await expect.element(card()).toMatchTextContent('3 changes wait for the connection: Olga, Piet, Ada')
  const show = ui.outboxList().getByRole('button', { name: 'Show waiting changes' })
  await show.click()
  await ui.expectTexts(ui.outboxEntries(), [
    /^Will be saved: OlgaRetryEditDiscard/,
    /^Will be saved: PietRetryEditDiscard/,
    /^Will be deleted: Ada LovelaceRetryKeep the record/,
  ])
  await userEvent.hover(ui.nameField())
  for (const button of ui.outboxEntries().getByRole('button').elements())
    expect(button.checkVisibility({ opacityProperty: true }), button.outerHTML).toBe(true)
  const retry = ui.outboxEntries().first().getByRole('button', { name: 'Retry' })
  await expect.element(retry).toHaveAccessibleDescription(/^Will be saved: Olga/)
  await ui.tabTo(retry)
  await userEvent.keyboard('{Escape}')
  await expect.element(ui.outboxEntries()).toHaveLength(0)
  await expect.element(show).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await ui.outboxEntry('Olga').getByRole('button', { name: 'Discard' }).dblClick()
  await ui.outboxEntry('Piet').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(ui.readForm).toEqual(named('Piet'))
  await expect
    .element(ui.outboxEntries())
    .toMatchTextContent('Will be deleted when you reconnect: Ada Lovelace')
  await client.restoreNetwork()
  await ui.expectNames(grace)
})

test('of two changes of a record that wait, the first can be edited again: it is saved last, without a question', async () => {
  const { client } = await openRecords([ada])
  await client.cutNetwork()
  await ui.changeEmployee(ada, { email: 'first@example.com' })
  await ui.changeEmployee(ada, { email: 'second@example.com', password: 'second' })
  await ui.outboxList().getByRole('button', { name: 'Show waiting changes' }).click()
  await ui.outboxEntries().first().getByRole('button', { name: 'Edit' }).click()
  await expect.poll(ui.readForm).toEqual({ ...ada, email: 'first@example.com', password: 'second' })
  await ui.emailField().fill('third@example.com')
  await ui.updateButton().click()
  await expect.element(ui.outboxEntries()).toHaveLength(2)
  await client.restoreNetwork()
  await expect.element(ui.outboxList()).toBeEmptyDOMElement()
  await ui.rowButton(ada, 'Edit').click()
  await expect.poll(ui.readForm).toEqual({ ...ada, email: 'third@example.com', password: 'second' })
})

describe('undo', () => {
  test('is no longer offered once someone else has restored the record, also after a reload', async () => {
    const { colleague, find, reload } = await openRecords([ada])
    const { id } = find(ada)
    await ui.rowButton(ada, 'Delete').click()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Ada Lovelace')
    await colleague.documents.restore({ id, ...alan })
    for (const next of [async () => {}, reload]) {
      await next()
      await ui.expectNames(alan)
      await expect.element(ui.outboxList()).toBeEmptyDOMElement()
    }
  })

  test.each([
    ['one record', 1, 'Undo delete'],
    ['several', 2, /^Undo all/],
  ])(
    'of deleting %s restores what a colleague has saved who had restored it meanwhile',
    async (_, count, undo) => {
      const employees = makeEmployees(count)
      const { backend, colleague, find, stored } = await openRecords(employees)
      const [first] = employees.map(find)
      await deleteAll(employees)
      await colleague.documents.history?.restoreDeleted(first?.id ?? '')
      await ui.expectNames('Person 0')
      await colleague.change('Person 0', { password: 'theirs' })
      await colleague.remove('Person 0')
      await expect.poll(backend.employees).toEqual([])
      await ui.expectNames()
      if (count > 1) await ui.undoButton('Recent changes').click()
      await ui.undoButton(undo).click()
      await ui.expectNames(...employees)
      expect(stored()).toEqual(employees.with(0, { ...(employees[0] as EmployeeFields), password: 'theirs' }))
    },
  )

  test('restores the last of several deleted records, one of them, or all together, also after a reload', {
    tags: 'main',
  }, async () => {
    const employees = makeEmployees(4)
    const testPage = await openRecords(employees)
    await deleteAll(employees)
    await testPage.reload()
    await expect.element(ui.undoBar()).toMatchTextContent('Deleted Person 3')
    await ui.undoButton().dblClick()
    await ui.expectNames('Person 3')
    await ui.undoButton('Recent changes').click()
    await ui.undoBar().getByRole('listitem').filter({ hasText: 'Person 1' }).getByRole('button').click()
    await ui.expectNames('Person 1', 'Person 3')
    await ui.undoButton('Undo all (2)').click()
    await ui.expectNames(...employees)
    await expect.element(ui.rowOf('Person 0')).toHaveFocus()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
    const { countCalls } = testPage.client
    expect([countCalls('restore'), countCalls('writeBatch')]).toEqual([2, 1])
  })

  describe('of an edit', () => {
    async function openEdited() {
      const testPage = await openRecords([ada])
      await ui.changeEmployee(ada, renamed('Ada King'))
      await expect.element(ui.undoBar()).toMatchTextContent('Saved Ada King')
      return testPage
    }

    test('restores the earlier values for everybody, with Ctrl+Z after a reload, and keeps a colleague’s later change', {
      tags: 'main',
    }, async () => {
      const { colleague, reload, stored } = await openEdited()
      await colleague.change('Ada King', { password: 'theirs' })
      await reload()
      await expect.element(ui.undoBar()).toMatchTextContent('Saved Ada King')
      await ui.moveFocus('{Control>}z{/Control}', ui.rowOf(ada))
      await expect.element(ui.undoButton()).not.toBeInTheDocument()
      await expect.poll(stored).toEqual([{ ...ada, password: 'theirs' }])
    })

    test('asks which value to keep if a colleague has changed the same field since', async () => {
      const { colleague, stored } = await openEdited()
      await colleague.change('Ada King', renamed('Ada Byron'))
      await ui.expectNames('Ada Byron')
      await ui.undoButton().click()
      const entry = ui.outboxEntry('Not undone: Ada Lovelace. Someone else changed the same field')
      await entry.getByRole('button', { name: 'Choose' }).click()
      await ui.form().getByRole('radio', { name: 'Yours Ada Lovelace', exact: true }).click()
      expect(stored()).toEqual([renamed('Ada Byron')])
      await ui.updateButton().click()
      await expect.poll(stored).toEqual([ada])
    })

    test('is not offered while the record is deleted, and says so if it was deleted unseen', async () => {
      const { client, colleague, find } = await openEdited()
      const edited = find('Ada King')
      await colleague.remove(edited)
      await expect.element(ui.undoButton()).not.toBeInTheDocument()
      await colleague.documents.restore(edited)
      await expect.element(ui.undoButton()).toBeVisible()
      client.failCalls(serviceError('not-found'), ['update'])
      await ui.undoButton().click()
      const entry = ui.outboxEntry('Not undone: Ada Lovelace. Someone deleted this record.')
      await expect.element(entry.getByRole('button', { name: 'Restore' })).toBeVisible()
    })
  })

  test('can be dismissed for all records at once, and the focus moves to the form', async () => {
    const employees = makeEmployees(3)
    await openRecords(employees)
    await deleteAll(employees)
    await ui.undoButton('Dismiss').click()
    await expect.element(ui.undoButton()).not.toBeInTheDocument()
    await expect.element(ui.nameField()).toHaveFocus()
  })
})

test('a draft is set aside when another record is edited, and can be edited again as a new record', {
  tags: 'main',
}, async () => {
  await openRecords([ada])
  await ui.fillForm(unsaved)
  await ui.rowButton(ada, 'Edit').click()
  await expect.poll(ui.readForm).toEqual(ada)
  await ui.outboxEntry('Unfinished draft: Lost Soul').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(ui.readForm).toEqual(unsaved)
  await expect.element(ui.submitButton()).toBeVisible()
})
