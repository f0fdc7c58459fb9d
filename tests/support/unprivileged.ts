import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** The account for programs that refuse to run as root. Undefined if we are not root. */
export function findUnprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find(Boolean)
  const [, , uid, gid] = (found ?? '').split(':').map(Number)
  if (!uid || !gid)
    throw new Error(
      'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it.',
    )
  return { uid, gid }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
