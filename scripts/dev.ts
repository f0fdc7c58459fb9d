import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { onShutdownSignal } from '../server/process/lifecycle.ts'
import { printStatus, root } from './terminal.ts'

/** Time without further file changes before the server restarts. */
const restartDelayMs = 150
const port = process.env.PORT ?? '3000'

/** Vite serves the page and reloads it; the server restarts when its files change. */
const page = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    // The short form sets changeOrigin, which changes the Host header: the server would reject its own page as cross-site.
    proxy: { '/api': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
})
await page.listen()
printStatus(`the page with live reload is at ${page.resolvedUrls?.local[0]}`)

let server = startServer()
let mustRestart = false
let timer: NodeJS.Timeout | undefined

// Not `node --watch`: it sends its own messages through the port of the writer thread.
for (const folder of ['server', 'contract']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(restart, restartDelayMs)
  })
}
onShutdownSignal(async () => {
  await Promise.all([page.close(), stopServer()])
  process.exit()
})

function startServer(): ChildProcess {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port },
  })
  // The next process starts after this one has ended, because two must not share the database.
  child.on('exit', () => {
    if (mustRestart) server = startServer()
    mustRestart = false
  })
  return child
}

const hasEnded = () => server.exitCode !== null || server.signalCode !== null

function restart() {
  if (hasEnded()) server = startServer()
  else {
    mustRestart = true
    server.kill('SIGTERM')
  }
}

async function stopServer() {
  clearTimeout(timer)
  mustRestart = false
  if (hasEnded()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  server.once('exit', () => resolve())
  server.kill('SIGTERM')
  await promise
}
