import { type Batch, type BatchResult, countChanges } from '../../../contract/batches.ts'

export function formatRecordCount(count: number): string {
  return count === 1 ? '1 record' : `${count.toLocaleString()} records`
}

/** What an import asked for: `3 records`. */
export function describeBatchSize(batch: Batch): string {
  return formatRecordCount(countChanges(batch))
}

/** What an import has done: `2 new, 1 changed`. */
export function describeResult({ update }: Batch, { ids, kept }: BatchResult): string {
  const changed = update.length - kept.length
  const parts = [
    ids.length > 0 ? `${ids.length.toLocaleString()} new` : '',
    changed > 0 ? `${changed.toLocaleString()} changed` : '',
  ]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

/** What an import has left alone; empty where it has left nothing. */
export function describeConflicts(conflictCount: number): string {
  return conflictCount === 0
    ? ''
    : `Left as they are, because someone has changed them meanwhile: ${formatRecordCount(conflictCount)}.`
}
