import { setTimeout as after } from 'node:timers/promises'
import { formatNumber, median, printRow } from './report.ts'
import { createSeededFolder, startWithNpmStart } from './servers.ts'

/** From the start of the process to the first whole list, 100,000 records, after a kill; and what it then holds. */
export async function measureStart() {
  const folder = await createSeededFolder(100_000)
  const startTimes: number[] = []
  const residentSizes: number[] = []
  for (let i = 0; i < 7; i++) {
    const ours = await startWithNpmStart(folder)
    startTimes.push(ours.firstAnswerMs)
    await after(3000)
    residentSizes.push(ours.residentMegabytes())
    await ours.stop('SIGKILL')
  }
  const rows = [
    ['start to first answer, 100,000 records, after a kill', median(startTimes), 700, 'ms'],
    ['resident memory when idle, 100,000 records', median(residentSizes), 120, 'MB'],
  ] as const
  for (const [work, value, limit, unit] of rows) {
    printRow({
      label: work,
      ours: `${formatNumber(value)} ${unit}`,
      baseline: `${limit} ${unit}`,
      baselineName: 'the limit',
      ratio: value / limit,
      wanted: '≤ 1',
      reached: value <= limit,
    })
  }
}
