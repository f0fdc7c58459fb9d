// Two people edit one record: no change is lost, and where both changed the same field, the user decides.
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type EmployeeFields, pickFields } from '../../contract/employees.ts'
import { ada, grace, renamed, toFields } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'

const adaKing = renamed('Ada King')
const adaByron = renamed('Ada Byron')
const choices = (field: string) => ui.form().getByRole('group', { name: field, exact: true })
const choice = (field: string, whose: 'Yours' | 'Theirs') =>
  choices(field).getByRole('radio', { name: new RegExp(`^${whose}`) })
async function expectChoices(...values: [mine: string, theirs: string]) {
  for (const [i, whose] of ['Yours', 'Theirs'].entries()) {
    const name = `${whose} ${values[i]}`
    await expect.element(choices('Name').getByRole('radio', { name, exact: true })).toBeVisible()
  }
}
const message = () => ui.form().getByRole('status').first()
const stored = ({ backend }: TestPage) => toFields(backend.employees())[0]

/** Opens the page with one record, in the form. `colleagueChanges` changes the record as another person does. */
async function startEditing() {
  const testPage = await openRecords([ada])
  await ui.rowButton(ada, 'Edit').click()
  await expect.poll(ui.readForm).toEqual(ada)
  async function colleagueChanges(changes: Partial<EmployeeFields>) {
    const [record] = testPage.backend.employees()
    if (record) await testPage.colleague.documents.update(record.id, { ...pickFields(record), ...changes })
  }
  return { ...testPage, colleagueChanges }
}

/** Edits the name, and changes it as another person meanwhile. */
async function createConflict() {
  const testPage = await startEditing()
  await ui.nameField().fill('Ada King')
  await testPage.colleagueChanges(adaByron)
  await expect.element(choices('Name')).toBeVisible()
  return testPage
}

describe('a record that is being edited', () => {
  test('takes a colleague’s value at once in a field that was not changed, and says so', async () => {
    const testPage = await startEditing()
    await ui.nameField().fill('Ada King')
    await testPage.colleagueChanges({ password: 'theirs' })
    await expect.poll(ui.readForm).toEqual({ ...adaKing, password: 'theirs' })
    const text = 'Someone else changed the password. The form is up to date.'
    await expect.element(message()).toMatchTextContent(text)
  })

  test('is not saved while a field that both have changed is undecided; the decision can be changed', async () => {
    const testPage = await createConflict()
    await expect.element(message()).toMatchTextContent('Someone else changed the name meanwhile.')
    await expectChoices('Ada King', 'Ada Byron')
    const missing = choices('Name').getByRole('alert')
    await expect.element(missing).not.toBeInTheDocument()
    await ui.updateButton().click()
    await expect.element(choice('Name', 'Yours')).toHaveFocus()
    await expect.element(missing).toMatchTextContent('Choose yours or theirs.')
    expect([ui.readForm(), stored(testPage)]).toEqual([adaKing, adaByron])
    await choice('Name', 'Theirs').click()
    await expect.element(ui.nameField()).toHaveValue('Ada Byron')
    await expect.element(missing).not.toBeInTheDocument()
    await choice('Name', 'Yours').click()
    await expect.element(ui.nameField()).toHaveValue('Ada King')
    await ui.nameField().fill('Ada King-Noel')
    await expectChoices('Ada King-Noel', 'Ada Byron')
    await expect.element(choice('Name', 'Yours')).toBeChecked()
  })

  test('has no conflict if a colleague changes the field back, and is undecided again after each other change', async () => {
    const { colleagueChanges } = await createConflict()
    await colleagueChanges(ada)
    await expect.element(choices('Name')).not.toBeInTheDocument()
    await colleagueChanges(adaByron)
    await choice('Name', 'Yours').click()
    await colleagueChanges(renamed('Countess Lovelace'))
    await expectChoices('Ada King', 'Countess Lovelace')
    await expect.element(choice('Name', 'Yours')).not.toBeChecked()
    await expect.element(ui.nameField()).toHaveValue('Ada King')
  })

  test('is still undecided after a reload, with everything that was typed', async () => {
    const testPage = await createConflict()
    await ui.passwordField().fill('mine')
    await testPage.reload()
    await expectChoices('Ada King', 'Ada Byron')
    expect(ui.readForm()).toEqual({ ...adaKing, password: 'mine' })
    await choice('Name', 'Theirs').click()
    await ui.updateButton().click()
    await expect.poll(() => stored(testPage)).toEqual({ ...adaByron, password: 'mine' })
  })

  test('shows passwords only on request, and never in the markup', async () => {
    const { colleagueChanges } = await startEditing()
    await ui.passwordField().fill('my new secret')
    await colleagueChanges({ password: 'their new secret' })
    const values = choices('Password').getByCss('input:not([type=radio])')
    const readTypes = () => (values.elements() as HTMLInputElement[]).map(({ type }) => type)
    await expect.poll(readTypes).toEqual(['password', 'password'])
    expect((values.elements() as HTMLInputElement[]).map(({ value }) => value)).toEqual(
      Array(2).fill('•'.repeat(10)),
    )
    await choices('Password').getByRole('button', { name: 'Show both passwords' }).click()
    expect(readTypes()).toEqual(['text', 'text'])
    await expect.element(values.first()).toHaveValue('my new secret')
    await expect.element(values.last()).toHaveValue('their new secret')
    expect(document.body.outerHTML).not.toMatch(/new secret/)
    await choice('Password', 'Theirs').click()
    await expect.element(ui.passwordField()).toHaveValue('their new secret')
    expect(document.body.outerHTML).not.toMatch(/new secret/)
  })

  test('can be decided with the keyboard', async () => {
    const testPage = await createConflict()
    await ui.tabTo(choice('Name', 'Yours'))
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(choice('Name', 'Theirs')).toHaveFocus()
    await expect.element(ui.nameField()).toHaveValue('Ada Byron')
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(ui.nameField()).toHaveValue('Ada King')
    await ui.press(ui.nameField(), '{Enter}')
    await expect.poll(() => stored(testPage)).toEqual(adaKing)
  })
})

