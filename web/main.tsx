import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
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
    <BrowserRouter>
      <App services={services} store={makeStore(services.documents)} tab={claimTab()} />
    </BrowserRouter>
  </StrictMode>,
)
