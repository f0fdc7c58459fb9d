export interface Result {
  label: string
  ours: number
  reference: number
  referenceName: string
  unit?: '/s' | ' ms' | ' MB'
  ratio?: number
  /** Limits of the ratio. */
  atLeast?: number
  atMost?: number
  /** Replaces the limits of the ratio. */
  limit?: { text: string; isMet: boolean }
  /** The server's CPU time per response, in microseconds: ours and the reference's. */
  cpuMicros?: [number, number]
}

export function printHeader(): void {
  console.log('| work | ours | reference | reference is | ratio | limit | met | CPU per response |')
  console.log('|---|---|---|---|---|---|---|---|')
}

/** Prints a row of the table. */
export function printResult({
  label,
  ours,
  reference,
  referenceName,
  unit = '/s',
  cpuMicros,
  ...result
}: Result): void {
  const { ratio = ours / reference, atLeast, atMost } = result
  const limit = result.limit ?? {
    text: describeLimits(atLeast, atMost),
    isMet: ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Number.POSITIVE_INFINITY),
  }
  const met = limit.text && (limit.isMet ? 'yes' : '**no**')
  const cpu = cpuMicros ? `${cpuMicros.map(formatNumber).join(' / ')} µs` : ''
  const values = [ours, reference].map((value) => formatNumber(value) + unit)
  console.log(`| ${[label, ...values, referenceName, ratio.toFixed(2), limit.text, met, cpu].join(' | ')} |`)
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
