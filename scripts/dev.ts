import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'
import { root, say } from './terminal.ts'

/** The server reloads when its files change, the page by itself; the page's address is the one to open. */
const port = process.env.PORT ?? '3000'
const server = spawn(process.execPath, ['--watch-preserve-output', '--watch', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: port },
})
const page = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'vite.config.ts'),
  server: { host: '127.0.0.1', proxy: { '/api': `http://127.0.0.1:${port}` } },
})
await page.listen()
say(`the reloading page is at ${page.resolvedUrls?.local[0]}`)

let ending = false
async function end() {
  if (ending) return
  ending = true
  server.kill('SIGTERM')
  await page.close()
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
server.on('exit', (code) => end().then(() => process.exit(code ?? 0)))
