import type { HistoryStorage } from '../../storage/history.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Retention {
  /** How long a deleted record can be restored. With 0 none can. */
  deletedDays: number
  activityDays: number
}

export const defaultRetention: Retention = { deletedDays: 30, activityDays: 365 }

/** Wipes deleted records and removes entries of the log that have been kept long enough, in small transactions. */
export async function removeExpiredHistory(
  history: Pick<HistoryStorage, 'wipeDeleted' | 'removeActivity'>,
  { deletedDays, activityDays }: Retention,
  now = Date.now,
): Promise<void> {
  while ((await history.wipeDeleted(now() - deletedDays * dayMs)) > 0);
  while ((await history.removeActivity(now() - activityDays * dayMs)) > 0);
}
