// Locators of the parts of the page, by role and name, and common user actions.
import { expect } from 'vitest'
import { type Locator, locators, page, userEvent } from 'vitest/browser'
import {
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldRules,
  mapFields,
} from '../../contract/employees.ts'
import { type Named, nameOf } from '../support/people.ts'

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Finds elements that have neither a role nor a text. */
    getByCss(selector: string): Locator
  }
}

locators.extend({ getByCss: (selector) => `css=${selector}` })

export const form = () => page.getByRole('form', { name: 'Employee Data Form' })
export const fieldOf = (name: FieldName) => form().getByLabelText(fieldRules[name].label, { exact: true })
export const nameField = () => fieldOf('eName')
export const emailField = () => fieldOf('email')
export const passwordField = () => fieldOf('password')
export const submitButton = () => form().getByRole('button', { name: 'Submit', exact: true })
export const updateButton = () => form().getByRole('button', { name: 'Update', exact: true })

export const table = () => page.getByRole('table', { name: 'Employee Records' })
export const rows = () => table().getByCss('tbody').getByRole('row')
export const names = () => rows().getByRole('rowheader')
export const rowOf = (record: Named) =>
  rows().filter({ has: page.getByRole('rowheader', { name: nameOf(record), exact: true }) })
type RowAction = 'Edit' | 'Delete' | 'Hand over' | 'Copy email' | 'Copy password' | 'Show password'
export const rowButton = (record: Named, action: RowAction) =>
  rowOf(record).getByRole('button', { name: action })
export const focusedRow = () => page.getByCss('tr:focus').getByRole('rowheader')

export const outboxList = () => page.getByRole('group', { name: 'Unsaved changes' })
export const outboxEntries = () => outboxList().getByRole('listitem')
export const outboxEntry = (text: string) => outboxEntries().filter({ hasText: text })
export const undoBar = () => page.getByRole('region', { name: 'Recent changes' })
export const undoButton = (name: string | RegExp = /^Undo (delete|discard|edit)$/) =>
  undoBar().getByRole('button', { name, exact: true }).first()
export const toast = (text: string | RegExp = /./) =>
  page
    .getByRole('status')
    .filter({ has: page.getByCss('p') })
    .filter({ hasText: text })
    .last()
export const dialog = (name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {})
export const alert = () => page.getByRole('alert')
export const searchBox = () => page.getByRole('searchbox', { name: 'Search' })
export const sortSelect = () => page.getByRole('combobox', { name: 'Sort' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })

/** The password field of an account screen. */
export const accountPassword = () => page.getByLabelText('Password', { exact: true })

/** Presses buttons, one after the other. */
export async function pressButtons(...labels: string[]): Promise<void> {
  for (const name of labels) await button(name).click()
}

/** Presses keys, and waits until this element has the focus. */
export async function moveFocus(keys: string, target: Locator): Promise<void> {
  await userEvent.keyboard(keys)
  await expect.element(target).toHaveFocus()
}

// Not one of a test's fake timers.
const { requestIdleCallback } = window

/**
 * Waits until React has run the effects of what it shows. In StrictMode a dialog then closes and opens again, which moves the
 * focus. Call it before a test acts on a new part without a press or a key.
 */
export const whenEffectsRan = () => new Promise<unknown>((resolve) => requestIdleCallback(resolve))

/** Presses an item of the account menu. */
export async function chooseInMenu(item: string): Promise<void> {
  await button('Account menu').click()
  await button(item).last().click()
}

/** Fills the given fields of the form. */
export async function fillForm(fields: Partial<EmployeeFields>): Promise<void> {
  for (const name of fieldNames) if (fields[name] !== undefined) await fieldOf(name).fill(fields[name])
}

export const readForm = (): EmployeeFields =>
  mapFields((name) => (fieldOf(name).element() as HTMLInputElement).value)

/** Fills the form and presses Submit. */
export async function submitEmployee(employee: EmployeeFields): Promise<void> {
  await fillForm(employee)
  await submitButton().click()
}

/** Submits a record and waits for its row. */
export async function addEmployee(employee: EmployeeFields): Promise<void> {
  await submitEmployee(employee)
  await expect.element(rowOf(employee)).toBeVisible()
}

/** Opens a record in the form, fills the given fields, and presses Update. */
export async function changeEmployee(record: Named, fields: Partial<EmployeeFields>): Promise<void> {
  await rowButton(record, 'Edit').click()
  await fillForm(fields)
  await updateButton().click()
}

/** Focuses an element and presses a key, in the syntax of `userEvent.keyboard`. */
export async function press(target: Locator, keys: string): Promise<void> {
  focus(target)
  await userEvent.keyboard(keys)
}

export function focus(target: Locator): void {
  target.element().focus()
}

/** Presses Tab until this element has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  for (let step = 0; step < 40; step++) {
    if (target.query() === document.activeElement) return
    await userEvent.tab()
  }
  throw new Error(`${target.asLocator()} cannot be reached with Tab.`)
}

/** Waits until these elements, and no others, have these texts. */
export async function expectTexts(elements: Locator, texts: (string | RegExp)[]): Promise<void> {
  const expected = texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text)))
  await expect.poll(() => elements.elements().map(readText)).toEqual(expected)
}

/** Waits until the rows of these records, and no others, are in the table. */
export const expectNames = (...records: Named[]): Promise<void> => expectTexts(names(), records.map(nameOf))

export async function expectPath(path: string): Promise<void> {
  await expect.poll(() => location.pathname + location.search).toBe(path)
}

const readText = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

/** Pastes onto an element as Ctrl+V does; by default outside every field. Returns whether the page takes the text. */
export async function paste(text: string, target: Element = document.body, file?: File) {
  await expect.element(page.getByRole('button', { name: /^import$/i })).toBeInTheDocument()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  if (file) clipboardData.items.add(file)
  return !target.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

/** Waits until nothing moves. Ignores animations of style sheets, because some are endless. */
export const finishTransitions = () =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter((animation) => !(animation instanceof CSSAnimation))
      .map(({ finished }) => finished),
  )
