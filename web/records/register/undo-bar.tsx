import { useEffect, useId, useRef, useState } from 'react'
import { countChanges } from '../../../contract/batches.ts'
import { t } from '../../language/translate.ts'
import { actAfter, ignoreDoubleClick, ignoreHeldEnter, listen, stopAll } from '../../lib/dom.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { cutName, Name, Text } from '../../ui/message.tsx'
import {
  describeConflicts,
  describeResult,
  getRecord,
  isBatch,
  type Operation,
} from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import { useCloseOnEscape } from '../model/keys/use-page-shortcuts.ts'
import { type Entry, type EntryInState, isUndo, type UndoEntry } from '../model/outbox/entry.ts'
import styles from './undo-bar.module.css'

interface UndoBarProps {
  entries: readonly Entry[]
  onUndo(entries: readonly UndoEntry[]): void
  onDismiss(): void
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
  const renderName = (name: string) =>
    last?.state === 'updated' ? (
      <button
        type="button"
        className={styles.name}
        translate="no"
        aria-label={t('Show {name}', { name })}
        onClick={() => onShow(last.employee.id)}
      >
        <Name>{name}</Name>
      </button>
    ) : (
      <Name>{name}</Name>
    )
  const sendingText = sending.length > 0 ? describeSending(sending) : ''
  useAnnounceNew(
    // Saves are announced as such.
    done.filter(({ state }) => state !== 'updated'),
    ({ id, state }) => `${state} ${id}`,
    (added) => announce(added.map((entry) => describeDone(entry)).join(' ')),
  )
  useEffect(() => {
    if (sendingText) announce(sendingText)
  }, [sendingText, announce])
  return (
    <>
      <section
        aria-label={t('Recent changes')}
        className={styles.bar}
        data-settling={isSettling}
        data-quiet={isQuiet && !sendingText}
      >
        <p id={messageId} className={styles.message}>
          <Text renderValue={sendingText ? cutName : renderName}>
            {sendingText || (last && describeDone(last, done))}
          </Text>
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
  return (
    <div
      ref={container}
      className={styles.buttons}
      onClickCapture={ignoreDoubleClick}
      onKeyDownCapture={ignoreHeldEnter}
    >
      {last && isUndo(last) && (
        <Button className={styles.action} aria-describedby={describedBy} onClick={() => onUndo([last])}>
          {describeUndo(last)}
        </Button>
      )}
      {last?.state === 'deleted' && deletes.length > 1 && (
        <Button className={styles.action} onClick={() => onUndo(deletes)}>
          {t('Undo all ({count, number})', { count: deletes.length })}
        </Button>
      )}
      {done.length > 1 && (
        <Button
          ref={toggleButton}
          className={styles.action}
          aria-label={isListOpen ? t('Hide recent changes') : t('Show recent changes')}
          aria-expanded={isListOpen}
          onClick={() => setListOpen(!isListOpen)}
        >
          {isListOpen ? t('Hide') : t('Show')}
        </Button>
      )}
      <IconButton icon="x" className={styles.action} aria-label={t('Dismiss')} onClick={onDismiss} />
      {isListOpen && done.length > 1 && (
        <ul className={styles.list}>
          {done.toReversed().map((entry) => (
            <li key={entry.id} className={styles.item}>
              <span id={entry.id} className={styles.message}>
                <Text renderValue={cutName}>{describeDone(entry)}</Text>
              </span>
              {isUndo(entry) && (
                <Button variant="ghost" aria-describedby={entry.id} onClick={() => onUndo([entry])}>
                  {describeUndo(entry)}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const describeUndo = ({ state }: UndoEntry) => (state === 'imported' ? t('Undo import') : t('Undo'))

/** `done`: all entries that the bar stands for; without it, the text is about this entry alone. */
function describeDone(entry: DoneEntry, done: readonly DoneEntry[] = []): string {
  if (entry.state === 'undone')
    return t('Import undone. {conflicts}', { conflicts: describeConflicts(entry.kept) })
  if (entry.state === 'imported') {
    const { batch, result } = entry
    const conflicts = describeConflicts(result.kept.length)
    return t('{result}. {conflicts}', { result: describeResult(batch, result), conflicts })
  }
  if (entry.state === 'deleted-many') {
    const values = { count: entry.employees.length, conflicts: describeConflicts(entry.kept) }
    return t('{count, plural, one {Deleted # record.} other {Deleted # records.}} {conflicts}', values)
  }
  const name = isolate(displayName(entry.employee))
  if (entry.state === 'updated') return t('Saved {name}', { name })
  const others = Math.max(0, done.filter(({ state }) => state === 'deleted').length - 1)
  return t(
    '{others, plural, =0 {Deleted {name}} one {Deleted {name} and # other} other {Deleted {name} and # others}}',
    { name, others },
  )
}

/** The bar takes no clicks for at most this time after it has grown, in ms. */
const settlingMs = { mouse: 2_000, touch: 600 }

/** Whether the bar has just grown, and the mouse has not moved since: a click is still meant for the row beneath it. */
function useSettling(count: number): boolean {
  const [settledCount, setSettledCount] = useState(count)
  if (count < settledCount) setSettledCount(count)
  useEffect(() => {
    const settle = () => setSettledCount(count)
    // Browsers also send this event when only the page below the mouse has changed.
    const handleMove = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) settle()
    }
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
  const [operation, ...others] = operations
  const total = { count: operations.length }
  if (!operation || others.length > 0)
    return t('{count, plural, one {Saving # change…} other {Saving # changes…}}', total)
  const count = isBatch(operation) ? countChanges(operation.batch) : 1
  const name = isBatch(operation) ? '' : isolate(displayName(getRecord(operation)))
  switch (operation.kind) {
    case 'import':
      return t('{count, plural, one {Importing # record…} other {Importing # records…}}', { count })
    case 'undo-import':
      return t('Undoing the import…')
    case 'delete-many':
      return t('{count, plural, one {Deleting # record…} other {Deleting # records…}}', { count })
    case 'restore-many':
      return t('{count, plural, one {Restoring # record…} other {Restoring # records…}}', { count })
    case 'remove':
      return t('Deleting {name}…', { name })
    case 'restore':
      return t('Restoring {name}…', { name })
    default:
      return t('Saving {name}…', { name })
  }
}