describe('an update that waits for the connection', () => {
  /** Changes fields while offline; a colleague changes others meanwhile. */
  async function editOffline(changes: Partial<EmployeeFields>, theirs: Partial<EmployeeFields>) {
    const testPage = await startEditing()
    await testPage.client.cutNetwork()
    await ui.fillForm(changes)
    await ui.updateButton().click()
    await expect.element(ui.outboxEntries()).toMatchTextContent('Waiting for the connection.')
    await testPage.colleagueChanges(theirs)
    return testPage
  }

  test('asks which value to keep, also after a reload', async () => {
    const testPage = await editOffline({ ...adaKing, password: 'mine' }, adaByron)
    await testPage.reload()
    await testPage.client.restoreNetwork()
    const entry = ui.outboxEntry('Not saved: Ada King')
    await expect.element(entry).toMatchTextContent('Someone else changed the same field')
    await testPage.reload()
    await expect.element(entry.getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
    await entry.getByRole('button', { name: 'Choose' }).click()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    await expectChoices('Ada King', 'Ada Byron')
    await choice('Name', 'Yours').click()
    await ui.updateButton().click()
    await expect.poll(() => stored(testPage)).toEqual({ ...adaKing, password: 'mine' })
    await expect.element(ui.outboxEntries()).toHaveLength(0)
  })

  test('keeps what a colleague has changed in other fields, and does not conflict with later updates', async () => {
    const testPage = await editOffline(adaKing, { email: 'theirs@example.com' })
    await ui.rowButton(ada, 'Edit').click()
    await expect.poll(ui.readForm).toEqual(adaKing)
    await ui.nameField().fill('Ada King-Noel')
    await ui.updateButton().click()
    await expect.element(ui.outboxList()).toMatchTextContent('2 changes wait for the connection')
    await testPage.client.restoreNetwork()
    await ui.expectNames('Ada King-Noel')
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    expect(stored(testPage)).toEqual({ ...renamed('Ada King-Noel'), email: 'theirs@example.com' })
  })

  test('that was saved without a response does not conflict with itself', async () => {
    const testPage = await startEditing()
    const repair = testPage.client.loseResponses(['update'])
    await ui.nameField().fill('Ada King')
    await ui.updateButton().click()
    await ui.expectNames('Ada King')
    await testPage.colleagueChanges({ password: 'theirs' })
    repair()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    expect(stored(testPage)).toEqual({ ...adaKing, password: 'theirs' })
  })
})

test('an update that is being sent does not conflict with a form that is opened meanwhile', async () => {
  const testPage = await startEditing()
  const release = testPage.client.holdCalls(['update'])
  await ui.nameField().fill('Ada King')
  await ui.updateButton().click()
  // The rows have just moved: for a moment they ignore the mouse.
  await ui.press(ui.rowButton(ada, 'Edit'), '{Enter}')
  await expect.element(ui.nameField()).toHaveValue('Ada King')
  await ui.nameField().fill('Ada King-Noel')
  release()
  await expect.element(ui.rowOf('Ada King')).toBeVisible()
  await expect.element(choices('Name')).not.toBeInTheDocument()
  await ui.updateButton().click()
  await ui.expectNames('Ada King-Noel')
})

test('another record in the form has no conflict with the first one', async () => {
  const testPage = await createConflict()
  await testPage.colleague.documents.add(grace, 'k')
  await ui.rowButton(grace, 'Edit').click()
  await expect.element(choices('Name')).not.toBeInTheDocument()
  await ui.outboxEntry('Unfinished edit: Ada King').getByRole('button', { name: 'Edit' }).click()
  await expect.element(choices('Name')).toBeVisible()
  await expect.element(page.getByRole('radio').first()).not.toBeChecked()
})
