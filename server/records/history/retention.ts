import { letInDays, toTimestamp } from '../../../contract/accounts.ts'
import { AppError } from '../../app-error.ts'
import type { DeletionFilter } from '../../storage/history.ts'
import type {
  AccountStorage,
  EmployeeStorage,
  HistoryStorage,
  Storage,
  WriteOutcome,
} from '../../storage/storage.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Retention {
  /** How long a deleted record can be restored. With 0 none can. */
  deletedDays: number
  activityDays: number
}

export const defaultRetention: Retention = { deletedDays: 30, activityDays: 365 }

/** Removes previous passwords, deleted records, entries of the log and removed accounts that have expired, a few at a time. */
export async function removeExpiredHistory(
  { accounts, history }: Pick<Storage, 'accounts' | 'history'>,
  { deletedDays, activityDays }: Retention,
  now = Date.now,
): Promise<void> {
  while ((await history.wipePrevious(now() - deletedDays * dayMs)) > 0);
  while ((await history.wipeDeleted(now() - deletedDays * dayMs)) > 0);
  while ((await history.removeActivity(now() - activityDays * dayMs)) > 0);
  await accounts.forgetRemoved(now() - letInDays * dayMs)
}

/**
 * Returns a function, to be called every minute, that removes the history that has expired, and calls `removeOthers`, while the
 * clock can be trusted.
 */
export function createSweep(
  storage: Pick<Storage, 'accounts' | 'history'>,
  retention: Retention,
  removeOthers: () => Promise<unknown>,
  log: { warn(message: string): void },
  now: () => number,
): () => Promise<unknown> {
  const warn = (until: string) => log.warn(`the clock may be wrong: nothing is wiped before ${until}`)
  const isClockTrusted = createClockCheck(storage, warn, now)
  const remove = () => Promise.all([removeExpiredHistory(storage, retention, now), removeOthers()])
  return async () => (await isClockTrusted()) && remove()
}

interface ClockCheckStorage {
  accounts: Pick<AccountStorage, 'listLastSeen'>
  history: Pick<HistoryStorage, 'log' | 'readClockDoubtAge'>
}

/**
 * Returns a function, to be called every minute, that tells whether the clock can be trusted: a wrong one must not wipe anything.
 * It is not trusted for a day, or until the operator confirms it, after it has changed by more than a day against `uptime`, and
 * after a start at which it is more than a day away from when anyone was last seen. The log keeps the doubt for the next start.
 * `now` and `uptime`, which is monotonic, return milliseconds.
 */
export function createClockCheck(
  { accounts, history }: ClockCheckStorage,
  onDoubt: (until: string) => void,
  now = Date.now,
  uptime = () => performance.now(),
): () => Promise<boolean> {
  let bootedAt: number | undefined
  let trustedFrom = 0
  const isNear = (time: number, other: number) => Math.abs(time - other) <= dayMs
  return async () => {
    const [time, up] = [now(), uptime()]
    const isStart = bootedAt === undefined
    const known = bootedAt === undefined ? [...(await accounts.listLastSeen()).values()] : [bootedAt + up]
    const isNew = known.length > 0 && !known.some((other) => isNear(time, other))
    if (isNew) await history.log({ kind: 'doubt-clock' })
    bootedAt = time - up
    if (isNew || isStart) {
      const age = isNew ? 0 : await history.readClockDoubtAge()
      if (age === undefined || !isNear(age, 0)) return true
      trustedFrom = up + dayMs - age
      onDoubt(toTimestamp(time + dayMs - age))
    }
    return up >= trustedFrom || (await history.readClockDoubtAge()) === undefined
  }
}

/** Further ones, which may have 90 KB each, would keep the writes of others waiting for seconds. */
const restoredTogether = 50

/**
 * Returns how many records it has restored: 0 once all of the deletion exist or are wiped. Throws `register-full` if none of the
 * others fits.
 */
export async function restoreDeletion(
  employees: Pick<EmployeeStorage, 'restoreDeleted'>,
  history: Pick<HistoryStorage, 'listDeletedIds'>,
  deletion: DeletionFilter,
  by?: string,
): Promise<number> {
  const ids = await history.listDeletedIds(deletion)
  const writes: WriteOutcome[] = []
  while (writes.length < ids.length) {
    const some = ids.slice(writes.length, writes.length + restoredTogether)
    writes.push(...(await Promise.all(some.map((id) => employees.restoreDeleted(id, by)))))
  }
  const restored = writes.filter(({ outcome }) => outcome === 'done').length
  const isFull = writes.some(({ outcome }) => outcome === 'register-full')
  if (isFull && restored === 0) throw new AppError('register-full')
  return restored
}
