import { median } from './figures.ts'
import { type Load, type Measured, measure } from './load.ts'

const rounds = Number(process.env.ROUNDS ?? 15)
const milliseconds = Number(process.env.MILLISECONDS ?? 400)

export interface Compared extends Measured {
  /** Requests per second against the last load's: the median of what each round says. */
  ratio: number
}

/**
 * Measures all loads in turn, many times over and each time briefly, so that what else the machine does meets all of
 * them; answers the medians.
 */
export async function inTurns(...loads: Omit<Load, 'milliseconds'>[]): Promise<Compared[]> {
  const all = loads.map((): Measured[] => [])
  for (const load of loads) await measure({ ...load, milliseconds: 500 })
  for (let round = 0; round < rounds; round++) {
    for (const [i, load] of loads.entries()) all[i]?.push(await measure({ ...load, milliseconds }))
  }
  const other = all.at(-1) ?? []
  return all.map((measured) => {
    const bad = measured.reduce((sum, { bad }) => sum + bad, 0)
    if (bad > 0) throw new Error(`${bad} requests were refused: this run measured something else.`)
    const of = (key: keyof Measured) => median(measured.map((one) => one[key]))
    const ratio = median(
      measured.map(({ perSecond }, round) => perSecond / (other[round] as Measured).perSecond),
    )
    return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cost: of('cost'), bad, ratio }
  })
}
