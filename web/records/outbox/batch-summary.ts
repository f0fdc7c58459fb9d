import { type Batch, type BatchResult, countChanges } from '../../../contract/batches.ts'

export function formatRecordCount(count: number): string {
  return count === 1 ? '1 record' : `${count.toLocaleString()} records`
}

/** The size of an import, such as `3 records`. */
export function describeBatchSize(batch: Batch): string {
  return formatRecordCount(countChanges(batch))
}

/** The result of an import, such as `2 new, 1 changed`. */
export function describeResult({ update }: Batch, { ids, kept }: BatchResult): string {
  const changed = update.length - kept.length
  const parts = [
    ids.length > 0 ? `${ids.length.toLocaleString()} new` : '',
    changed > 0 ? `${changed.toLocaleString()} changed` : '',
  ]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

/** A sentence about the records that were not changed because of conflicts; empty if there are none. */
export function describeConflicts(conflictCount: number): string {
  return conflictCount === 0
    ? ''
    : `Left as they are, because someone has changed them meanwhile: ${formatRecordCount(conflictCount)}.`
}
