import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useListFocus } from '../../lib/use-list-focus.ts'
import { Button } from '../../ui/button.tsx'
import { displayName, EmployeeName } from '../employee-name.tsx'
import { describeBatchSize, describeConflicts, describeResult } from './batch-summary.ts'
import { type Entry, isUndo, isWaiting, type OperationError, type UndoEntry } from './entry.ts'
import { isBatch, type Operation, type RecordOperation } from './operation.ts'
import styles from './outbox-list.module.css'

interface OutboxListProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onUndo(entry: Entry): void
  onDiscard(id: string): void
  onDismissUndo(): void
  /** Called when the last entry is removed while it had the focus. */
  onEmpty(): void
}

/** The list of unsaved and undoable changes between the form and the table. Its live region is always on the page. */
export function OutboxList({ entries, onEmpty, onDismissUndo, ...actions }: OutboxListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  const focus = useListFocus(listRef, onEmpty)
  const olderUndo = new Set(entries.filter(isUndo).slice(0, -shownUndoCount))
  const visibleEntries = useVisibleEntries(entries).filter((entry) => !olderUndo.has(entry as UndoEntry))
  return (
    <div
      ref={listRef}
      role="status"
      aria-label="Not saved yet, and just deleted"
      // A screen reader announces a new entry, not the whole list.
      aria-atomic="false"
      {...focus}
    >
      {visibleEntries.length > 0 && (
        <ul className={styles.entries}>
          {olderUndo.size > 0 && (
            // Not announced: it changes with each delete.
            <li aria-live="off" className={styles.entry}>
              <span className={styles.message}>
                {olderUndo.size === 1
                  ? '1 earlier change'
                  : `${olderUndo.size.toLocaleString()} earlier changes`}{' '}
                can be undone after these.
              </span>
              <span className={styles.actions}>
                <Button onClick={onDismissUndo}>Dismiss all</Button>
              </span>
            </li>
          )}
          {visibleEntries.map((entry) => (
            <OutboxItem key={entry.id} id={entry.id} {...describeEntry(entry, actions)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** So many of the latest deletes and imports that can be undone are shown. The others follow when these are done. */
const shownUndoCount = 5

/** An operation that is being sent is shown only after this time, in ms. */
const showSendingAfterMs = 1_000

function useVisibleEntries(entries: readonly Entry[]): Entry[] {
  const [now, setNow] = useState(Date.now)
  const visibleFrom = entries.map((entry) =>
    entry.state === 'sending' ? entry.since + showSendingAfterMs : 0,
  )
  const next = Math.min(...visibleFrom.filter((time) => time > now))
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(next), next - Date.now())
    return () => clearTimeout(timer)
  }, [next])
  return entries.filter((_, index) => (visibleFrom[index] ?? 0) <= now)
}

interface EntryContent {
  message: ReactNode
  buttons: { label: string; title?: string | undefined; onClick(id: string): void }[]
  isRefused?: boolean
}

function OutboxItem({ id, message, buttons, isRefused }: EntryContent & { id: string }) {
  return (
    <li className={isRefused ? `${styles.entry} ${styles.refused}` : styles.entry}>
      <span id={id} className={styles.message}>
        {message}
      </span>
      {buttons.length > 0 && (
        <span className={styles.actions}>
          {buttons.map(({ label, title, onClick }) => (
            <Button key={label} aria-describedby={id} title={title} onClick={() => onClick(id)}>
              {label}
            </Button>
          ))}
        </span>
      )}
    </li>
  )
}

type EntryActions = Omit<OutboxListProps, 'entries' | 'onEmpty' | 'onDismissUndo'>

function describeEntry(entry: Entry, { onRetry, onEdit, onUndo, onDiscard }: EntryActions): EntryContent {
  const dismiss = { label: 'Dismiss', onClick: onDiscard }
  const undo = () => onUndo(entry)
  switch (entry.state) {
    case 'sending':
      return { message: describeSending(entry.operation), buttons: [] }
    case 'deleted':
      return {
        message: (
          <>
            Deleted <EmployeeName name={entry.employee.eName} />
          </>
        ),
        buttons: [{ label: 'Undo', title: undoTitle, onClick: undo }, dismiss],
      }
    case 'imported': {
      const { batch, result } = entry
      return {
        message: `Imported: ${describeResult(batch, result)}. ${describeConflicts(result.kept.length)}`,
        buttons: [{ label: 'Undo import', title: undoTitle, onClick: undo }, dismiss],
      }
    }
    case 'undone':
      return { message: `The import is undone. ${describeConflicts(entry.kept)}`, buttons: [dismiss] }
    case 'draft':
      return {
        message: (
          <>
            Put aside: <EmployeeName name={entry.draft.fields.eName} />
          </>
        ),
        buttons: [
          { label: 'Edit', onClick: onEdit },
          { label: 'Discard', onClick: onDiscard },
        ],
      }
    case 'refused': {
      const { operation, refusal } = entry
      const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
      const isConflict = operation.kind === 'update' && refusal.code === 'conflict'
      const isFailure = !isWaiting(entry)
      const reason = wasDeleted ? 'Someone has deleted this record.' : refusal.message
      return {
        isRefused: isFailure,
        message: (
          <>
            {failureLabels[operation.kind]}: <EmployeeName name={describeSubject(operation)} />.{' '}
            {isFailure ? reason : waitingLabels[refusal.code]}
          </>
        ),
        buttons: [
          ...(isConflict ? [] : [{ label: wasDeleted ? 'Put back' : 'Retry', onClick: onRetry }]),
          ...(isBatch(operation) ? [] : [{ label: isConflict ? 'Choose' : 'Edit', onClick: onEdit }]),
          {
            label: 'Discard',
            title: operation.kind === 'remove' ? 'Keep the record' : undefined,
            onClick: onDiscard,
          },
        ],
      }
    }
  }
}

/** Logging out wipes the encrypted store, and does not ask because of this alone. */
const undoTitle = 'Until you log out'

/** By the error's code. */
const waitingLabels: Partial<Record<OperationError['code'], string>> = {
  offline: 'It is sent when the connection is back.',
  busy: 'The register is busy. It is sent again in a moment.',
}

const failureLabels = {
  add: 'Not saved',
  update: 'Not saved',
  remove: 'Not deleted',
  restore: 'Not put back',
  import: 'Not imported',
  'undo-import': 'Not undone',
}

function describeSubject(operation: Operation): string {
  return isBatch(operation) ? describeBatchSize(operation.batch) : getEmployeeName(operation)
}

function describeSending(operation: Operation): string {
  if (operation.kind === 'import') return `Importing ${describeBatchSize(operation.batch)} …`
  if (operation.kind === 'undo-import') return 'Undoing the import …'
  const name = getEmployeeName(operation)
  if (operation.kind === 'remove') return `Deleting ${name} …`
  return operation.kind === 'restore' ? `Putting ${name} back …` : `Saving ${name} …`
}

function getEmployeeName(operation: RecordOperation): string {
  return displayName(operation.kind === 'add' ? operation.fields.eName : operation.employee.eName)
}
