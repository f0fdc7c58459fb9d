export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] as number
}

export interface ResultRow {
  label: string
  /** What ours is measured against, and in what. */
  baselineName: string
  ours: string
  baseline: string
  ratio: number
  /** Left out where a row is there to be known alone. */
  wanted?: string
  reached?: boolean
  /** Microseconds of the processor for one answer, ours and the other's. */
  cpuMicros?: [number, number]
}

export function printRow({
  label,
  baselineName,
  ours,
  baseline,
  ratio,
  wanted = '',
  reached,
  cpuMicros,
}: ResultRow): void {
  const processor = cpuMicros ? `${cpuMicros.map(formatNumber).join(' / ')} µs` : ''
  const verdict = reached === undefined ? '' : reached ? 'yes' : '**no**'
  const cells = [label, ours, baseline, baselineName, ratio.toFixed(2), wanted, verdict, processor]
  console.log(`| ${cells.join(' | ')} |`)
}

export function printHeader(): void {
  console.log('| work | ours | other | other is | ratio | wanted | reached | processor for one |')
  console.log('|---|---|---|---|---|---|---|---|')
}

export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
