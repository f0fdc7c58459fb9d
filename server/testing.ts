import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppParts, createApp } from './app.ts'
import type { HashCost } from './identity/password-hash.ts'
import type { Storage } from './storage/port.ts'
import { openSqlite, type SqliteOptions } from './storage/sqlite/open.ts'

/** The smallest argon2id that is one: tests sign in often. */
export const cheapHash: HashCost = { memory: 64, passes: 1 }

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

export type TestServerOptions = Partial<Omit<AppParts, 'storage'>> & Pick<SqliteOptions, 'maxWaiting'>

/** The real server on a free port of this machine, on a real register in a temporary folder of its own. */
export async function startTestServer({ maxWaiting = 10_000, ...options }: TestServerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  let running = await listen(0)
  const url = `http://127.0.0.1:${running.port}`

  async function listen(port: number) {
    const storage = await openSqlite({ folder, maxWaiting })
    const app = await createApp({
      storage,
      signUp: { mode: 'open' },
      hashCost: cheapHash,
      localOnly: true,
      ...options,
    })
    await app.listen({ port, host: '127.0.0.1' })
    return { storage, app, port: (app.server.address() as AddressInfo).port }
  }

  async function halt() {
    await running.app.close()
    await running.storage.close()
  }

  return {
    url,
    folder,
    get storage(): Storage {
      return running.storage
    },
    /** Stops and starts again, on the same port and the same register. */
    async restart() {
      await halt()
      running = await listen(running.port)
    },
    /** Stops the server and removes its folder. */
    async stop() {
      await halt()
      rmSync(folder, { recursive: true })
    },
  }
}
