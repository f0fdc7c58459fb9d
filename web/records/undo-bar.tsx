import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useFocusLost } from '../lib/use-focus-lost.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { displayName, EmployeeName } from './employee-name.tsx'
import { describeBatchSize, describeConflicts, describeResult } from './outbox/batch-summary.ts'
import { type Entry, type EntryInState, isUndo, type UndoEntry } from './outbox/entry.ts'
import type { Operation } from './outbox/operation.ts'
import styles from './undo-bar.module.css'

interface UndoBarProps {
  entries: readonly Entry[]
  onUndo(entries: readonly UndoEntry[]): void
  onDismiss(): void
  /** Called when the bar is removed while it has the focus. */
  onFocusLost(): void
}

type DoneEntry = UndoEntry | EntryInState<'undone'>

const isDone = (entry: Entry): entry is DoneEntry => isUndo(entry) || entry.state === 'undone'

/**
 * One line at the bottom of the page about what is being saved, or was done last and can be undone. It moves nothing on the
 * page. Its live region is always there.
 */
export function UndoBar({ entries, ...actions }: UndoBarProps) {
  const done = entries.filter(isDone)
  const sending = useSlowOperations(entries)
  const statusId = useId()
  const last = done.at(-1)
  return (
    <section aria-label="Recent changes" className={styles.bar}>
      <p role="status" id={statusId} className={styles.message}>
        {sending.length > 0 ? describeSending(sending) : last && describeDone(last, done)}
      </p>
      {last && sending.length === 0 && <UndoButtons done={done} describedBy={statusId} {...actions} />}
    </section>
  )
}

interface UndoButtonsProps extends Omit<UndoBarProps, 'entries'> {
  done: readonly DoneEntry[]
  describedBy: string
}

function UndoButtons({ done, describedBy, onUndo, onDismiss, onFocusLost }: UndoButtonsProps) {
  const container = useRef<HTMLDivElement>(null)
  const [isListOpen, setListOpen] = useState(false)
  useFocusLost(container, onFocusLost)
  const deletes = done.filter((entry) => entry.state === 'deleted')
  const last = done.at(-1)
  return (
    <div ref={container} className={styles.buttons}>
      {last && isUndo(last) && (
        <Button className={styles.action} aria-describedby={describedBy} onClick={() => onUndo([last])}>
          {undoLabels[last.state]}
        </Button>
      )}
      {deletes.length > 1 && (
        <Button className={styles.action} onClick={() => onUndo(deletes)}>
          Undo all ({deletes.length.toLocaleString()})
        </Button>
      )}
      {done.length > 1 && (
        <Button className={styles.action} aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)}>
          {isListOpen ? 'Hide' : 'Show'}
        </Button>
      )}
      <Button
        variant="icon"
        className={styles.action}
        aria-label="Dismiss"
        title="Dismiss"
        onClick={onDismiss}
      >
        <Icon name="x" />
      </Button>
      {isListOpen && done.length > 1 && (
        <ul className={styles.list}>
          {done.toReversed().map((entry) => (
            <li key={entry.id} className={styles.item}>
              <span id={entry.id} className={styles.message}>
                {describeDone(entry)}
              </span>
              {isUndo(entry) && (
                <Button variant="ghost" aria-describedby={entry.id} onClick={() => onUndo([entry])}>
                  {undoLabels[entry.state]}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const undoLabels = { deleted: 'Undo', imported: 'Undo import' }

/** `done`: all entries that the bar stands for; without it, the text is about this entry alone. */
function describeDone(entry: DoneEntry, done: readonly DoneEntry[] = []): ReactNode {
  if (entry.state === 'undone') return `The import is undone. ${describeConflicts(entry.kept)}`
  if (entry.state === 'imported') {
    const { batch, result } = entry
    return `Imported: ${describeResult(batch, result)}. ${describeConflicts(result.kept.length)}`
  }
  const others = done.filter(({ state }) => state === 'deleted').length - 1
  return (
    <>
      Deleted <EmployeeName name={entry.employee.eName} />
      {others > 0 && ` and ${others === 1 ? '1 other' : `${others.toLocaleString()} others`}`}
    </>
  )
}

/** An operation that is being sent is shown only after this time, in ms. */
const showSendingAfterMs = 1_000

/** The operations that have been sent for longer than `showSendingAfterMs`. */
function useSlowOperations(entries: readonly Entry[]): Operation[] {
  const [now, setNow] = useState(Date.now)
  const sending = entries.filter((entry) => entry.state === 'sending')
  const next = Math.min(
    ...sending.map(({ since }) => since + showSendingAfterMs).filter((time) => time > now),
  )
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(next), next - Date.now())
    return () => clearTimeout(timer)
  }, [next])
  return sending.filter(({ since }) => since + showSendingAfterMs <= now).map(({ operation }) => operation)
}

function describeSending(operations: readonly Operation[]): string {
  const [operation] = operations
  if (!operation || operations.length > 1) return `Saving ${operations.length.toLocaleString()} changes…`
  if (operation.kind === 'import') return `Importing ${describeBatchSize(operation.batch)}…`
  if (operation.kind === 'undo-import') return 'Undoing the import…'
  const name = displayName(operation.kind === 'add' ? operation.fields.eName : operation.employee.eName)
  if (operation.kind === 'remove') return `Deleting ${name}…`
  return operation.kind === 'restore' ? `Restoring ${name}…` : `Saving ${name}…`
}
