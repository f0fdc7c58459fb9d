// Two people edit one record: no change is lost, and where both changed the same field, the user decides.
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EmployeeFields } from '../../contract/employees.ts'
import { ada, alan, grace, named, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const adaKing = renamed('Ada King')
const adaByron = renamed('Ada Byron')
const choices = (field: string) => ui.form().getByRole('group', { name: field, exact: true })
const choice = (field: string, whose: 'Yours' | 'Theirs') =>
  choices(field).getByRole('radio', { name: new RegExp(`^${whose}`) })
async function expectChoices(mine: string, theirs: string) {
  for (const name of [`Yours ${mine}`, `Theirs ${theirs}`])
    await expect.element(choices('Name').getByRole('radio', { name, exact: true })).toBeVisible()
}
const restoreButton = () => ui.form().getByRole('button', { name: 'Restore' })
const message = () => ui.form().getByRole('status').first()

/** Opens the page with one record, in the form. `colleagueChanges` changes the record as another person does. */
async function startEditing() {
  const testPage = await openRecords([ada])
  await ui.rowButton(ada, 'Edit').click()
  await expect.poll(ui.readForm).toEqual(ada)
  const { colleague, stored } = testPage
  const colleagueChanges = (fields: Partial<EmployeeFields>) => colleague.change(stored()[0] ?? ada, fields)
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
  test('takes a colleague’s values at once in fields that were not changed, says so, and can be edited further', {
    tags: 'main',
  }, async () => {
    const { colleagueChanges, stored } = await startEditing()
    await ui.nameField().fill('Ada King')
    await colleagueChanges({ email: 'theirs@example.com', password: 'theirs' })
    const merged = { ...adaKing, email: 'theirs@example.com', password: 'theirs' }
    await expect.poll(ui.readForm).toEqual(merged)
    const text =
      /^colleague@example\.com changed the email and password at .*\d:\d\d.*\. The form is up to date\./
    await expect.element(message()).toMatchTextContent(text)
    await ui.emailField().fill('mine@example.com')
    await ui.updateButton().click()
    await expect.poll(stored).toEqual([{ ...merged, email: 'mine@example.com' }])
  })

  test('is not saved while a field that both have changed is undecided; the keyboard decides, and changes the decision', {
    tags: 'main',
  }, async () => {
    const { stored } = await createConflict()
    await expect
      .element(message())
      .toMatchTextContent(/^colleague@example\.com changed the name at .*\d:\d\d.*\. Keep which\?/)
    await expectChoices('Ada King', 'Ada Byron')
    const missing = choices('Name').getByRole('alert')
    await expect.element(missing).not.toBeInTheDocument()
    await ui.updateButton().click()
    await expect.element(choice('Name', 'Yours')).toHaveFocus()
    await expect.element(missing).toMatchTextContent('Choose one')
    expect([ui.readForm(), ...stored()]).toEqual([adaKing, adaByron])
    await ui.moveFocus('{ArrowDown}', choice('Name', 'Theirs'))
    await expect.element(ui.nameField()).toHaveValue('Ada Byron')
    await expect.element(missing).not.toBeInTheDocument()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(ui.nameField()).toHaveValue('Ada King')
    await ui.nameField().fill('Ada King-Noel')
    await expectChoices('Ada King-Noel', 'Ada Byron')
    await expect.element(choice('Name', 'Yours')).toBeChecked()
    await ui.press(ui.nameField(), '{Enter}')
    await expect.poll(stored).toEqual([renamed('Ada King-Noel')])
  })

  test('has two equal choices, also after Update was pressed without one', async () => {
    await createConflict()
    const widths = () =>
      choices('Name')
        .getByCss('label')
        .elements()
        .map((element) => element.getBoundingClientRect().width)
    const before = widths()
    expect(new Set(before).size).toBe(1)
    await ui.updateButton().click()
    await expect.element(choices('Name').getByRole('alert')).toBeVisible()
    expect(widths()).toEqual(before)
  })

  test('says at each undecided field that one is to be chosen; a conflict that came after Update was not missed', async () => {
    const { colleagueChanges } = await createConflict()
    const hint = (field: string) => choices(field).getByText('Choose one')
    const missing = () => ui.form().getByRole('alert').filter({ hasText: 'Choose one' })
    await expect.element(hint('Name')).toBeVisible()
    await ui.updateButton().click()
    await expect.element(missing()).toHaveLength(1)
    await ui.emailField().fill('mine@example.com')
    await colleagueChanges({ email: 'theirs@example.com' })
    await expect.element(hint('Email')).toBeVisible()
    await expect.element(hint('Name')).toBeVisible()
    await expect.element(missing()).toHaveLength(0)
    await ui.press(ui.updateButton(), '{Enter}')
    await expect.element(missing()).toHaveLength(2)
    await ui.press(choice('Email', 'Theirs'), ' ')
    await expect.element(hint('Email')).not.toBeInTheDocument()
    await expect.element(hint('Name')).toBeVisible()
  })

  test.each([390, 320])(
    'has Update in sight on a phone of %i px, however many fields conflict',
    async (width) => {
      await page.viewport(width, 640)
      const { colleagueChanges } = await startEditing()
      await ui.fillForm(named('Ada King', { email: 'mine@example.com', password: 'mine' }))
      await colleagueChanges(named('Ada Byron', { email: 'theirs@example.com', password: 'theirs' }))
      await expect.element(choices('Password')).toBeInTheDocument()
      const form = ui.form().element()
      expect(form.scrollHeight).toBeGreaterThan(form.clientHeight)
      for (const end of [0, form.scrollHeight]) {
        form.scrollTop = end
        for (const button of [ui.updateButton(), ui.button('Cancel')]) {
          const element = button.element()
          const { left, width, top, bottom } = element.getBoundingClientRect()
          for (const y of [top + 2, bottom - 2])
            expect(element.contains(document.elementFromPoint(left + width / 2, y))).toBe(true)
        }
      }
      // What is focused is not behind them.
      const last = choices('Password').getByRole('radio').last().element() as HTMLElement
      form.scrollTop = 0
      last.focus()
      const covered = ui.updateButton().element().getBoundingClientRect().top
      expect(last.getBoundingClientRect().bottom).toBeLessThanOrEqual(covered)
    },
  )

  test('has choices for all fields at once, and says which password is newer', async () => {
    const { colleagueChanges, stored } = await startEditing()
    await ui.fillForm({ ...adaKing, password: 'mine' })
    await colleagueChanges({ ...adaByron, password: 'theirs' })
    await expect.element(choices('Password')).toMatchTextContent(/Not saved yet.*Set at .*\d:\d\d/)
    await ui.button('All theirs').click()
    await expect.poll(ui.readForm).toEqual({ ...adaByron, password: 'theirs' })
    await ui.button('All mine').click()
    await expect.poll(ui.readForm).toEqual({ ...adaKing, password: 'mine' })
    await ui.updateButton().click()
    await expect.poll(stored).toEqual([{ ...adaKing, password: 'mine' }])
  })

  test('does not call the user of another tab somebody else', async () => {
    const { client, find } = await startEditing()
    await ui.nameField().fill('Ada King')
    await client.documents.update(find(ada).id, adaByron)
    await expect.element(message()).toMatchTextContent(/^You changed the name in another tab at/)
    await expect.element(choices('Name').getByRole('radio', { name: 'Other tab Ada Byron' })).toBeVisible()
  })

  test('has no conflict where both typed the same or a colleague changes it back, and is undecided after each other change', async () => {
    const { colleagueChanges } = await createConflict()
    for (const same of [adaKing, ada]) {
      await colleagueChanges(same)
      await expect.element(choices('Name')).not.toBeInTheDocument()
      await colleagueChanges(adaByron)
      await expect.element(choices('Name')).toBeVisible()
    }
    await choice('Name', 'Yours').click()
    await colleagueChanges(renamed('Countess Lovelace'))
    await expectChoices('Ada King', 'Countess Lovelace')
    await expect.element(choice('Name', 'Yours')).not.toBeChecked()
    await expect.element(ui.nameField()).toHaveValue('Ada King')
    await choice('Name', 'Theirs').click()
    await colleagueChanges(adaByron)
    await expect.element(ui.nameField()).toHaveValue('Ada Byron')
    await expect.element(choices('Name')).not.toBeInTheDocument()
  })

  test('is still undecided after a reload, with everything that was typed', async () => {
    const { reload, stored } = await createConflict()
    await ui.passwordField().fill('mine')
    await reload()
    await expectChoices('Ada King', 'Ada Byron')
    expect(ui.readForm()).toEqual({ ...adaKing, password: 'mine' })
    await choice('Name', 'Theirs').click()
    await ui.updateButton().click()
    await expect.poll(stored).toEqual([{ ...adaByron, password: 'mine' }])
  })

  test('shows passwords only on request, and never in the markup', async () => {
    const { colleagueChanges } = await startEditing()
    await ui.passwordField().fill('my new secret')
    await colleagueChanges({ password: 'their new secret' })
    const inputs = choices('Password').getByCss('input:not([type=radio])')
    const read = () => (inputs.elements() as HTMLInputElement[]).map(({ type, value }) => [type, value])
    await expect.poll(read).toEqual(Array(2).fill(['password', '•'.repeat(10)]))
    await choices('Password').getByRole('button', { name: 'Show both passwords' }).click()
    await expect.poll(read).toEqual(['my new secret', 'their new secret'].map((secret) => ['text', secret]))
    expect(document.body.outerHTML).not.toMatch(/new secret/)
    await choice('Password', 'Theirs').click()
    await expect.element(ui.passwordField()).toHaveValue('their new secret')
    expect(document.body.outerHTML).not.toMatch(/new secret/)
  })

  test('stays in the form if a colleague deletes it, and can be restored with what was typed', {
    tags: 'main',
  }, async () => {
    const { colleague, stored } = await startEditing()
    await ui.fillForm(alan)
    await colleague.remove(ada)
    const text = 'This record was deleted while you were editing.'
    await expect.element(ui.form().getByText(text)).toBeVisible()
    expect(ui.readForm()).toEqual(alan)
    await expect.element(ui.updateButton()).not.toBeInTheDocument()
    await restoreButton().click()
    await ui.expectNames(alan)
    expect(stored()).toEqual([alan])
    await expect.element(ui.outboxEntries()).toHaveLength(0)
  })

  test('keeps what a colleague has saved before a colleague deletes it, also after a reload', async () => {
    const { colleague, colleagueChanges, reload, stored } = await startEditing()
    await ui.nameField().fill('Ada King')
    await colleagueChanges({ email: 'first@example.com' })
    await colleagueChanges({ email: 'theirs@example.com' })
    const merged = { ...adaKing, email: 'theirs@example.com' }
    await expect.poll(ui.readForm).toEqual(merged)
    await colleague.remove(stored()[0] ?? ada)
    await expect.element(restoreButton()).toBeVisible()
    expect(ui.readForm()).toEqual(merged)
    await reload()
    await expect.element(restoreButton()).toBeVisible()
    expect(ui.readForm()).toEqual(merged)
    await restoreButton().click()
    await expect.poll(stored).toEqual([merged])
  })

  test('is still in conflict after a colleague has deleted it', async () => {
    const { colleague, stored } = await createConflict()
    await colleague.remove(stored()[0] ?? ada)
    await expect.element(restoreButton()).toBeVisible()
    await expectChoices('Ada King', 'Ada Byron')
    await restoreButton().click()
    await expect.element(choice('Name', 'Yours')).toHaveFocus()
    await choice('Name', 'Theirs').click()
    // Nothing of the user's is left in it.
    await ui.form().getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(stored).toEqual([adaByron])
  })
})

