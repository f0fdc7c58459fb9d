import { type Batch, type BatchResult, countChanges } from '../../../../contract/batches.ts'

export const unsavedChanges = 'Unsaved changes'
export const notSaved = (count: number) =>
  count === 1 ? '1 change is not saved' : `${count.toLocaleString()} changes are not saved`
/** Precedes the names of the records. */
export const changesWait = (count: number) => `${count.toLocaleString()} changes wait for the connection:`
/** Visible messages, with a name that also makes sense alone. */
export const show = { text: 'Show', label: (kind: string) => `Show ${kind} changes` } as const
export const hide = { text: 'Hide', label: (kind: string) => `Hide ${kind} changes` } as const

/** Precedes the name of a record. */
export const unfinishedDraft = 'Unfinished draft:'
export const unfinishedEdit = 'Unfinished edit:'
/** Precedes the name of a record or the size of an import, by the kind of the operation. */
export const failures = {
  add: 'Not saved',
  update: 'Not saved',
  remove: 'Not deleted',
  restore: 'Not restored',
  import: 'Not imported',
  'undo-import': 'Not undone',
  'delete-many': 'Not deleted',
  'restore-many': 'Not restored',
  undo: 'Not undone',
} as const
export const waiting = 'Waiting for the connection.'
export const busy = 'The register is busy. Trying again in a moment.'
export const wasDeleted = 'Someone deleted this record.'
/** Before and after the name of the record. */
export const editOfDeleted = ['Your edit of', 'wasn’t saved because someone deleted it.'] as const
export const conflict = 'Someone else changed this record meanwhile.'
export const importInterrupted = 'The import was interrupted.'
export const pageClosed = 'The page was closed before it was saved.'

export const edit = 'Edit'
export const discard = 'Discard'
export const keepRecord = 'Keep the record'
export const retry = 'Retry'
export const restore = 'Restore'
export const restoreEdited = 'Restore with my edit'
export const choose = 'Choose'

export function formatRecordCount(count: number): string {
  return count === 1 ? '1 record' : `${count.toLocaleString()} records`
}

/** The size of an import, such as `3 records`. */
export const describeBatchSize = (batch: Batch) => formatRecordCount(countChanges(batch))

/** The result of an import, such as `2 records imported, 1 changed`. */
export function describeResult({ update }: Batch, { ids, kept }: BatchResult): string {
  const changed = update.length - kept.length
  if (ids.length === 0) return changed > 0 ? `${formatRecordCount(changed)} changed` : 'Nothing imported'
  const imported = `${formatRecordCount(ids.length)} imported`
  return changed > 0 ? `${imported}, ${changed.toLocaleString()} changed` : imported
}

/** A sentence about the records that were not changed because of conflicts; empty if there are none. */
export function describeConflicts(count: number): string {
  if (count === 0) return ''
  return `${formatRecordCount(count)} left alone because someone changed ${count === 1 ? 'it' : 'them'} in the meantime.`
}

/** After the name of a record. */
export const andOthers = (count: number) =>
  count > 0 ? ` and ${count === 1 ? '1 other' : `${count.toLocaleString()} others`}` : ''

export const recentChanges = 'Recent changes'
/** These precede the name of a record, or the number of records. */
export const deleted = 'Deleted'
export const updated = 'Saved'
export const showRecord = (name: string) => `Show ${name}`
export const importUndone = 'Import undone.'
export const undo = 'Undo'
export const undoImport = 'Undo import'
export const undoAll = (count: number) => `Undo all (${count.toLocaleString()})`
export const dismiss = 'Dismiss'

export const savingChanges = (count: number) => `Saving ${count.toLocaleString()} changes…`
export const importing = (records: string) => `Importing ${records}…`
export const undoingImport = 'Undoing the import…'
export const deletingRecords = (records: string) => `Deleting ${records}…`
export const restoringRecords = (records: string) => `Restoring ${records}…`
export const sending = {
  add: (name: string) => `Saving ${name}…`,
  update: (name: string) => `Saving ${name}…`,
  remove: (name: string) => `Deleting ${name}…`,
  restore: (name: string) => `Restoring ${name}…`,
} as const
