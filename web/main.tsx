import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { claimTab } from './records/vault.ts'
import { createSelfHosted } from './services/self-hosted/create.ts'
import { upload } from './services/self-hosted/upload.ts'
import { makeStore } from './store.ts'
import './ui/theme.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')

const services = createSelfHosted({ fetch: window.fetch.bind(window), upload })

createRoot(root).render(
  <StrictMode>
    <Provider store={makeStore(services.documents)}>
      <BrowserRouter>
        <App services={services} tab={claimTab()} />
      </BrowserRouter>
    </Provider>
  </StrictMode>,
)
