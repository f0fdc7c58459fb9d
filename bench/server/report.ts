import { table } from '../statistics.ts'

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

/** The rows of the table, each with one result per setting. */
const rows = new Map<string, Result[]>()

/** Adds a result to the table and prints its ratio to stderr. A row may have one result for each setting. */
export function reportResult(result: Result): void {
  const key = `${result.label} | ${result.referenceName}`
  const row = rows.get(key) ?? []
  rows.set(key, row)
  row.push(result)
  console.error(`${result.label} (${result.referenceName}): ${ratioOf(result).toFixed(2)}`)
}

/** Prints the table. Where a row was measured with two settings, the limit must be met with both. */
export function printTable(): void {
  const head = ['work', 'ours', 'reference', 'reference is', 'ratio', 'limit', 'met', 'CPU per response']
  console.log(table(head, Array.from(rows.values(), formatRow)))
}

function formatRow(results: Result[]): string[] {
  const [{ label, referenceName, unit = '/s' }] = results as [Result]
  const limits = results.map(evaluateLimit)
  const text = limits[0]?.text ?? ''
  const met = text && (limits.every(({ isMet }) => isMet) ? 'yes' : '**no**')
  const join = (format: (result: Result) => string) => results.map(format).join('; ')
  return [
    label,
    join(({ ours }) => formatNumber(ours) + unit),
    join(({ reference }) => formatNumber(reference) + unit),
    referenceName,
    join((result) => ratioOf(result).toFixed(2)),
    text,
    met,
    join(({ cpuMicros }) => cpuMicros?.map(formatNumber).join(' / ') ?? ''),
  ]
}

const ratioOf = ({ ours, reference, ratio = ours / reference }: Result) => ratio

function evaluateLimit(result: Result): { text: string; isMet: boolean } {
  const { atLeast, atMost } = result
  const ratio = ratioOf(result)
  return (
    result.limit ?? {
      text: describeLimits(atLeast, atMost),
      isMet: ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Number.POSITIVE_INFINITY),
    }
  )
}

function describeLimits(atLeast?: number, atMost?: number): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`
  return atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : ''
}

export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
