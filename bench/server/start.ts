import { setTimeout as after } from 'node:timers/promises'
import { median } from '../statistics.ts'
import { reportResult } from './report.ts'
import { createSeededFolder, startBaselineFromFile, startServer } from './servers.ts'

/** The time from the start of the process after a kill to its first response, and its memory, with 100,000 records. */
export async function measureStart() {
  const folder = await createSeededFolder(100_000)
  const startMs = { ours: [] as number[], bare: [] as number[] }
  const residentMegabytes: number[] = []
  for (let i = 0; i < 7; i++) {
    const server = await startServer(folder)
    startMs.ours.push(server.firstResponseMs)
    await after(3000)
    residentMegabytes.push(server.residentMegabytes())
    await server.stop('SIGKILL')
    const bare = await startBaselineFromFile(folder)
    startMs.bare.push(bare.firstResponseMs)
    await bare.stop()
  }
  reportResult({
    label: '`npm start` to first response, 100,000 records, after a kill',
    ours: median(startMs.ours),
    reference: median(startMs.bare),
    referenceName: 'bare `node:http`, reading the same rows',
    unit: ' ms',
    atMost: 2,
  })
  reportResult({
    label: 'resident memory when idle, 100,000 records',
    ours: median(residentMegabytes),
    reference: 120,
    referenceName: 'the limit',
    unit: ' MB',
    atMost: 1,
  })
}
