import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppParts, createApp } from './app.ts'
import type { HashCost } from './identity/password-hash.ts'
import type { Storage } from './storage/port.ts'
import { openSqlite } from './storage/sqlite/open.ts'

/** The smallest argon2id that is one: tests sign in often. */
export const cheapHash: HashCost = { memory: 64, passes: 1 }

export interface TestServer {
  url: string
  folder: string
  storage: Storage
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

export type TestServerOptions = Partial<Omit<AppParts, 'storage'>> & {
  /** Keeps its register here; without one, in a folder of its own that goes with it. */
  folder?: string
  port?: number
}

/** The real server on a free port of this machine, on a real register in a temporary folder. */
export async function startTestServer({
  folder,
  port = 0,
  ...parts
}: TestServerOptions = {}): Promise<TestServer> {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'staffbook-'))
  const storage = await openSqlite({ folder: home })
  const app = await createApp({ storage, signUp: { mode: 'open' }, hashCost: cheapHash, ...parts })
  const url = await app.listen({ port, host: '127.0.0.1' })
  return {
    url,
    folder: home,
    storage,
    async stop() {
      await app.close()
      await storage.close()
      if (!folder) rmSync(home, { recursive: true })
    },
  }
}
