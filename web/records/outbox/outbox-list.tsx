import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Name } from '../employee-name.tsx'
import { keptWords, resultWords, sizeWords } from './batch-summary.ts'
import { type Entry, waitsForLine } from './entry.ts'
import { isBatch, nameOf, type Operation } from './operation.ts'
import styles from './outbox-list.module.css'
import { useStripFocus } from './use-list-focus.ts'

interface OutboxStripProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onUndo(entry: Entry): void
  onDiscard(id: string): void
  /** The last entry has gone, and the focus with it. */
  onLeft(): void
}

/** The strip between form and table that is there only when it has something to say. */
export function OutboxStrip({ entries, onLeft, ...actions }: OutboxStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const focus = useStripFocus(strip, onLeft)
  const worthSaying = useWorthSaying(entries)
  return (
    <div
      ref={strip}
      role="status"
      aria-label="Not saved yet, and just deleted"
      // Each entry is announced when it comes, not all of them with it.
      aria-atomic="false"
      {...focus}
    >
      {worthSaying.length > 0 && (
        <ul className={styles.entries}>
          {worthSaying.map((entry) => (
            <EntryLine key={entry.id} id={entry.id} {...lineOf(entry, actions)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** What is being sent is worth a line only when it takes longer than this, in ms. */
const slow = 1_000

function useWorthSaying(entries: readonly Entry[]): Entry[] {
  const [now, setNow] = useState(Date.now)
  const times = entries.map((entry) => (entry.state === 'sending' ? entry.since + slow : 0))
  const next = Math.min(...times.filter((time) => time > now))
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(next), next - Date.now())
    return () => clearTimeout(timer)
  }, [next])
  return entries.filter((_, index) => (times[index] ?? 0) <= now)
}

/** What is said of an entry, and what can be done about it. */
interface Line {
  words: ReactNode
  buttons: { label: string; title?: string | undefined; act(id: string): void }[]
  isRefused?: boolean
}

function EntryLine({ id, words, buttons, isRefused }: Line & { id: string }) {
  return (
    <li className={isRefused ? `${styles.entry} ${styles.refused}` : styles.entry}>
      <span id={id} className={styles.words}>
        {words}
      </span>
      {buttons.length > 0 && (
        <span className={styles.actions}>
          {buttons.map(({ label, title, act }) => (
            <Button key={label} aria-describedby={id} title={title} onClick={() => act(id)}>
              {label}
            </Button>
          ))}
        </span>
      )}
    </li>
  )
}

type Actions = Omit<OutboxStripProps, 'entries' | 'onLeft'>

function lineOf(entry: Entry, { onRetry, onEdit, onUndo, onDiscard }: Actions): Line {
  const dismiss = { label: 'Dismiss', act: onDiscard }
  const undo = () => onUndo(entry)
  switch (entry.state) {
    case 'sending':
      return { words: sendingWords(entry.operation), buttons: [] }
    case 'deleted':
      return {
        words: (
          <>
            Deleted <Name of={entry.employee.eName} />
          </>
        ),
        buttons: [{ label: 'Undo', act: undo }, dismiss],
      }
    case 'imported': {
      const { batch, result } = entry
      return {
        words: `Imported: ${resultWords(batch, result)}. ${keptWords(result.kept.length)}`,
        buttons: [{ label: 'Undo import', act: undo }, dismiss],
      }
    }
    case 'undone':
      return { words: `The import is undone. ${keptWords(entry.kept)}`, buttons: [dismiss] }
    case 'draft':
      return {
        words: (
          <>
            Put aside: <Name of={entry.draft.fields.eName} />
          </>
        ),
        buttons: [
          { label: 'Edit', act: onEdit },
          { label: 'Discard', act: onDiscard },
        ],
      }
    case 'refused': {
      const { operation, refusal } = entry
      const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
      const passes = waitsForLine(entry)
      const reason = wasDeleted ? 'Someone has deleted this record.' : refusal.message
      return {
        isRefused: !passes,
        words: (
          <>
            {failures[operation.kind]}: <Name of={subjectOf(operation)} />.{' '}
            {passes ? 'It is sent when the connection is back.' : reason}
          </>
        ),
        buttons: [
          { label: wasDeleted ? 'Put back' : 'Retry', act: onRetry },
          ...(isBatch(operation) ? [] : [{ label: 'Edit', act: onEdit }]),
          {
            label: 'Discard',
            title: operation.kind === 'remove' ? 'Keep the record' : undefined,
            act: onDiscard,
          },
        ],
      }
    }
  }
}

const failures = {
  add: 'Not saved',
  update: 'Not saved',
  remove: 'Not deleted',
  restore: 'Not put back',
  import: 'Not imported',
  'undo-import': 'Not undone',
}

function subjectOf(operation: Operation): string {
  return isBatch(operation) ? sizeWords(operation.batch) : nameOf(operation)
}

function sendingWords(operation: Operation): string {
  if (operation.kind === 'import') return `Importing ${sizeWords(operation.batch)} …`
  if (operation.kind === 'undo-import') return 'Undoing the import …'
  const name = nameOf(operation)
  if (operation.kind === 'remove') return `Deleting ${name} …`
  return operation.kind === 'restore' ? `Putting ${name} back …` : `Saving ${name} …`
}
