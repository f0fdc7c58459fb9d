import { median } from './figures.ts'
import { type Load, type Measured, measure } from './load.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const milliseconds = Number(process.env.MILLISECONDS ?? 2000)

/** Measures all loads in turn, several times over, and answers the median of each. */
export async function inTurns(...loads: Omit<Load, 'milliseconds'>[]): Promise<Measured[]> {
  const all = loads.map((): Measured[] => [])
  for (const load of loads) await measure({ ...load, milliseconds: milliseconds / 4 })
  for (let round = 0; round < rounds; round++) {
    for (const [i, load] of loads.entries()) all[i]?.push(await measure({ ...load, milliseconds }))
  }
  return all.map((measured) => {
    const bad = measured.reduce((sum, { bad }) => sum + bad, 0)
    if (bad > 0) throw new Error(`${bad} requests were refused: this run measured something else.`)
    const of = (key: keyof Measured) => median(measured.map((one) => one[key]))
    return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cost: of('cost'), bad }
  })
}
