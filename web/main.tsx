import { createBackend } from '#backend'
import { readStoredUser } from './auth/stored-user.tsx'
import { registerServiceWorker } from './lib/workers.ts'
import { startPage } from './start-page.tsx'

startPage({
  open: async () => ({ services: createBackend(() => readStoredUser()?.uid) }),
  onStarted: registerServiceWorker,
})
