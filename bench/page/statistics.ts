export function median(numbers: readonly number[]): number {
  const ascending = numbers.toSorted((a, b) => a - b)
  const middle = ascending.length >> 1
  const [low = 0, high = 0] = [ascending[middle - 1 + (ascending.length % 2)], ascending[middle]]
  return (low + high) / 2
}

/** The value below which so large a share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const ascending = numbers.toSorted((a, b) => a - b)
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

export function ratio(a: number, b: number): string {
  return (a / b).toFixed(a / b < 0.1 ? 4 : 2)
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