test('an unfinished edit restores a record as a colleague has saved it last, with what was typed', async () => {
  const { colleague, colleagueChanges, stored } = await startEditing()
  await ui.nameField().fill('Ada King')
  await userEvent.keyboard('{Escape}')
  const entry = ui.outboxEntry('Unfinished edit: Ada King')
  await expect.element(entry).toBeVisible()
  await colleagueChanges({ password: 'theirs' })
  await colleague.remove(ada)
  await ui.expectNames()
  await entry.getByRole('button', { name: 'Edit' }).click()
  await restoreButton().click()
  await ui.expectNames('Ada King')
  expect(stored()).toEqual([{ ...adaKing, password: 'theirs' }])
})

test('a record that is deleted while it is edited is not said to be deleted by someone else', async () => {
  await startEditing()
  await ui.nameField().fill('Ada King')
  await ui.rowButton(ada, 'Delete').click()
  await expect.element(message()).toMatchTextContent(/^This record was deleted/)
  await expect.element(ui.nameField()).toHaveValue('Ada King')
})

describe('an update that waits for the connection', () => {
  /** Changes fields while offline; a colleague changes others meanwhile. */
  async function editOffline(changes: Partial<EmployeeFields>, theirs: Partial<EmployeeFields>) {
    const testPage = await startEditing()
    await testPage.client.cutNetwork()
    await ui.fillForm(changes)
    await ui.updateButton().click()
    await expect.element(ui.outboxEntries()).toMatchTextContent('Will be saved when you reconnect')
    await testPage.colleagueChanges(theirs)
    return testPage
  }

  test('asks which value to keep, also after a reload', { tags: 'main' }, async () => {
    const { client, reload, stored } = await editOffline({ ...adaKing, password: 'mine' }, adaByron)
    await reload()
    await client.restoreNetwork()
    const entry = ui.outboxEntry('Not saved: Ada King')
    await expect.element(entry).toMatchTextContent('Someone else changed the same field')
    await reload()
    await expect.element(entry.getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
    await entry.getByRole('button', { name: 'Choose' }).click()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    await expectChoices('Ada King', 'Ada Byron')
    await choice('Name', 'Yours').click()
    await ui.updateButton().click()
    await expect.poll(stored).toEqual([{ ...adaKing, password: 'mine' }])
    await expect.element(ui.outboxEntries()).toHaveLength(0)
  })

  test('keeps what a colleague has changed in other fields, and does not conflict with later updates', async () => {
    const { client, stored } = await editOffline(adaKing, { email: 'theirs@example.com' })
    await ui.rowButton(ada, 'Edit').click()
    await expect.poll(ui.readForm).toEqual(adaKing)
    await ui.nameField().fill('Ada King-Noel')
    await ui.updateButton().click()
    await expect.element(ui.outboxList()).toMatchTextContent('2 changes wait for the connection')
    await client.restoreNetwork()
    await ui.expectNames('Ada King-Noel')
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    expect(stored()).toEqual([{ ...renamed('Ada King-Noel'), email: 'theirs@example.com' }])
  })

  test.each(['Restore', 'Edit'])(
    'is restored with what a colleague has saved before deleting the record: %s',
    async (action) => {
      const { client, colleague, stored } = await editOffline(adaKing, { password: 'theirs' })
      await colleague.remove(ada)
      await client.restoreNetwork()
      const entry = ui.outboxEntry('Your edit of Ada King')
      await entry.getByRole('button', { name: action, exact: true }).click()
      if (action === 'Edit') await restoreButton().click()
      await ui.expectNames('Ada King')
      expect(stored()).toEqual([{ ...adaKing, password: 'theirs' }])
    },
  )

  test('can be restored if a colleague has deleted the record meanwhile', async () => {
    const { client, colleague, stored } = await startEditing()
    await client.cutNetwork()
    await ui.fillForm(alan)
    await ui.updateButton().click()
    await expect.element(ui.outboxEntries()).toMatchTextContent('Will be saved when you reconnect')
    await colleague.remove(ada)
    await client.restoreNetwork()
    const entry = ui.outboxEntry('Your edit of Alan Turing')
    await expect.element(entry).toMatchTextContent('wasn’t saved because someone deleted it.')
    await entry.getByRole('button', { name: 'Restore' }).click()
    await ui.expectNames(alan)
    expect(stored()).toEqual([alan])
  })

  test('that was saved without a response does not conflict with itself', async () => {
    const { client, colleagueChanges, stored } = await startEditing()
    const repair = client.loseResponses(['update'])
    await ui.nameField().fill('Ada King')
    await ui.updateButton().click()
    await ui.expectNames('Ada King')
    await colleagueChanges({ password: 'theirs' })
    repair()
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    expect(stored()).toEqual([{ ...adaKing, password: 'theirs' }])
  })
})

test('an addition that was saved without a response, and then edited, keeps what a colleague has changed; where both have, the user chooses', {
  tags: 'main',
}, async () => {
  const { client, colleague, stored } = await openRecords()
  const repair = client.loseResponses()
  await ui.submitEmployee(ada)
  await ui.outboxEntry('Ada Lovelace').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(ui.readForm).toEqual(ada)
  await colleague.change(ada, { ...adaByron, password: 'theirs' })
  repair()
  await ui.nameField().fill('Ada King')
  await ui.submitButton().click()
  const entry = ui.outboxEntry('Not saved: Ada King')
  await expect.element(entry).toMatchTextContent('Someone else changed the same field')
  expect(stored()).toEqual([{ ...adaByron, password: 'theirs' }])
  await entry.getByRole('button', { name: 'Choose' }).click()
  await expectChoices('Ada King', 'Ada Byron')
  await choice('Name', 'Yours').click()
  await ui.updateButton().click()
  await expect.poll(stored).toEqual([{ ...adaKing, password: 'theirs' }])
  await expect.element(ui.outboxEntries()).toHaveLength(0)
})

test('an update that is being sent does not conflict with a form that is opened meanwhile', async () => {
  const { client } = await startEditing()
  const release = client.holdCalls(['update'])
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
  const { colleague } = await createConflict()
  await colleague.add(grace)
  await ui.rowButton(grace, 'Edit').click()
  await expect.element(choices('Name')).not.toBeInTheDocument()
  await ui.outboxEntry('Unfinished edit: Ada King').getByRole('button', { name: 'Edit' }).click()
  await expect.element(choices('Name')).toBeVisible()
  await expect.element(page.getByRole('radio').first()).not.toBeChecked()
})
