// Every field of a record is shown and saved by each part of the page that has fields.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  type FieldName,
  fieldNames,
  fieldRules,
  mapFields,
  optionalFieldNames,
  secretFieldNames,
} from '../../contract/employees.ts'
import { mayBeOwnPassword } from '../../web/auth/own-password.ts'
import { t } from '../../web/language/translate.ts'
import { capitalize, fieldViews, titleField, visibleFieldNames } from '../../web/records/model/fields.ts'
import { account, ada, named, without } from '../support/people.ts'
import { openRecords, signIn } from '../support/render.tsx'
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
    await expect.element(ui.fieldOf(name)).toHaveAttribute('spellcheck', 'false')
    await expect.element(ui.fieldOf(name)).toHaveAttribute('writingsuggestions', 'false')
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

/** Sets the value of a field, as password managers do. */
function setValue(name: FieldName, value: string, event?: Event) {
  const input = ui.fieldOf(name).element() as HTMLInputElement
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, value)
  if (event) input.dispatchEvent(event)
}

const filledText = 'Your browser or a password manager filled in the'
const question = (text: string | RegExp) => ui.form().getByRole('alert').filter({ hasText: text })

test('what fills a field without an event is asked about once, then saved; a text with a line break stays', async () => {
  const record = { ...fill('first'), [titleField]: 'Two\nLines' }
  const { stored } = await openRecords([record])
  const typed = fill('typed')
  setValue(titleField, typed[titleField])
  await ui.passwordField().fill('another')
  for (const name of fieldNames) setValue(name, typed[name])
  await ui.submitButton().click()
  await expect.element(question(`${filledText} password`)).toBeVisible()
  expect(stored()).toEqual([record])
  await ui.submitButton().click()
  await expect.poll(stored).toEqual([record, typed])
  await ui.rows().first().getByRole('button', { name: 'Edit' }).click()
  await expect.element(ui.updateButton()).toBeVisible()
  setValue('email', 'second@example.com')
  await ui.updateButton().click()
  await expect.element(question(`${filledText} email`)).toBeVisible()
  await ui.updateButton().click()
  await expect.poll(stored).toEqual([{ ...record, email: 'second@example.com' }, typed])
})

test('what fills a field without an event stays while the form is rendered, until another record is edited', async () => {
  const [record, other] = [fill('first'), { ...fill('second'), email: 'first.email@example.com' }]
  const { colleague, stored } = await openRecords([record, other])
  const filled = fill('filled')
  // A password manager hears of what is typed after the page, and fills the others before that is rendered.
  const fillOthers = () => {
    for (const name of visibleFieldNames) setValue(name, filled[name])
  }
  window.addEventListener('input', fillOthers, { once: true })
  for (const name of secretFieldNames) await ui.fieldOf(name).fill(filled[name])
  await colleague.add(fill('third'))
  await expect.element(ui.rowOf(fill('third'))).toBeVisible()
  await ui.form().getByRole('button', { name: 'Show password' }).first().click()
  expect(ui.readForm()).toEqual(filled)
  await ui.submitButton().click()
  await expect.poll(() => stored().at(-1)).toEqual(filled)

  await ui.button(`Edit ${record[titleField]}`).click()
  setValue('email', 'me@example.com')
  await ui.button(`Edit ${other[titleField]}`).click()
  await expect.poll(ui.readForm).toEqual(other)
})

test('a field shows what is taken of what was typed, also if that changes nothing', async () => {
  await openRecords()
  for (const typed of ['ada@example.com', 'Ada <ada@example.com>']) await ui.emailField().fill(typed)
  await expect.element(ui.emailField()).toHaveValue('ada@example.com')
})

test('what a password manager fills into the form of a record is asked about, unless the user has typed since', {
  tags: 'main',
}, async () => {
  const record = fill('first')
  const { stored } = await openRecords([record])
  await ui.button(`Edit ${record[titleField]}`).click()
  setValue('email', 'me@example.com', new Event('input', { bubbles: true }))
  // Firefox.
  const replacement = new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' })
  setValue('password', 'my own password', replacement)
  await ui.updateButton().click()
  await expect.element(question(`${filledText} email and password`)).toBeVisible()
  expect(stored()).toEqual([record])
  await ui.emailField().fill('typed@example.com')
  await expect.element(question(filledText)).not.toBeInTheDocument()
  await ui.updateButton().click()
  await expect.element(question(`${filledText} password`)).toBeVisible()
  await ui.passwordField().fill('typed and long')
  await ui.updateButton().click()
  await expect.poll(stored).toEqual([{ ...record, email: 'typed@example.com', password: 'typed and long' }])
})

