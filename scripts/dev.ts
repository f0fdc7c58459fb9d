import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { root, say } from './terminal.ts'

/** How long files must be quiet before the server starts again, in ms. */
const quiet = 150

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
  say(`the reloading page is at ${page.resolvedUrls?.local[0]}`)

  let server = startServer(port)
  // Not `node --watch`: it sends messages of its own through the writer thread's port.
  const watchers = onChange(['server', 'contract'], async () => {
    await stopServer(server)
    server = startServer(port)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      for (const watcher of watchers) watcher.close()
      await Promise.all([page.close(), stopServer(server)])
    })
  }
}

function startServer(port: string): ChildProcess {
  return spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port },
  })
}

async function stopServer(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
}

function onChange(folders: string[], changed: () => void) {
  let timer: NodeJS.Timeout | undefined
  return folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(changed, quiet)
    }),
  )
}

await main()
