import { StrictMode } from 'react'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { EmployeeFields } from '../../contract/employees.ts'
import { App, RecordsPage } from '../../web/app.tsx'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import type { Services } from '../../web/backends/ports.ts'
import { claimTab } from '../../web/records/outbox/tab-lock.ts'
import { makeStore } from '../../web/store.ts'
import { createMemoryBackend, type MemoryBackend, type MemoryClient } from './memory-services.ts'
import { account } from './people.ts'

/** Like the browser tab, it lasts across the reloads of a test. */
const tab = claimTab()

/** Renders the whole page at a path, as web/main.tsx does. */
export async function renderApp(services: Services, path: string) {
  history.replaceState(null, '', path)
  await RecordsPage.preload()
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

/** The page under test, with the service behind it. */
export interface TestPage {
  backend: MemoryBackend
  /** The services of this page. */
  client: MemoryClient
  /** Another person's services, signed in. */
  colleague: MemoryClient
  /** Renders the page anew, as a reload does; what the browser stores stays. */
  reload(path?: string): Promise<void>
}

/** Renders an account screen; the service has no account. */
export async function openPage(path: string): Promise<TestPage> {
  const backend = createMemoryBackend()
  return openWith(backend, path)
}

/** Renders /form for `account`, signed in, with these records. */
export async function openRecords(employees: EmployeeFields[] = []): Promise<TestPage> {
  const backend = createMemoryBackend()
  const opened = await preparePage(backend)
  const { client, colleague } = opened
  await client.identity.createAccount(account.email, account.password)
  const user = await client.identity.signIn(account.email, account.password)
  localStorage.setItem('user', JSON.stringify(user))
  await addRecords(colleague, employees)
  await opened.reload('/form')
  return opened
}

export async function addRecords({ documents }: MemoryClient, employees: EmployeeFields[]): Promise<void> {
  await documents.writeBatch({ add: employees, update: [], remove: [] }, newIdempotencyKey())
}

async function openWith(backend: MemoryBackend, path: string): Promise<TestPage> {
  const opened = await preparePage(backend)
  await opened.reload(path)
  return opened
}

async function preparePage(backend: MemoryBackend): Promise<TestPage> {
  const colleague = await backend.connect()
  const credentials = { email: 'colleague@example.com', password: 'another long one' }
  await colleague.identity.createAccount(credentials.email, credentials.password)
  await colleague.identity.signIn(credentials.email, credentials.password)
  const client = await backend.connect()
  let rendered: Awaited<ReturnType<typeof renderApp>> | undefined
  return {
    backend,
    client,
    colleague,
    async reload(path = location.pathname + location.search) {
      await rendered?.unmount()
      rendered = await renderApp(client, path)
    },
  }
}

/** Signs in on the sign-in screen. */
export async function signIn({ email, password } = account): Promise<void> {
  if (location.pathname !== '/signin') await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabelText('Email').fill(email)
  await page.getByLabelText('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
