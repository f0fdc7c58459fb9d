import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { actAfter, ignoreDoubleClick, ignoreHeldEnter, listen, stopAll } from '../../lib/dom.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { Name, Text } from '../../ui/message.tsx'
import { getRecord, type Operation } from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import { useCloseOnEscape } from '../model/keys/use-page-shortcuts.ts'
import { type Entry, type EntryInState, isUndo, type UndoEntry } from '../model/outbox/entry.ts'
import * as messages from '../model/outbox/messages.ts'
import styles from './undo-bar.module.css'

interface UndoBarProps {
  entries: readonly Entry[]
  onUndo(entries: readonly UndoEntry[]): void
  onDismiss(): void
  /** Shows the row of a record. */
  onShow(id: string): void
}

type DoneEntry = UndoEntry | EntryInState<'undone'>

const isDone = (entry: Entry): entry is DoneEntry => isUndo(entry) || entry.state === 'undone'

/**
 * One line at the bottom of the page about what is being saved, or was done last and can be undone. It moves nothing on the
 * page. After a while only its buttons stay visible, in the same place; the text returns when they are pointed at or focused. A
 * screen reader announces each event once, and not what is left in the line when another event is undone.
 */
export function UndoBar({ entries, onShow, ...actions }: UndoBarProps) {
  const done = entries.filter(isDone)
  const sending = useSlowOperations(entries)
  const messageId = useId()
  const { liveRegion, announce } = useLiveRegion()
  const last = done.at(-1)
  const isSettling = useSettling(done.length)
  const isQuiet = useQuiet(`${last?.id} ${done.length}`)
  const sendingText = sending.length > 0 ? describeSending(sending) : ''
  useAnnounceNew(
    // Saves are announced as such.
    done.filter(({ state }) => state !== 'updated'),
    ({ id, state }) => `${state} ${id}`,
    (added) => announce(added.map((entry) => <span key={entry.id}>{describeDone(entry)} </span>)),
  )
  useEffect(() => {
    if (sendingText) announce(sendingText)
  }, [sendingText, announce])
  return (
    <>
      <section
        aria-label={messages.recentChanges}
        className={styles.bar}
        data-settling={isSettling}
        data-quiet={isQuiet && !sendingText}
      >
        <p id={messageId} className={styles.message}>
          <Text>{sendingText || (last && describeDone(last, done, onShow))}</Text>
        </p>
        {last && !sendingText && <UndoButtons done={done} describedBy={messageId} {...actions} />}
      </section>
      {liveRegion}
    </>
  )
}

interface UndoButtonsProps extends Omit<UndoBarProps, 'entries' | 'onShow'> {
  done: readonly DoneEntry[]
  describedBy: string
}

