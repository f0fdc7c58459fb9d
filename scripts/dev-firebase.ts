import { join } from 'node:path'
import { createServer } from 'vite'
import { onShutdownSignal } from '../server/process/lifecycle.ts'
import { startEmulators, toSettings } from '../tests/support/firebase/emulators.ts'
import { printStatus, root } from './terminal.ts'

/** Google's emulators on free ports, and the page with live reload. What is stored ends with them. */
const emulators = await startEmulators().catch((error) => {
  printStatus(error.message)
  process.exit(1)
})
Object.assign(process.env, toSettings(emulators), { VITE_BACKEND: 'firebase' })
const page = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'vite.config.ts'),
  server: { host: '127.0.0.1' },
})
await page.listen()
printStatus(`the page on Firebase's emulators is at ${page.resolvedUrls?.local[0]}; its data ends with them`)
onShutdownSignal(async () => {
  await Promise.all([page.close(), emulators.stop()])
  process.exit()
})
