import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServerProcess } from './server-process.ts'

const unlimitedMain = fileURLToPath(new URL('./unlimited-main.ts', import.meta.url))

/** The server as a process of its own, with no throttle and with the cheapest hash. */
export const startUnlimitedServer = (environment: Record<string, string>) =>
  startServerProcess(environment, unlimitedMain)

/** The same in a folder of its own. */
export async function startUnlimitedServerInTempDir(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-faults-'))
  const server = await startUnlimitedServer({ DATA_DIR: folder, ...environment })
  return {
    ...server,
    folder,
    removeFolder: () => rmSync(folder, { recursive: true }),
    /** Linux alone tells; elsewhere 0, so that a bound holds. */
    async residentMegabytes() {
      if (process.platform !== 'linux') return 0
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    },
  }
}
