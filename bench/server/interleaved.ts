import { type Load, type Measurement, runLoad } from './load.ts'
import { median } from './report.ts'

const rounds = Number(process.env.ROUNDS ?? 15)
const milliseconds = Number(process.env.MILLISECONDS ?? 400)

export interface Comparison extends Measurement {
  /** Requests per second against the last load's: the median of what each round says. */
  ratio: number
}

/**
 * Measures all loads in turn, many times over and each time briefly, so that what else the machine does meets all of
 * them; answers the medians.
 */
export async function measureInterleaved(...loads: Omit<Load, 'milliseconds'>[]): Promise<Comparison[]> {
  const all = loads.map((): Measurement[] => [])
  for (const load of loads) await runLoad({ ...load, milliseconds: 500 })
  for (let round = 0; round < rounds; round++) {
    for (const [i, load] of loads.entries()) all[i]?.push(await runLoad({ ...load, milliseconds }))
  }
  const other = all.at(-1) ?? []
  return all.map((measured) => {
    const bad = measured.reduce((sum, { bad }) => sum + bad, 0)
    if (bad > 0) throw new Error(`${bad} requests were refused: this run measured something else.`)
    const medianOf = (key: keyof Measurement) => median(measured.map((one) => one[key]))
    const ratio = median(
      measured.map(({ perSecond }, round) => perSecond / (other[round] as Measurement).perSecond),
    )
    return {
      perSecond: medianOf('perSecond'),
      p50: medianOf('p50'),
      p99: medianOf('p99'),
      cost: medianOf('cost'),
      bad,
      ratio,
    }
  })
}
