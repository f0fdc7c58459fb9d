export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] as number
}

export interface Row {
  work: string
  /** What ours is measured against, and in what. */
  against: string
  ours: string
  bare: string
  ratio: number
  /** Left out where a row is there to be known alone. */
  wanted?: string
  reached?: boolean
  /** Microseconds of the processor for one answer, ours and the other's. */
  costs?: [number, number]
}

export function printRow({ work, against, ours, bare, ratio, wanted = '', reached, costs }: Row): void {
  const processor = costs ? `${costs.map(round).join(' / ')} µs` : ''
  const verdict = reached === undefined ? '' : reached ? 'yes' : '**no**'
  const cells = [work, ours, bare, against, ratio.toFixed(2), wanted, verdict, processor]
  console.log(`| ${cells.join(' | ')} |`)
}

export function printHead(): void {
  console.log('| work | ours | other | other is | ratio | wanted | reached | processor for one |')
  console.log('|---|---|---|---|---|---|---|---|')
}

export function round(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
