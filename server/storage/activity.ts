import { listWrites, type Writes } from './decide.ts'
import type { ActivityKind, NewActivity } from './history.ts'
import type { IdentifiedBatch, PasswordReplacement } from './types.ts'

/**
 * Returns what to log of a command that has written records: an entry for its change, or of a batch one for each kind of change.
 * See `listWrites`.
 */
export function activityOfWrites(writes: Writes, batch: IdentifiedBatch | undefined): NewActivity[] {
  if (Array.isArray(writes)) return writes.map(({ kind, by, seq, revision }) => ({ kind, by, seq, revision }))
  return Map.groupBy(listWrites(writes, batch), ({ kind }) => kind)
    .entries()
    .map(([kind, some]) => ({
      kind: `batch-${kind}` as ActivityKind,
      by: some[0]?.by,
      count: some.length,
      revision: some.at(-1)?.revision as number,
      records: formatRanges(some.map(({ seq }) => seq)),
    }))
    .toArray()
}

/** Writes numbers as a short text in ascending order: `1-3,5`. */
export function formatRanges(numbers: number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join()
}

/** Returns the numbers of a text of `formatRanges`. */
export function parseRanges(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

/** Whether a text of `formatRanges` has the number. Bisects it, because it may be long. */
export function includesNumber(text: string, number: number): boolean {
  for (let [start, end] = [0, text.length]; start < end; ) {
    const from = text.lastIndexOf(',', (start + end) >> 1) + 1
    const [range = ''] = text.slice(from).split(',', 1)
    const [first = 0, last = first] = range.split('-').map(Number)
    if (number < first) end = from - 1
    else if (number > last) start = from + range.length + 1
    else return true
  }
  return false
}

export function activityOfAccount(uid: string, by: string | undefined): NewActivity {
  return by === undefined ? { kind: 'add-account', account: uid } : { kind: 'sign-up', by }
}

/** A reset link or the old password means that the owner changed it; otherwise the operator did. */
export function activityOfReplacement({ uid, resetLink, newSession }: PasswordReplacement): NewActivity {
  if (resetLink) return { kind: 'use-reset-link', by: uid }
  return newSession ? { kind: 'change-password', by: uid } : { kind: 'reset-password', account: uid }
}
