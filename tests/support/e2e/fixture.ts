import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import { openHostedBackend } from '../firebase/hosted-backend.ts'
import { type Backend, type ServerProcess, startServer } from './backend.ts'

export { expect }

/** The record of the first row, and others, as a person types them. */
export const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
export const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }
export const alan = { eName: 'Alan Turing', email: 'alan@example.com', password: 'bombe' }

export const account = { email: 'keeper@example.com', password: 'a register of one’s own' }

interface Fixtures {
  /** A backend of this test's own, with no account and no record. */
  backend: Backend
  server: ServerProcess
  /** Console errors and warnings that this test provokes; any other fails it. */
  expectedErrors: RegExp[]
  /** A page of this browser that is signed in, on /form, and hears its keys. */
  recordsPage: Page
}

/** Where a run has put the page on another backend than our server; see tests/firebase/playwright.config.ts. */
const hostedApp = process.env.STAFFBOOK_HOSTED

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies off this pattern
  server: async ({}, use) => {
    const server = await startServer()
    await use(server)
    await server.stop()
  },
  backend: hostedApp
    ? // biome-ignore lint/correctness/noEmptyPattern: as above
      async ({}, use) => use(await openHostedBackend(hostedApp))
    : async ({ server }, use) => use(server),
  baseURL: async ({ backend }, use) => use(backend.url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),
  context: async ({ context, expectedErrors }, use) => {
    const complaints = collectConsoleErrors(context)
    await use(context)
    expect(complaints.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
  },
  recordsPage: async ({ page }, use) => {
    await signUp(page)
    await signIn(page)
    await expect(form(page)).toBeVisible()
    await use(page)
  },
})

/** What the browser complains of on the console, and every exception that nobody caught. */
export function collectConsoleErrors(context: BrowserContext): string[] {
  const consoleErrors: string[] = []
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text())
  })
  context.on('weberror', (error) => consoleErrors.push(String(error.error())))
  return consoleErrors
}

export async function signUp(page: Page, { email, password } = account) {
  await page.goto('/')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/signin')
}

export async function signIn(page: Page, { email, password } = account) {
  await page.goto('/signin')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/form')
}

type EmployeeInput = { eName: string; email: string; password: string }

export const form = (page: Page) => page.getByRole('form', { name: 'Employee Data Form' })
export const outboxList = (page: Page) => page.getByRole('status', { name: 'Not saved yet' })

export async function fillForm(page: Page, { eName, email, password }: EmployeeInput) {
  await form(page).getByLabel('Employee Name').fill(eName)
  await form(page).getByLabel('Email', { exact: true }).fill(email)
  await form(page).getByLabel('Password', { exact: true }).fill(password)
}

/** What stands in the form. */
export async function readForm(page: Page): Promise<EmployeeInput> {
  return {
    eName: await form(page).getByLabel('Employee Name').inputValue(),
    email: await form(page).getByLabel('Email', { exact: true }).inputValue(),
    password: await form(page).getByLabel('Password', { exact: true }).inputValue(),
  }
}

export async function addEmployee(page: Page, employee: EmployeeInput) {
  await fillForm(page, employee)
  await form(page).getByRole('button', { name: 'Submit' }).click()
  await expect(rowOf(page, employee.eName)).toBeVisible()
}

export const table = (page: Page) => page.getByRole('table', { name: 'Employee Records' })
export const rows = (page: Page) => table(page).locator('tbody').getByRole('row')
export const names = (page: Page) => rows(page).getByRole('rowheader')

export function rowOf(page: Page, eName: string): Locator {
  return rows(page).filter({ has: page.getByRole('rowheader', { name: eName, exact: true }) })
}

/** Another browser: another person, or the same one elsewhere. */
export async function openAnotherBrowser(page: Page, baseURL: string | undefined): Promise<Page> {
  const browser = page.context().browser()
  if (!browser || !baseURL) throw new Error('A second browser needs the first one’s, and the address.')
  const context = await browser.newContext({ baseURL, locale: 'en-GB' })
  return context.newPage()
}

/** Another browser in which the same account is signed in. */
export async function openColleaguePage(page: Page, baseURL: string | undefined): Promise<Page> {
  const colleaguePage = await openAnotherBrowser(page, baseURL)
  await signIn(colleaguePage)
  return colleaguePage
}
