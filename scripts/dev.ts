import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { onShutdownSignal } from '../server/process/lifecycle.ts'
import { keepRunning } from './restartable.ts'
import { printStatus, root } from './terminal.ts'

/** How long files must be quiet before the server starts again, in ms. */
const restartDelayMs = 150

/** The page reloads by itself, the server starts again when its files change; the page's address is the one to open. */
async function main() {
  const port = process.env.PORT ?? '3000'
  const page = await createServer({
    root: join(root, 'web'),
    configFile: join(root, 'vite.config.ts'),
    server: {
      host: '127.0.0.1',
      // The short form would change the Host header, and the server would refuse its own page as another site.
      proxy: { '/api': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
    },
  })
  await page.listen()
  printStatus(`the reloading page is at ${page.resolvedUrls?.local[0]}`)

  // Not `node --watch`: it sends messages of its own through the writer thread's port.
  const server = keepRunning(() => startServer(port))
  const stopWatching = watchFolders(['server', 'contract'], server.restart)
  onShutdownSignal(async () => {
    stopWatching()
    await Promise.all([page.close(), server.stop()])
  })
}

function startServer(port: string): ChildProcess {
  return spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port },
  })
}

/** Answers how to stop. */
function watchFolders(folders: string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(onChange, restartDelayMs)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

await main()
