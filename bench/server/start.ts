import { setTimeout as after } from 'node:timers/promises'
import { median, printRow, round } from './figures.ts'
import { filledFolder, startProduct } from './servers.ts'

/** From the start of the process to the first whole list, 100,000 records, after a kill; and what it then holds. */
export async function measureStart() {
  const folder = await filledFolder(100_000)
  const starts: number[] = []
  const residents: number[] = []
  for (let i = 0; i < 7; i++) {
    const ours = await startProduct(folder)
    starts.push(ours.firstAnswer)
    await after(3000)
    residents.push(ours.residentMegabytes())
    await ours.stop('SIGKILL')
  }
  const rows = [
    ['start to first answer, 100,000 records, after a kill', median(starts), 700, 'ms'],
    ['resident memory when idle, 100,000 records', median(residents), 120, 'MB'],
  ] as const
  for (const [work, value, limit, unit] of rows) {
    printRow({
      work,
      ours: `${round(value)} ${unit}`,
      bare: `${limit} ${unit}`,
      against: 'the limit',
      ratio: value / limit,
      wanted: '≤ 1',
      reached: value <= limit,
    })
  }
}
