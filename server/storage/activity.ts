import type { BatchWriteResult, CommandOf, EmployeeCommands } from './decide.ts'
import type { ActivityKind, NewActivity } from './history.ts'
import type { IdentifiedBatch, PasswordReplacement, WriteOutcome } from './storage.ts'

/**
 * Returns what to log of a command that writes records: nothing if it has changed nothing, one entry, or of a batch one for
 * each kind of change. Of other commands nothing.
 */
export function activityOfCommand(
  command: [name: string, ...args: unknown[]],
  result: unknown,
): NewActivity[] {
  const write = command as CommandOf<EmployeeCommands>
  switch (write[0]) {
    case 'addEmployee':
      return activityOfWrite('add', write[4], result)
    case 'updateEmployee':
      return activityOfWrite('change', write[4], result)
    case 'removeEmployee':
      return activityOfWrite('delete', write[2], result)
    case 'restoreEmployee':
      return activityOfWrite('restore', write[3], result)
    case 'restoreDeleted':
      return activityOfWrite('restore', write[2], result)
    case 'writeBatch':
      return activityOfBatch(write[1], result as ReturnType<EmployeeCommands['writeBatch']>)
    default:
      return []
  }
}

function activityOfWrite(kind: ActivityKind, by: string | undefined, result: unknown): NewActivity[] {
  const write = result as WriteOutcome
  return write.outcome === 'done' ? [{ kind, by, seq: write.seq, revision: write.revision }] : []
}

function activityOfBatch(
  { add, update, by }: IdentifiedBatch,
  result: BatchWriteResult | { outcome: 'key-reused' },
): NewActivity[] {
  if (result.outcome !== 'done') return []
  const updates = add.length + update.length
  const [added, changed, deleted] = [
    result.seqs.slice(0, add.length).filter(Boolean),
    result.seqs.slice(add.length, updates).filter(Boolean),
    result.seqs.slice(updates).filter(Boolean),
  ] as const
  const { revision } = result
  const entryOf = (kind: ActivityKind, seqs: number[], revision: number): NewActivity[] =>
    seqs.length === 0 ? [] : [{ kind, by, count: seqs.length, revision, records: formatRanges(seqs) }]
  return [
    ...entryOf('batch-add', added, revision - deleted.length - changed.length),
    ...entryOf('batch-change', changed, revision - deleted.length),
    ...entryOf('batch-delete', deleted, revision),
  ]
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

/** Whether a text of `formatRanges` has the number. */
export function includesNumber(text: string, number: number): boolean {
  return text.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return first <= number && number <= last
  })
}

export function activityOfAccount(uid: string, by: string | undefined): NewActivity {
  return by === undefined ? { kind: 'add-account', account: uid } : { kind: 'sign-up', by }
}

/** A reset link or the old password means that the owner changed it; otherwise the operator did. */
export function activityOfReplacement({ uid, resetLink, newSession }: PasswordReplacement): NewActivity {
  if (resetLink) return { kind: 'use-reset-link', by: uid }
  return newSession ? { kind: 'change-password', by: uid } : { kind: 'reset-password', account: uid }
}
