import { createStore, values } from 'idb-keyval'
import { StrictMode } from 'react'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type RenderResult, render } from 'vitest-browser-react'
import { type Employee, type EmployeeFields, pickFields } from '../../contract/employees.ts'
import { App, RecordsPage, SignInScreen, SignUpScreen } from '../../web/app.tsx'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import type { Services } from '../../web/backends/ports.ts'
import { makeStore } from '../../web/records/model/book/store.ts'
import { claimTab } from '../../web/records/model/outbox/tab-lock.ts'
import { createMemoryBackend, type MemoryBackend, type MemoryClient } from './memory-services.ts'
import { account, type Named, nameOf, toFields } from './people.ts'

/** One tab for all reloads of a test, as in a browser. */
const tab = claimTab()

/** Renders the whole page at a path, as web/main.tsx does. Only this function knows how the page is wired. */
async function renderApp(services: Services, path: string): Promise<RenderResult> {
  history.replaceState(null, '', path)
  await Promise.all([RecordsPage, SignUpScreen, SignInScreen].map(({ preload }) => preload()))
  return render(
    <StrictMode>
      <Provider store={makeStore(services.documents)}>
        <BrowserRouter>
          <App services={services} tab={tab} />
        </BrowserRouter>
      </Provider>
    </StrictMode>,
  )
}

/** The rendered page, and the service behind it. */
export interface TestPage {
  backend: MemoryBackend
  /** The services of this page. */
  client: MemoryClient
  /** Another person, who is signed in. */
  colleague: ReturnType<typeof createColleague>
  /** The record that is stored under this name. */
  find(record: Named): Employee
  /** The stored records, without their ids. */
  stored(): EmployeeFields[]
  /** Renders the page again, as a reload does: the browser storage and the session are kept. */
  reload(path?: string): Promise<void>
}

/** Renders an account screen. The visitor has no account. */
export async function openPage(path: string): Promise<TestPage> {
  const testPage = await createTestPage()
  await testPage.reload(path)
  return testPage
}

/** Renders /form for `account`, signed in, with these records, and waits until they are loaded. */
export async function openRecords(employees: EmployeeFields[] = []): Promise<TestPage> {
  const testPage = await createTestPage()
  const user = await createSession(testPage.client, account)
  localStorage.setItem('user', JSON.stringify(user))
  await testPage.colleague.add(...employees)
  await testPage.reload('/form')
  if (employees.length === 0) await expect.element(page.getByText('No employees yet')).toBeVisible()
  else
    await expect
      .element(page.getByRole('table'))
      .toHaveAttribute('aria-rowcount', String(employees.length + 1))
  return testPage
}

/** Fills the fields of an account screen. */
export async function fillAccount({ email, password } = account): Promise<void> {
  await page.getByLabelText('Email').fill(email)
  await page.getByLabelText('Password', { exact: true }).fill(password)
}

/** Signs in on the sign-in screen. */
export async function signIn(credentials = account): Promise<void> {
  if (location.pathname !== '/signin') await page.getByRole('link', { name: 'Sign in' }).click()
  // Until then the fields are those of sign-up.
  await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await fillAccount(credentials)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function createTestPage(): Promise<TestPage> {
  const backend = createMemoryBackend()
  const client = await backend.connect()
  const find = (record: Named) => {
    const found = backend.employees().find((employee) => nameOf(employee) === nameOf(record))
    if (!found) throw new Error(`${nameOf(record)} is not stored.`)
    return found
  }
  const colleague = createColleague(await backend.connect(), find)
  await createSession(colleague, { email: 'colleague@example.com', password: 'another long one' })
  let rendered: RenderResult | undefined
  return {
    backend,
    client,
    colleague,
    find,
    stored: () => toFields(backend.employees()),
    async reload(path = location.pathname + location.search) {
      if (rendered) {
        await rendered.unmount()
        await waitUntilStored()
      }
      rendered = await renderApp(client, path)
    },
  }
}

/** A client whose user changes records that are known by their names. */
const createColleague = (client: MemoryClient, find: TestPage['find']) => ({
  ...client,
  add: (...employees: EmployeeFields[]) =>
    client.documents.writeBatch({ add: employees, update: [], remove: [] }, newIdempotencyKey()),
  async change(record: Named, fields: Partial<EmployeeFields>) {
    const { id, ...before } = find(record)
    await client.documents.update(id, { ...pickFields(before), ...fields })
    // What a change was of is told by its time: no two have the same one.
    const changedAt = Date.now()
    while (Date.now() === changedAt && !vi.isFakeTimers()) await Promise.resolve()
  },
  async remove(...records: Named[]) {
    for (const { id } of records.map(find)) await client.documents.remove(id)
  },
})

/** What the page is encrypting, which it then writes. */
const encrypting = new Set<Promise<unknown>>()
const { encrypt } = SubtleCrypto.prototype
SubtleCrypto.prototype.encrypt = function (...args) {
  const encrypted = encrypt.apply(this, args)
  encrypting.add(encrypted)
  return encrypted.finally(() => encrypting.delete(encrypted))
}

/** Waits until writing has stopped: the form stores its draft when it is unmounted. */
async function waitUntilStored() {
  const vault = createStore('staffbook', 'vault')
  let last = ''
  const isUnchanged = async () => {
    const previous = last
    // Each write has another initialization vector. A test may have made the storage unreadable.
    last = JSON.stringify(await values(vault).catch(() => []))
    return encrypting.size === 0 && last === previous
  }
  await expect.poll(isUnchanged, { interval: 50 }).toBe(true)
}

async function createSession({ identity }: MemoryClient, { email, password }: typeof account) {
  await identity.createAccount(email, password)
  return identity.signIn(email, password)
}
