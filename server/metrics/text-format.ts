/** Metrics in Prometheus' text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */

export type Labels = Record<string, string | number>

export interface Metric {
  /** Lines, each with its line break. */
  render(): string
}

export function createCounter(name: string, help: string) {
  const values = new Map<string, number>()
  return {
    add(labels: Labels = {}, amount = 1): void {
      const key = formatLabels(labels)
      values.set(key, (values.get(key) ?? 0) + amount)
    },
    render: () =>
      head(name, help, 'counter') + [...values].map(([key, n]) => `${name}${key} ${n}\n`).join(''),
  }
}

/** `read` is called for each rendering. */
export function createGauge(name: string, help: string, read: () => [Labels, number][]): Metric {
  return {
    render: () =>
      head(name, help, 'gauge') +
      read()
        .map(([labels, value]) => `${name}${formatLabels(labels)} ${value}\n`)
        .join(''),
  }
}

/** `bounds` are the upper bounds of the buckets, ascending. */
export function createHistogram(name: string, help: string, bounds: number[]) {
  const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
  return {
    observe(value: number, labels: Labels = {}): void {
      const key = formatLabels(labels)
      const found = series.get(key) ?? { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      series.set(key, found)
      const bucket = bounds.findIndex((bound) => value <= bound)
      const index = bucket < 0 ? bounds.length : bucket
      found.counts[index] = (found.counts[index] ?? 0) + 1
      found.sum += value
    },
    render(): string {
      const lines = [...series].flatMap(([key, { labels, counts, sum }]) => {
        let total = 0
        const buckets = counts.map((count, i) => {
          total += count
          return `${name}_bucket${formatLabels({ ...labels, le: bounds[i] ?? '+Inf' })} ${total}\n`
        })
        return [...buckets, `${name}_sum${key} ${sum}\n`, `${name}_count${key} ${total}\n`]
      })
      return head(name, help, 'histogram') + lines.join('')
    },
  }
}

const head = (name: string, help: string, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

function formatLabels(labels: Labels): string {
  let pairs = ''
  for (const name in labels)
    pairs += `${pairs && ','}${name}="${String(labels[name]).replace(/[\\"\n]/g, escapeCharacter)}"`
  return pairs && `{${pairs}}`
}

const escapeCharacter = (character: string) => (character === '\n' ? '\\n' : `\\${character}`)
