import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createFolder } from '../cleanup.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export const unlimitedMain = fileURLToPath(new URL('./unlimited-main.ts', import.meta.url))

/** Starts a server process without a throttle and with the cheapest password hash. */
export const startUnlimitedServer = (environment: Record<string, string>) =>
  startServerProcess(environment, unlimitedMain)

/** The same in a temporary folder. */
export async function startUnlimitedServerInTempDir(environment: Record<string, string> = {}) {
  const folder = createFolder()
  const server = await startUnlimitedServer({ DATA_DIR: folder, ...environment })
  return { ...server, folder }
}

/** Measures the memory on Linux. Elsewhere 0, so that upper limits hold. */
export function residentMegabytes({ pid }: ServerProcess): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