test('the password of one’s own account is asked about before a record gets it', {
  tags: 'main',
}, async () => {
  const record = fill('first')
  const testPage = await openRecords([record])
  localStorage.clear()
  await testPage.reload('/signin')
  await signIn()
  await expect.element(ui.button(`Edit ${record[titleField]}`)).toBeVisible()
  await expect.poll(() => mayBeOwnPassword(account.password)).toBe(true)
  await ui.button(`Edit ${record[titleField]}`).click()
  await ui.passwordField().fill(account.password)
  await ui.updateButton().click()
  await expect.element(question('This is the password of your own account.')).toBeVisible()
  expect(testPage.stored()).toEqual([record])
  await ui.updateButton().click()
  await expect.poll(testPage.stored).toEqual([{ ...record, password: account.password }])
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

/** What tells the secrets apart for the eye, where no header does. */
const captions = secretFieldNames.length > 1 ? secretFieldNames.map((name) => fieldRules[name].label) : []
const captionsIn = (element: Element) =>
  Array.from(element.querySelectorAll<HTMLElement>('span:has(+ input[type="password"])'), (caption) =>
    caption.checkVisibility() ? caption.innerText : '',
  ).filter(Boolean)

test('a card says which mask is of which secret, if there are several; in a row, the header does', async () => {
  await openRecords([fill('full')])
  await expect.element(ui.rows()).toBeVisible()
  expect(captionsIn(ui.rows().element())).toEqual([])
  await page.viewport(390, 844)
  await expect.poll(() => captionsIn(ui.rows().element())).toEqual(captions)
  for (const name of secretFieldNames) {
    const noun = t(fieldViews[name].noun)
    await ui.button(`Show ${noun} of ${fill('full')[titleField]}`).click()
    await expect.element(ui.rows().getByCss('input[type="text"]')).toHaveValue(fill('full')[name])
    await ui.button(`Show ${noun} of ${fill('full')[titleField]}`).click()
  }
})

test('a deleted record is listed with every field, and an undo and a restore bring each back', async () => {
  const record = fill('deleted')
  const { stored } = await openRecords([record])
  // With a key: a second click within 150 ms is ignored.
  const remove = () => ui.press(ui.button(`Delete ${record[titleField]}`), '{Enter}')
  await remove()
  await ui.undoButton().click()
  await expect.poll(stored).toEqual([record])
  await remove()
  await expect.poll(stored).toEqual([])
  await ui.chooseInMenu('Recently deleted')
  const item = ui.dialog().getByRole('listitem')
  await expect.element(item).toBeVisible()
  for (const name of visibleFieldNames) expect(item.element().textContent).toContain(record[name])
  for (const name of secretFieldNames) expect(item.element().outerHTML).not.toContain(record[name])
  expect(captionsIn(item.element())).toEqual(captions)
  for (const name of secretFieldNames) {
    const show = item.getByRole('button', {
      name: `Show ${t(fieldViews[name].noun)} of ${record[titleField]}`,
    })
    await show.click()
    await expect.element(item.getByCss('input[type="text"]')).toHaveValue(record[name])
    await show.click()
  }
  await item.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(stored).toEqual([record])
})

test('every previous secret is named, shown alone, and put into the form again', async () => {
  const record = fill('first')
  const { colleague } = await openRecords([record])
  const second = fill('second')
  await colleague.change(record, Object.fromEntries(secretFieldNames.map((name) => [name, second[name]])))
  await ui.button(`Edit ${record[titleField]}`).click()
  await ui.form().getByRole('button', { name: '1 previous password' }).click()
  const item = ui.form().getByRole('list', { name: 'Previous passwords' }).getByRole('listitem')
  const shows = item.getByRole('button', { name: /(^|: )Show previous password/ })
  await expect.element(shows).toHaveLength(secretFieldNames.length)
  const labels = Array.from(item.element().querySelectorAll('input'), (input) => input.ariaLabel)
  expect(new Set(labels).size).toBe(secretFieldNames.length)
  expect(captionsIn(item.element())).toEqual(captions)
  for (const [index, name] of secretFieldNames.entries()) {
    await shows.nth(index).click()
    await expect.element(item.getByCss('input[type="text"]')).toHaveValue(record[name])
    await shows.nth(index).click()
  }
  await item.getByRole('button', { name: /^Use again/ }).click()
  for (const name of secretFieldNames) await expect.element(ui.fieldOf(name)).toHaveValue(record[name])
})

test('a printed link has every field that others may see, also two of the same text, and no secret', async () => {
  const record = {
    ...fill('printed'),
    ...Object.fromEntries(visibleFieldNames.map((name) => [name, 'same@example.com'])),
    [titleField]: 'Printed',
  }
  await openRecords()
  const labels = fieldNames.map((name) => fieldRules[name].label)
  const rows = [record, fill('other')].map((each) => fieldNames.map((name) => each[name]))
  await ui.paste([labels, ...rows].map((cells) => cells.join(',')).join('\n'))
  await ui.pressButtons('Import 2 records', 'Hand over all', 'Make 2 links')
  let printed = ''
  vi.spyOn(window, 'print').mockImplementation(() => {
    printed = document.querySelector('[data-printout]')?.textContent ?? ''
  })
  await ui.button('Print').click()
  for (const name of visibleFieldNames) await expect.poll(() => printed).toContain(fill('other')[name])
  await expect.poll(() => printed).toContain('same@example.com'.repeat(visibleFieldNames.length - 1))
  for (const name of secretFieldNames) expect(printed).not.toContain(record[name])
  dispatchEvent(new Event('afterprint'))
})
