import { startTransition, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../language/translate.ts'
import {
  actAfter,
  findCover,
  hasMoved,
  ignoreDoubleClick,
  ignoreHeldEnter,
  listen,
  stopAll,
} from '../../lib/dom.ts'
import { isolate } from '../../lib/isolate.ts'
import { hasHover } from '../../lib/presses/last-pointer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import keyStyles from '../../ui/key/key.module.css'
import { nameKey } from '../../ui/key/key.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { Name, Text } from '../../ui/message.tsx'
import { describeConflicts, describeResult } from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { useCloseOnEscape } from '../model/keys/use-page-shortcuts.ts'
import { type Entry, type EntryInState, isUndo, type UndoEntry } from '../model/outbox/entry.ts'
import styles from './undo-bar.module.css'

const SendingText = lazyPart(() => import('./sending-text.tsx'), 'SendingText')
const UndoList = lazyPart(() => import('./undo-list.tsx'), 'UndoList')

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
 * page. After a while only its buttons stay visible, in the middle; the text returns above them when they are pointed at or
 * focused. A screen reader announces each event once, and not what is left in the line when another event is undone.
 */
export function UndoBar({ entries, onShow, ...actions }: UndoBarProps) {
  const done = entries.filter(isDone)
  const sending = useSlowOperations(entries)
  const isSending = sending.length > 0
  const messageId = useId()
  const { liveRegion, announce } = useLiveRegion()
  const last = done.at(-1)
  const isSettling = useSettling(done.length)
  const isQuiet = useQuiet(`${last?.id} ${done.length}`) && last && isUndo(last) && !isSending
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
  useAnnounceNew(
    // Saves are announced as such.
    done.filter(({ state }) => state !== 'updated'),
    ({ id, state }) => `${state} ${id}`,
    // The dialog of an import says what it has done.
    (added) => {
      const news = added.filter(({ state }) => state !== 'imported' || !findCover())
      announce(news.map((entry) => describeDone(entry)).join(' '))
    },
  )
  return (
    <>
      <section
        aria-label={t('Recent changes')}
        className={styles.bar}
        data-settling={isSettling}
        data-quiet={isQuiet}
      >
        <p id={messageId} className={styles.message}>
          <OnDemand isOptional>{isSending && <SendingText entries={sending} announce={announce} />}</OnDemand>
          {!isSending && <Text renderValue={renderName}>{last && describeDone(last)}</Text>}
        </p>
        {last && !isSending && (
          <UndoButtons done={done} describedBy={messageId} isAlone={!!isQuiet} {...actions} />
        )}
      </section>
      {liveRegion}
    </>
  )
}

interface UndoButtonsProps extends Omit<UndoBarProps, 'entries' | 'onShow'> {
  done: readonly DoneEntry[]
  describedBy: string
  /** No text is beside the buttons. */
  isAlone: boolean
}

function UndoButtons({ done, describedBy, isAlone, onUndo, onDismiss }: UndoButtonsProps) {
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
        <Button
          className={`${styles.action} ${styles.undo}`}
          aria-label={describeUndo(last)}
          aria-describedby={describedBy}
          onClick={() => onUndo([last])}
        >
          <span>{isAlone ? describeUndo(last) : t('Undo')}</span>
          {/* A list's button takes its place. */}
          {!isAlone && done.length === 1 && (
            <span className={styles.keys}>
              {/* Their names are no part of what the button says. */}
              {pageCommands.undo.keys.map((key) => (
                <kbd key={key} className={keyStyles.key} data-key={nameKey(key)} />
              ))}
            </span>
          )}
        </Button>
      )}
      {done.length > 1 && (
        <IconButton
          ref={toggleButton}
          icon="chevron-down"
          className={styles.action}
          aria-label={t('Recent changes')}
          aria-expanded={isListOpen}
          onClick={() => startTransition(() => setListOpen(!isListOpen))}
        />
      )}
      <IconButton icon="x" className={styles.action} aria-label={t('Dismiss')} onClick={onDismiss} />
      <OnDemand>
        {isListOpen && done.length > 1 && (
          <UndoList done={done} deletes={deletes} describe={describeDone} onUndo={onUndo} />
        )}
      </OnDemand>
    </div>
  )
}

