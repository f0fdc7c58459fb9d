import { expect, type Page } from '@playwright/test'
import {
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldRules,
  mapFields,
  pickFields,
} from '../../../contract/employees.ts'
import { paths } from '../../../contract/protocol.ts'
import { type Named, nameOf } from '../people.ts'

export type Records = ReturnType<typeof recordsIn>

/** The parts of the records page in a tab, and what its user does there. */
export function recordsIn(page: Page) {
  const form = page.getByRole('form', { name: 'Employee Data Form' })
  const table = page.getByRole('table', { name: 'Employee Records' })
  const rows = table.locator('tbody').getByRole('row')
  const names = rows.getByRole('rowheader')
  const outbox = page.getByRole('group', { name: 'Unsaved changes' })
  const field = (name: FieldName) => form.getByLabel(fieldRules[name].label, { exact: true })
  const rowOf = (record: Named) =>
    rows.filter({ has: page.getByRole('rowheader', { name: nameOf(record), exact: true }) })
  const rowButton = (record: Named, action: 'Edit' | 'Delete' | 'Hand over' | 'Show password') =>
    rowOf(record).getByRole('button', { name: action })
  const updateButton = form.getByRole('button', { name: 'Update' })
  const entry = (text: string | RegExp) => outbox.getByRole('listitem').filter({ hasText: text })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const submit = async (employee: EmployeeFields) => {
    await records.fill(employee)
    await form.getByRole('button', { name: 'Submit' }).click()
  }
  const records = {
    page,
    form,
    table,
    rows,
    names,
    outbox,
    /** The line at the bottom of the page about what was saved and can be undone. */
    undoBar: page.getByRole('region', { name: 'Recent changes' }),
    field,
    rowOf,
    rowButton,
    entry,
    /** An addition or a change that waits. Until the page has noticed that the connection is lost, a request may have arrived. */
    waiting: (name: string) =>
      entry(new RegExp(`^(?:Will be saved when you reconnect|May already be saved): ${name}`)),
    press,
    edit: (record: Named) => rowButton(record, 'Edit').click(),
    updateButton,
    update: () => updateButton.click(),
    delete: (record: Named) => rowButton(record, 'Delete').click(),
    /** Presses an item of the account menu. */
    async chooseInMenu(item: string) {
      await press('Account menu')
      await press(item)
    },
    /** Fills the given fields of the form. */
    async fill(fields: Partial<EmployeeFields>) {
      for (const name of fieldNames) if (fields[name] !== undefined) await field(name).fill(fields[name])
    },
    async read(): Promise<EmployeeFields> {
      const values = await Promise.all(fieldNames.map((name) => field(name).inputValue()))
      return mapFields((name) => values[fieldNames.indexOf(name)] ?? '')
    },
    submit,
    /** Submits a record and waits for its row. */
    async add(employee: EmployeeFields) {
      await submit(employee)
      await expect(rowOf(employee)).toBeVisible()
    },
    /** Waits until the rows of these records, and no others, are in the table. */
    expectNames: (...employees: Named[]) => expect(names).toHaveText(employees.map(nameOf)),
    /** Stores records through the API of our server, in this order, as another browser of this account would. */
    async create(...employees: EmployeeFields[]) {
      for (const employee of employees) {
        const response = await page.request.post(paths.books, { data: pickFields(employee) })
        // Another host answers 200 with the page.
        if (response.status() !== 201) throw new Error(`${response.status()}: ${await response.text()}`)
      }
    },
    /** The number of records that our server has stored. */
    async countStored(): Promise<number> {
      return (await (await page.request.get(paths.books)).json()).documents.length
    },
    /** Makes the page store its form, as hiding its tab does, and waits until so many rows are stored, without the key. */
    async waitUntilStored(entryCount: number) {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      let last = ''
      const isSettled = async () => {
        const previous = last
        // Firebase's SDK has databases of its own.
        const { rows, text } = await dumpStorage(page, 'staffbook')
        // Each write has another initialization vector.
        last = text
        return rows === entryCount + 1 && text === previous
      }
      await expect.poll(isSettled).toBe(true)
    },
  }
  return records
}

/** All stored data of this origin as text: local storage, session storage, and every row of every database, or of one. */
export function dumpStorage(page: Page, only?: string): Promise<{ rows: number; text: string }> {
  return page.evaluate(async (only) => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const values: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      if (only && name !== only) continue
      const database = await settle(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames)
        values.push(...(await settle(database.transaction(store).objectStore(store).getAll())))
      database.close()
    }
    const decoder = new TextDecoder('latin1')
    const toText = (_: string, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? decoder.decode(value as ArrayBuffer) : value
    return { rows: values.length, text: JSON.stringify([values, localStorage, sessionStorage], toText) }
  }, only)
}
