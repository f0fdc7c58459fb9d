import { maxBatchBytes } from '../../contract/batches.ts'
import { AppError } from '../app-error.ts'

export type BatchBudget = ReturnType<typeof createBatchBudget>

export interface BatchBudgetOptions {
  /** Uncompressed bytes that one account may send in batches in a minute. */
  maxBytes?: number
  /** Monotonic time in milliseconds. */
  now?: () => number
}

const windowMs = 60_000

/** Limits the work that the batches of one account cause. Two million usual records in a minute are within it. */
export function createBatchBudget({
  maxBytes = 4 * maxBatchBytes,
  now = () => performance.now(),
}: BatchBudgetOptions = {}) {
  // The keys are accounts. All windows have the same length, so the insertion order is the order in which they end.
  const windows = new Map<string, { bytes: number; endsAt: number }>()

  function findWindow(uid: string) {
    for (const [old, { endsAt }] of windows) {
      if (endsAt > now()) break
      windows.delete(old)
    }
    return windows.get(uid)
  }

  return {
    /** Throws `too-many-requests` if the account has used its budget. */
    requireBytes(uid: string): void {
      const window = findWindow(uid)
      if (!window || window.bytes < maxBytes) return
      throw new AppError('too-many-requests', { retryAfterSeconds: (window.endsAt - now()) / 1000 })
    },
    use(uid: string, bytes: number): void {
      const window = findWindow(uid)
      if (window) window.bytes += bytes
      else windows.set(uid, { bytes, endsAt: now() + windowMs })
    },
  }
}
