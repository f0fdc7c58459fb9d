import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { openHostedBackend } from '../firebase/hosted-backend.ts'
import { account } from '../people.ts'
import { type Cluster, createSchema } from '../postgres/cluster.ts'
import {
  type Backend,
  type NetworkProxy,
  type ServerProcess,
  startNetworkProxy,
  startServer,
} from './backend.ts'
import { collectConsoleErrors } from './console-errors.ts'
import { type Records, recordsIn } from './records.ts'

export { expect }

interface Fixtures {
  /** The product, without a record. */
  backend: Backend
  /** The records page, signed in as `account`, ready for input. */
  records: Records
  /** A page of another browser, with storage and cookies of its own, which is closed after the test. */
  openBrowser(url?: string): Promise<Page>
  /** Opens /form in another browser in which `account` is signed in. */
  openColleague(url?: string): Promise<Records>
  /** A proxy in front of the product. */
  networkProxy: NetworkProxy
}

interface WorkerFixtures {
  sharedServer: ServerProcess
}

/** Set where the tests run against the page on Firebase; see tests/firebase/playwright.config.ts. */
const hostedApp = process.env.STAFFBOOK_HOSTED
/** Set where they run with two servers; see tests/postgres/playwright.config.ts. */
const cluster: Pick<Cluster, 'url' | 'folder'> | undefined = JSON.parse(process.env.TEST_CLUSTER ?? 'null')

const refusedCommit = /status of 403 .*\/documents:commit\?/

let allowedMessages: RegExp[] = []

/** Console errors and warnings that the current test provokes; any other fails it. */
export function allowConsole(...patterns: RegExp[]): void {
  allowedMessages.push(...patterns)
}

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
  context: async ({ context }, use) => {
    allowedMessages = []
    const readConsoleErrors = collectConsoleErrors(context)
    await use(context)
    const isAllowed = (text: string) => allowedMessages.some((pattern) => pattern.test(text))
    const errors = readConsoleErrors().filter((text) => !isAllowed(text))
    // Under load, the emulator may refuse a commit that it has executed. The page reads the result when it repeats it.
    const repeated = hostedApp ? errors.findIndex((text) => refusedCommit.test(text)) : -1
    expect(errors.filter((_, i) => i !== repeated)).toEqual([])
  },
  records: async ({ page, backend }, use) => {
    if (backend.openSession) await backend.openSession(page)
    else {
      await signUp(page)
      await signIn(page)
    }
    await expect(recordsIn(page).form).toBeVisible()
    await use(recordsIn(page))
  },
  openBrowser: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (url = baseURL) => {
      const context = await browser.newContext({ baseURL: url ?? '', locale: 'en-GB' })
      contexts.push(context)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
  openColleague: async ({ records: _, openBrowser, backend }, use) =>
    use(async (url) => {
      const page = await openBrowser(url)
      await (backend.openSession ?? signIn)(page)
      return recordsIn(page)
    }),
  networkProxy: async ({ backend }, use) => {
    const proxy = await startNetworkProxy(backend.url)
    await use(proxy)
    await proxy.close()
  },
})

/** Serves tests that stop their server, or change the password of `account`. */
export const testWithOwnServer = test.extend<{ server: ServerProcess; signUp: string }>({
  signUp: ['open', { option: true }],
  server: async ({ signUp }, use) => {
    const settings = { SIGN_UP: signUp, RECORDS_KEY: 'ab'.repeat(32) }
    const server = await (cluster
      ? startServer({ ...settings, DATABASE_URL: await createSchema(cluster.url) }, cluster.folder)
      : startServer(settings))
    await use(server)
    await server.stop()
  },
  backend: async ({ server }, use) => use(server),
})

/** Fills and sends the form of the account screen that is open. */
export async function sendAccount(page: Page, action: string, { email, password } = account) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: action, exact: true }).click()
}

export async function signUp(page: Page, credentials = account) {
  await page.goto('/')
  await sendAccount(page, 'Sign Up', credentials)
  await expect(page).toHaveURL('/signin')
}

export async function signIn(page: Page, credentials = account) {
  await page.goto('/signin')
  await sendAccount(page, 'Sign In', credentials)
  await expect(page).toHaveURL('/form')
}
