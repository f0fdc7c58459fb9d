import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { createBackend } from '#backend'
import { App, RecordsPage } from './app.tsx'
import { readStoredUser } from './auth/stored-user.tsx'
import { loadCatalog } from './language/translate.ts'
import { isStorageBlocked } from './lib/stored-state.ts'
import { registerServiceWorker } from './lib/workers.ts'
import { makeStore, type Store } from './records/model/book/store.ts'
import { claimTab } from './records/model/outbox/tab-lock.ts'
import { PageFailure, StorageBlocked } from './ui/error-boundary.tsx'
import './ui/theme.css'

async function main(root: Root) {
  await loadCatalog()
  if (isStorageBlocked()) return root.render(<StorageBlocked />)
  const services = createBackend(() => readStoredUser()?.uid)
  const store = makeStore(services.documents)
  const tab = claimTab()

  const isSignedIn = readStoredUser() !== null
  const isForm = isSignedIn && location.pathname === '/form'
  if (isSignedIn) {
    const formLoaded = RecordsPage.preload()
    // Rendering /form before its chunk is loaded would delay it by 300 ms: see ui/lazy-part.tsx.
    if (isForm) await formLoaded
  }

  root.render(
    <StrictMode>
      <Provider store={store}>
        <BrowserRouter>
          <App services={services} tab={tab} />
        </BrowserRouter>
      </Provider>
    </StrictMode>,
  )
  // The worker loads all files of the page: the records come first.
  if (isForm) await untilLoaded(store)
  registerServiceWorker()
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

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no element with the id "root".')
const root = createRoot(container)
main(root).catch((error) => {
  root.render(<PageFailure />)
  throw error
})
