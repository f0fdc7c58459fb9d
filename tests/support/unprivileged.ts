import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/** The account for programs that refuse to run as root. Undefined if we are not root. */
export function findUnprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find(Boolean)
  const [, , uid, gid] = (found ?? '').split(':').map(Number)
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root: it needs an account "postgres" or "nobody".')
  return { uid, gid }
}

let lastPort = 15_000 + Math.floor(Math.random() * 15_000)

/**
 * Returns another port each time, below those that systems give to outgoing connections, which might take it before its program does.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = ++lastPort
    if (!(await reserve(port))) continue
    const server = createServer().listen(port, '127.0.0.1')
    if (!(await isListening(server))) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Keeps other processes of tests, also of another checkout, from choosing this port until this one ends; on Linux only. */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  // A socket in the abstract namespace, which has no file.
  return isListening(createServer().listen(`\0staffbook-port-${port}`).unref())
}

const isListening = (server: Server) =>
  once(server, 'listening').then(
    () => true,
    () => false,
  )
