import { setTimeout as after } from 'node:timers/promises'
import { median, printResult } from './report.ts'
import { createSeededFolder, startWithNpmStart } from './servers.ts'

/** The time from the start of the process after a kill to its first response, and its memory, with 100,000 records. */
export async function measureStart() {
  const folder = await createSeededFolder(100_000)
  const startMs: number[] = []
  const residentMegabytes: number[] = []
  for (let i = 0; i < 7; i++) {
    const server = await startWithNpmStart(folder)
    startMs.push(server.firstResponseMs)
    await after(3000)
    residentMegabytes.push(server.residentMegabytes())
    await server.stop('SIGKILL')
  }
  for (const [label, values, reference, unit] of [
    ['start to first response, 100,000 records, after a kill', startMs, 700, ' ms'],
    ['resident memory when idle, 100,000 records', residentMegabytes, 120, ' MB'],
  ] as const) {
    printResult({ label, ours: median(values), reference, referenceName: 'the limit', unit, atMost: 1 })
  }
}
