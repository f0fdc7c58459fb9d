export interface Result {
  label: string
  ours: number
  other: number
  otherName: string
  unit?: '/s' | ' ms' | ' MB'
  ratio?: number
  /** Limits of the ratio. */
  atLeast?: number
  atMost?: number
  /** Replaces the limits of the ratio. */
  wanted?: { text: string; isReached: boolean }
  /** The server's CPU time per response, in microseconds: ours and the other's. */
  cpuMicros?: [number, number]
}

export function printHeader(): void {
  console.log('| work | ours | other | other is | ratio | wanted | reached | processor for one |')
  console.log('|---|---|---|---|---|---|---|---|')
}

/** Prints a row of the table. */
export function printResult({
  label,
  ours,
  other,
  otherName,
  unit = '/s',
  cpuMicros,
  ...result
}: Result): void {
  const { ratio = ours / other, atLeast, atMost } = result
  const wanted = result.wanted ?? {
    text: describeLimits(atLeast, atMost),
    isReached: ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Number.POSITIVE_INFINITY),
  }
  const reached = wanted.text && (wanted.isReached ? 'yes' : '**no**')
  const cpu = cpuMicros ? `${cpuMicros.map(formatNumber).join(' / ')} µs` : ''
  const values = [ours, other].map((value) => formatNumber(value) + unit)
  console.log(`| ${[label, ...values, otherName, ratio.toFixed(2), wanted.text, reached, cpu].join(' | ')} |`)
}

function describeLimits(atLeast?: number, atMost?: number): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`
  return atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : ''
}

export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}
