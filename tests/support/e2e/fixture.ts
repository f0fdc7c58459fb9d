import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import {
  type EmployeeFields,
  type FieldName,
  fieldNames,
  mapFields,
  pickFields,
} from '../../../contract/employees.ts'
import { paths } from '../../../contract/protocol.ts'
import { openHostedBackend } from '../firebase/hosted-backend.ts'
import { account, type Named, nameOf } from '../people.ts'
import {
  type Backend,
  type NetworkProxy,
  type ServerProcess,
  startNetworkProxy,
  startServer,
} from './backend.ts'

export { expect }

interface Fixtures {
  /** The product, without a record. */
  backend: Backend
  /** Console errors and warnings that this test provokes; any other fails it. */
  expectedErrors: RegExp[]
  /** A page that is signed in as `account`, on /form, ready for input. */
  recordsPage: Page
  /** Opens /form in another browser in which `account` is signed in, which is closed after the test. */
  openColleague(url?: string): Promise<Page>
  /** A proxy in front of the product. */
  networkProxy: NetworkProxy
}

interface WorkerFixtures {
  sharedServer: ServerProcess
}

/** Set where the tests run against the page on Firebase; see tests/firebase/playwright.config.ts. */
const hostedApp = process.env.STAFFBOOK_HOSTED

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  backend: hostedApp
    ? // biome-ignore lint/correctness/noEmptyPattern: as above
      async ({}, use) => use(await openHostedBackend(hostedApp))
    : async ({ sharedServer }, use) => {
        await use(sharedServer)
        await sharedServer.clear()
      },
  baseURL: async ({ backend }, use) => use(backend.url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),
  context: async ({ context, expectedErrors }, use) => {
    const consoleErrors = collectConsoleErrors(context)
    await use(context)
    const isExpected = (text: string) => expectedErrors.some((pattern) => pattern.test(text))
    expect(consoleErrors.filter((text) => !isExpected(text))).toEqual([])
  },
  recordsPage: async ({ page, backend }, use) => {
    if (backend.openSession) await backend.openSession(page)
    else {
      await signUp(page)
      await signIn(page)
    }
    await expect(form(page)).toBeVisible()
    await use(page)
  },
  openColleague: async ({ recordsPage, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (url = baseURL) => {
      const colleaguePage = await openAnotherBrowser(recordsPage, url)
      contexts.push(colleaguePage.context())
      await signIn(colleaguePage)
      return colleaguePage
    })
    for (const context of contexts) await context.close()
  },
  networkProxy: async ({ backend }, use) => {
    const proxy = await startNetworkProxy(backend.url)
    await use(proxy)
    await proxy.close()
  },
})

/** Serves tests that stop their server, or change the password of `account`. */
export const testWithOwnServer = test.extend<{ server: ServerProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: as above
  server: async ({}, use) => {
    const server = await startServer()
    await use(server)
    await server.stop()
  },
  backend: async ({ server }, use) => use(server),
})

/** Errors and warnings on the console, and uncaught exceptions. */
export function collectConsoleErrors(context: BrowserContext): string[] {
  const consoleErrors: string[] = []
  context.on('console', (message) => {
    const isBlocked = message.text() === 'Service Worker registration blocked by Playwright'
    const isProblem = ['error', 'warning'].includes(message.type())
    if (isProblem && !isBlocked && !isLostChannel(message)) consoleErrors.push(message.text())
  })
  context.on('weberror', (error) => consoleErrors.push(String(error.error())))
  return consoleErrors
}

/** Firestore's emulator sometimes loses a channel under load; the SDK opens another one. */
const isLostChannel = (message: ConsoleMessage) =>
  /\/(Listen|Write)\/channel/.test(message.location().url) && message.text().includes('status of 400')

export async function signUp(page: Page, { email, password } = account) {
  await page.goto('/')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/signin')
}

export async function signIn(page: Page, { email, password } = account) {
  await page.goto('/signin')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/form')
}

export const form = (page: Page) => page.getByRole('form', { name: 'Employee Data Form' })
export const outboxList = (page: Page) => page.getByRole('group', { name: 'Unsaved changes' })
/** The line at the bottom of the page about what was saved and can be undone. */
export const undoBar = (page: Page) => page.getByRole('region', { name: 'Recent changes' })
export const edit = (page: Page, record: Named) => rowButton(page, record, 'Edit').click()
export const update = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()
export const outboxEntry = (page: Page, text: string) =>
  outboxList(page).getByRole('listitem').filter({ hasText: text })

const labels: Record<FieldName, string> = { eName: 'Employee Name', email: 'Email', password: 'Password' }
export const field = (page: Page, name: FieldName) => form(page).getByLabel(labels[name], { exact: true })

/** Fills the given fields of the form. */
export async function fillForm(page: Page, fields: Partial<EmployeeFields>) {
  for (const name of fieldNames) if (fields[name] !== undefined) await field(page, name).fill(fields[name])
}

export async function readForm(page: Page): Promise<EmployeeFields> {
  const values = await Promise.all(fieldNames.map((name) => field(page, name).inputValue()))
  return mapFields((name) => values[fieldNames.indexOf(name)] ?? '')
}

/** Fills the form and presses Submit. */
export async function submitEmployee(page: Page, employee: EmployeeFields) {
  await fillForm(page, employee)
  await form(page).getByRole('button', { name: 'Submit' }).click()
}

/** Submits a record and waits for its row. */
export async function addEmployee(page: Page, employee: EmployeeFields) {
  await submitEmployee(page, employee)
  await expect(rowOf(page, employee)).toBeVisible()
}

/** Stores records through the API of our server, in this order, as another browser of this account would. */
export async function createEmployees(page: Page, employees: EmployeeFields[]): Promise<void> {
  for (const employee of employees) {
    const response = await page.request.post(paths.books, { data: pickFields(employee) })
    if (!response.ok()) throw new Error(`${response.status()}: ${await response.text()}`)
  }
}

/** The records that our server has stored, without their ids. */
export async function fetchEmployees(page: Page): Promise<EmployeeFields[]> {
  const { documents } = await (await page.request.get(paths.books)).json()
  return documents.map(pickFields)
}

export const table = (page: Page) => page.getByRole('table', { name: 'Employee Records' })
export const rows = (page: Page) => table(page).locator('tbody').getByRole('row')
export const names = (page: Page) => rows(page).getByRole('rowheader')

export const rowOf = (page: Page, record: Named): Locator =>
  rows(page).filter({ has: page.getByRole('rowheader', { name: nameOf(record), exact: true }) })

export const rowButton = (page: Page, record: Named, action: 'Edit' | 'Delete' | 'Show password') =>
  rowOf(page, record).getByRole('button', { name: action })

/** Waits until the rows of these records, and no others, are in the table. */
export const expectNames = (page: Page, ...records: Named[]) =>
  expect(names(page)).toHaveText(records.map(nameOf))

/** A page of another browser, with storage and cookies of its own. */
export async function openAnotherBrowser(page: Page, baseURL: string | undefined): Promise<Page> {
  const browser = page.context().browser()
  if (!browser || !baseURL) throw new Error('A second browser needs the first one and the address.')
  const context = await browser.newContext({ baseURL, locale: 'en-GB' })
  return context.newPage()
}

/** Makes the page store its form, as hiding its tab does, and waits until this number of rows is stored, without the key. */
export async function waitUntilStored(page: Page, entryCount: number) {
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
