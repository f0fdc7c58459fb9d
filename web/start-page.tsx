import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { App, RecordsPage, SignInScreen, SignUpScreen } from './app.tsx'
import { readStoredUser } from './auth/stored-user.tsx'
import type { Services } from './backends/ports.ts'
import { loadCatalog } from './language/translate.ts'
import { listenAtWindow } from './lib/dom.ts'
import { isStorageBlocked } from './lib/stored-state.ts'
import { makeStore, type Store } from './records/model/book/store.ts'
import { claimTab } from './records/model/outbox/tab-lock.ts'
import { LoadError, PageFailure, StorageBlocked } from './ui/error-boundary.tsx'
import './ui/theme.css'

interface Options {
  /** The path of the page, which ends with a slash. */
  basename?: string
  /** Opens the backend, and what stands above each screen. */
  open(): Promise<{ services: Services; above?: ReactNode }>
  /** Called when everything that the first screen needs was requested. */
  onStarted?(): void
}

/** Renders the page, or why it can't be opened. */
export function startPage(options: Options): void {
  const container = document.getElementById('root')
  if (!container) throw new Error('index.html has no element with the id "root".')
  const root = createRoot(listenAtWindow(container), { onRecoverableError: reportUnlessLoading })
  render((content) => root.render(content), options).catch((error) => {
    root.render(<PageFailure />)
    throw error
  })
}

async function render(show: (content: ReactNode) => void, { basename = '/', open, onStarted }: Options) {
  await loadCatalog()
  if (isStorageBlocked()) return show(<StorageBlocked />)
  const { services, above } = await open()
  const store = makeStore(services.documents)
  const tab = claimTab()

  const isSignedIn = readStoredUser() !== null
  const isForm = isSignedIn && location.pathname === `${basename}form`
  const formLoaded = isSignedIn && RecordsPage.preload()
  // Rendering a screen before its chunk is loaded would delay it by 300 ms: see ui/lazy-part.tsx.
  if (isForm) await formLoaded
  else await Promise.all([SignUpScreen.preload(), SignInScreen.preload()])

  show(
    <StrictMode>
      <Provider store={store}>
        <BrowserRouter basename={basename}>
          {above}
          <App services={services} tab={tab} />
        </BrowserRouter>
      </Provider>
    </StrictMode>,
  )
  // The service worker loads all files of the page: the records come first.
  if (isForm) await untilLoaded(store)
  onStarted?.()
}

/** A part that failed to load may be loaded again while React renders the failure: React recovers, and nobody has to know. */
function reportUnlessLoading(error: unknown) {
  if (!(error instanceof Error && error.cause instanceof LoadError)) reportError(error)
}

/** Resolves when the first request for the records has ended. */
const untilLoaded = (store: Store) =>
  new Promise<void>((resolve) => {
    const unsubscribe = store.subscribe(() => {
      if (store.getState().loading) return
      unsubscribe()
      resolve()
    })
  })
