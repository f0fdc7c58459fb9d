import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { createBackend } from '#backend'
import { App } from './app.tsx'
import { claimTab } from './records/outbox/encrypted-store.ts'
import { makeStore } from './store.ts'
import './ui/theme.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')

const services = createBackend()

createRoot(root).render(
  <StrictMode>
    <Provider store={makeStore(services.documents)}>
      <BrowserRouter>
        <App services={services} tab={claimTab()} />
      </BrowserRouter>
    </Provider>
  </StrictMode>,
)