function UndoButtons({ done, describedBy, onUndo, onDismiss }: UndoButtonsProps) {
  const container = useRef<HTMLDivElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const [isListOpen, setListOpen] = useState(false)
  useCloseOnEscape(isListOpen && done.length > 1, () => {
    if (container.current?.contains(document.activeElement)) toggleButton.current?.focus()
    setListOpen(false)
  })
  const deletes = done.filter((entry) => entry.state === 'deleted')
  const last = done.at(-1)
  const toggle = isListOpen ? messages.hide : messages.show
  return (
    <div
      ref={container}
      className={styles.buttons}
      onClickCapture={ignoreDoubleClick}
      onKeyDownCapture={ignoreHeldEnter}
    >
      {last && isUndo(last) && (
        <Button className={styles.action} aria-describedby={describedBy} onClick={() => onUndo([last])}>
          {undoLabels[last.state]}
        </Button>
      )}
      {last?.state === 'deleted' && deletes.length > 1 && (
        <Button className={styles.action} onClick={() => onUndo(deletes)}>
          {messages.undoAll(deletes.length)}
        </Button>
      )}
      {done.length > 1 && (
        <Button
          ref={toggleButton}
          className={styles.action}
          aria-label={toggle.label('recent')}
          aria-expanded={isListOpen}
          onClick={() => setListOpen(!isListOpen)}
        >
          {toggle.text}
        </Button>
      )}
      <IconButton icon="x" className={styles.action} aria-label={messages.dismiss} onClick={onDismiss} />
      {isListOpen && done.length > 1 && (
        <ul className={styles.list}>
          {done.toReversed().map((entry) => (
            <li key={entry.id} className={styles.item}>
              <span id={entry.id} className={styles.message}>
                <Text>{describeDone(entry)}</Text>
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

const undoLabels = {
  deleted: messages.undo,
  'deleted-many': messages.undo,
  updated: messages.undo,
  imported: messages.undoImport,
}

/**
 * `done`: all entries that the bar stands for; without it, the text is about this entry alone. `onShow` makes the name of a saved
 * record a button.
 */
function describeDone(
  entry: DoneEntry,
  done: readonly DoneEntry[] = [],
  onShow?: UndoBarProps['onShow'],
): ReactNode {
  if (entry.state === 'undone') return `${messages.importUndone} ${messages.describeConflicts(entry.kept)}`
  if (entry.state === 'imported') {
    const { batch, result } = entry
    return `${messages.describeResult(batch, result)}. ${messages.describeConflicts(result.kept.length)}`
  }
  if (entry.state === 'deleted-many') {
    const count = messages.formatRecordCount(entry.employees.length)
    return `${messages.deleted} ${count}. ${messages.describeConflicts(entry.kept)}`
  }
  const isUpdate = entry.state === 'updated'
  const { employee } = entry
  const name = <Name>{displayName(employee)}</Name>
  const others = isUpdate ? 0 : done.filter(({ state }) => state === 'deleted').length - 1
  return (
    <>
      {isUpdate ? messages.updated : messages.deleted}{' '}
      {isUpdate && onShow ? (
        <button
          type="button"
          className={styles.name}
          translate="no"
          aria-label={messages.showRecord(displayName(employee))}
          onClick={() => onShow(employee.id)}
        >
          {name}
        </button>
      ) : (
        name
      )}
      {messages.andOthers(others)}
    </>
  )
}

/** The bar takes no clicks for at most this time after it has grown, in ms. */
const settlingMs = { mouse: 2_000, touch: 600 }

/**
 * Whether the number of entries has just grown, and the mouse has not moved since: a click is still meant for the row beneath
 * the bar.
 */
function useSettling(count: number): boolean {
  const [settledCount, setSettledCount] = useState(count)
  if (count < settledCount) setSettledCount(count)
  useEffect(() => {
    const settle = () => setSettledCount(count)
    // Browsers also send this event when only the page below the mouse has changed.
    const handleMove = ({ movementX, movementY }: PointerEvent) =>
      (movementX !== 0 || movementY !== 0) && settle()
    const hasMouse = matchMedia('(hover: hover)').matches
    const stopTimer = actAfter(hasMouse ? settlingMs.mouse : settlingMs.touch, settle)
    const stopListening = listen(hasMouse ? window : undefined, 'pointermove', handleMove)
    return stopAll(stopTimer, stopListening)
  }, [count])
  return count > settledCount
}

/** The bar is reduced to its buttons this long after the last change, in ms. */
const quietAfterMs = 8_000

/** Whether this is the latest change for so long that the rows beneath its text matter more. */
function useQuiet(change: string): boolean {
  const [quietChange, setQuietChange] = useState('')
  useEffect(() => actAfter(quietAfterMs, () => setQuietChange(change)), [change])
  return quietChange === change
}

/** An operation that is being sent is shown only after this time, in ms. */
const showSendingAfterMs = 1_000

function useSlowOperations(entries: readonly Entry[]): Operation[] {
  const [now, setNow] = useState(Date.now)
  const sending = entries.filter((entry) => entry.state === 'sending')
  const next = Math.min(
    ...sending.map(({ since }) => since + showSendingAfterMs).filter((time) => time > now),
  )
  useEffect(() => {
    if (next !== Number.POSITIVE_INFINITY) return actAfter(next - Date.now(), () => setNow(next))
  }, [next])
  return sending.filter(({ since }) => since + showSendingAfterMs <= now).map(({ operation }) => operation)
}

function describeSending(operations: readonly Operation[]): string {
  const [operation] = operations
  if (!operation || operations.length > 1) return messages.savingChanges(operations.length)
  if (operation.kind === 'import') return messages.importing(messages.describeBatchSize(operation.batch))
  if (operation.kind === 'undo-import') return messages.undoingImport
  if (operation.kind === 'delete-many')
    return messages.deletingRecords(messages.describeBatchSize(operation.batch))
  if (operation.kind === 'restore-many')
    return messages.restoringRecords(messages.describeBatchSize(operation.batch))
  return messages.sending[operation.kind](isolate(displayName(getRecord(operation))))
}
