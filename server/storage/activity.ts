import { type BatchWriteResult, type CommandOf, countWritten, type EmployeeCommands } from './decide.ts'
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
    countWritten(result.seqs.slice(0, add.length)),
    countWritten(result.seqs.slice(add.length, updates)),
    countWritten(result.seqs.slice(updates)),
  ]
  const entries: NewActivity[] = [
    { kind: 'batch-add', by, count: added, revision: result.revision - deleted - changed },
    { kind: 'batch-change', by, count: changed, revision: result.revision - deleted },
    { kind: 'batch-delete', by, count: deleted, revision: result.revision },
  ]
  return entries.filter(({ count }) => count)
}

export function activityOfAccount(uid: string, by: string | undefined): NewActivity {
  return by === undefined ? { kind: 'add-account', account: uid } : { kind: 'sign-up', by }
}

/** A reset link or the old password means that the owner changed it; otherwise the operator did. */
export function activityOfReplacement({ uid, resetLink, newSession }: PasswordReplacement): NewActivity {
  if (resetLink) return { kind: 'use-reset-link', by: uid }
  return newSession ? { kind: 'change-password', by: uid } : { kind: 'reset-password', account: uid }
}
