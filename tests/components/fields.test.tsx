// Every field of a record is shown and saved by each part of the page that has fields.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  type FieldName,
  fieldNames,
  fieldRules,
  mapFields,
  optionalFieldNames,
  secretFieldNames,
} from '../../contract/employees.ts'
import { t } from '../../web/language/translate.ts'
import { capitalize, fieldViews, titleField, visibleFieldNames } from '../../web/records/model/fields.ts'
import { ada, named, without } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const fill = (prefix: string) => mapFields((name) => `${prefix}.${name}@example.com`)

test('every field is typed in the form, saved, shown in the table and edited again', {
  tags: 'main',
}, async () => {
  const { stored } = await openRecords()
  const record = fill('typed')
  for (const name of fieldNames) {
    expect((ui.fieldOf(name).element() as HTMLInputElement).required).toBe(!fieldRules[name].isOptional)
    await expect.element(ui.fieldOf(name)).toHaveAttribute('data-1p-ignore')
    await ui.fieldOf(name).fill(record[name])
  }
  await ui.submitButton().click()
  await expect.element(ui.rows()).toBeVisible()
  expect(stored()).toEqual([record])
  for (const name of fieldNames) {
    await expect.element(ui.table().getByRole('columnheader', { name: fieldRules[name].label })).toBeVisible()
  }
  const readRow = () => ui.rows().element().textContent
  for (const name of visibleFieldNames) expect(readRow()).toContain(record[name])
  for (const name of secretFieldNames) expect(readRow()).not.toContain(record[name])
  await ui.button(`Edit ${record[titleField]}`).click()
  for (const name of fieldNames) await expect.element(ui.fieldOf(name)).toHaveValue(record[name])
})

test.each(optionalFieldNames)('%s may stay empty, is shown as nothing, and may be emptied', async (name) => {
  const [full, empty] = [fill('full'), { ...fill('empty'), [name]: '' }]
  const { stored } = await openRecords([full])
  await ui.fillForm(empty)
  await ui.submitButton().click()
  await expect.poll(stored).toEqual([full, without(name, empty)])
  const noun = t(fieldViews[name].noun)
  const cellOf = (title: string) =>
    ui.table().getByRole('button', { name: `${noun} of ${title}`, exact: false })
  await expect.poll(() => cellOf(full[titleField]).elements().length).toBeGreaterThan(0)
  expect(cellOf(empty[titleField]).elements()).toEqual([])
  await ui.button(`Edit ${full[titleField]}`).click()
  await ui.fieldOf(name).fill('')
  await ui.updateButton().click()
  await expect.poll(stored).toEqual([without(name, full), without(name, empty)])
  expect(cellOf(full[titleField]).elements()).toEqual([])
})

test('what is printed has every field that others may see, and no secret', async () => {
  const record = fill('printed')
  await openRecords([record])
  await expect.element(ui.rows()).toBeVisible()
  window.dispatchEvent(new Event('beforeprint'))
  const readTable = () => ui.table().element().textContent
  for (const name of visibleFieldNames) await expect.poll(readTable).toContain(record[name])
  for (const name of secretFieldNames) expect(readTable()).not.toContain(record[name])
  window.dispatchEvent(new Event('afterprint'))
})

test('an email with letters beyond ASCII in its domain is saved for mail servers, and shown and found as it was typed', {
  tags: 'main',
}, async () => {
  const { stored } = await openRecords([ada])
  await ui.submitEmployee(named('Jörg', { email: 'jo@müller.example' }))
  await ui.expectNames(ada, named('Jörg'))
  expect(stored().at(-1)?.email).toBe('jo@xn--mller-kva.example')
  await ui.searchBox().fill('muller')
  await ui.expectNames(named('Jörg'))
  expect(ui.rows().element().textContent).toContain('jo@müller.example')
  await ui.rowButton(named('Jörg'), 'Edit').click()
  await ui.button('Update').click()
  await expect.element(ui.submitButton()).toBeVisible()
  expect(stored().at(-1)?.email).toBe('jo@xn--mller-kva.example')
})

test('what fills a field without an event is saved, also after one event; a text with a line break stays', async () => {
  const record = { ...fill('first'), [titleField]: 'Two\nLines' }
  const { stored } = await openRecords([record])
  const setValue = (name: FieldName, value: string) => {
    const input = ui.fieldOf(name).element() as HTMLInputElement
    input.value = value
  }
  const typed = fill('typed')
  setValue(titleField, typed[titleField])
  await ui.passwordField().fill('another')
  for (const name of fieldNames) setValue(name, typed[name])
  await ui.submitButton().click()
  await expect.poll(stored).toEqual([record, typed])
  await ui.rows().first().getByRole('button', { name: 'Edit' }).click()
  setValue('email', 'second@example.com')
  await ui.updateButton().click()
  await expect.poll(stored).toEqual([{ ...record, email: 'second@example.com' }, typed])
})

test('an email that is pasted with a name fills both fields, unless there is a name', async () => {
  await openRecords()
  await ui.emailField().fill('"Lovelace, Ada" <ada@example.com>')
  await expect.poll(ui.readForm).toMatchObject({ [titleField]: 'Lovelace, Ada', email: 'ada@example.com' })
  await ui.emailField().fill('Grace <grace@example.com>')
  await expect.poll(ui.readForm).toMatchObject({ [titleField]: 'Lovelace, Ada', email: 'grace@example.com' })
})

test('a conflict in any field is shown, and decided for each field', { tags: 'main' }, async () => {
  const record = fill('first')
  const { colleague, stored } = await openRecords([record])
  await ui.button(`Edit ${record[titleField]}`).click()
  await ui.fillForm(fill('mine'))
  await colleague.change(record, fill('theirs'))
  for (const [index, name] of fieldNames.entries()) {
    const group = ui.form().getByRole('group', { name: capitalize(t(fieldViews[name].noun)), exact: true })
    await group.getByRole('radio', { name: index % 2 ? /^Yours/ : /^Theirs/ }).click()
  }
  await ui.button('Update').click()
  const decided = mapFields((name) => fill(fieldNames.indexOf(name) % 2 ? 'mine' : 'theirs')[name])
  await expect.poll(stored).toEqual([decided])
})

test('the import offers a column for every field, and finds each by its label', {
  tags: 'main',
}, async () => {
  await openRecords()
  await ui.button('Import').click()
  const labels = fieldNames.map((name) => fieldRules[name].label)
  const values = fieldNames.map((name) => fill('row')[name])
  const text = [labels, values].map((cells) => cells.join('\t')).join('\n')
  await page.getByLabelText('Or paste rows').fill(text)
  await ui.button('Read these rows').click()
  for (const [index, name] of fieldNames.entries()) {
    const select = page.getByRole('combobox', { name: capitalize(t(fieldViews[name].noun)), exact: true })
    await expect.element(select).toHaveValue(String(index))
  }
  for (const name of visibleFieldNames) {
    expect(page.getByRole('region', { name: 'Rows' }).element().textContent).toContain(fill('row')[name])
  }
})