const describeUndo = ({ state }: UndoEntry) =>
  t(
    '{state, select, imported {Undo import} updated {Undo edit} discarded {Undo discard} other {Undo delete}}',
    { state },
  )

function describeDone(entry: DoneEntry): string {
  if (entry.state === 'undone') {
    const values = { count: entry.restored ?? 0, conflicts: describeConflicts(entry.kept) }
    if (entry.restored === undefined) return t('Import undone. {conflicts}', values)
    return t('{count, plural, one {# record restored.} other {# records restored.}} {conflicts}', values)
  }
  if (entry.state === 'imported') {
    const { batch, result } = entry
    const conflicts = describeConflicts(result.kept.length)
    return t('{result}. {conflicts}', { result: describeResult(batch, result), conflicts })
  }
  if (entry.state === 'deleted-many') {
    const values = { count: entry.employees.length, conflicts: describeConflicts(entry.kept) }
    return t('{count, plural, one {Deleted # record.} other {Deleted # records.}} {conflicts}', values)
  }
  const name = isolate(
    displayName(entry.state === 'discarded' ? (entry.draft.editing ?? entry.draft.fields) : entry.employee),
  )
  if (entry.state === 'discarded') return t('Edit of {name} discarded', { name })
  if (entry.state === 'updated') return t('Saved {name}', { name })
  return t('Deleted {name}', { name })
}

/** The bar takes no clicks for at most this time after it has grown, in ms. */
const settlingMs = { mouse: 2_000, touch: 600 }

/** Whether the bar has just grown, and the mouse has not moved since: a click is still meant for the row beneath it. */
function useSettling(count: number): boolean {
  const [settledCount, setSettledCount] = useState(count)
  if (count < settledCount) setSettledCount(count)
  useEffect(() => {
    const settle = () => setSettledCount(count)
    const handleMove = (event: PointerEvent) => {
      if (hasMoved(event)) settle()
    }
    const hasMouse = hasHover()
    const stopTimer = actAfter(hasMouse ? settlingMs.mouse : settlingMs.touch, settle)
    const stopListening = listen(hasMouse ? window : undefined, 'pointermove', handleMove)
    return stopAll(stopTimer, stopListening)
  }, [count])
  return count > settledCount
}

/** The bar is reduced to its buttons this long after the last change, or once it is no longer in use, in ms. */
const quietAfterMs = 8_000
const barInUse = '[data-settling]:is(:hover, :focus-within, :has([aria-expanded=true]))'

/** Whether this is the latest change for so long that the rows beneath its text matter more. */
function useQuiet(change: string): boolean {
  const [quietChange, setQuietChange] = useState('')
  useEffect(() => {
    let stop: () => void
    // The buttons move then, which nobody may be about to press.
    const wait = () => {
      stop = actAfter(quietAfterMs, () =>
        document.querySelector(barInUse) ? wait() : setQuietChange(change),
      )
    }
    wait()
    return () => stop()
  }, [change])
  return quietChange === change
}

/** An operation that is being sent is shown only after this time, in ms, unless it is to be undone. */
const showSendingAfterMs = 1_000

function useSlowOperations(entries: readonly Entry[]): EntryInState<'sending'>[] {
  const [now, setNow] = useState(Date.now)
  const sending = entries.filter((entry) => entry.state === 'sending')
  const next = Math.min(
    ...sending.map(({ since }) => since + showSendingAfterMs).filter((time) => time > now),
  )
  useEffect(() => {
    if (next !== Number.POSITIVE_INFINITY) return actAfter(next - Date.now(), () => setNow(next))
  }, [next])
  return sending.filter((entry) => entry.isToBeUndone || entry.since + showSendingAfterMs <= now)
}
