import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isBatch, nameOf, type Operation } from './operation.ts'
import type { Entry } from './outbox.ts'
import styles from './outbox-strip.module.css'
import { keptWords, resultWords, sizeWords } from './transfer/batch-words.ts'
import { useStripFocus } from './use-strip-focus.ts'

interface OutboxStripProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onUndo(id: string): void
  onDiscard(id: string): void
  /** The last entry has gone, and the focus with it. */
  onLeft(): void
}

/** The strip between form and table that is there only when it has something to say. */
export function OutboxStrip({ entries, onLeft, ...actions }: OutboxStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const focus = useStripFocus(strip, onLeft)
  return (
    <div
      ref={strip}
      role="status"
      aria-label="Not saved yet, and just deleted"
      // Each entry is announced when it comes, not all of them with it.
      aria-atomic="false"
      {...focus}
    >
      {entries.length > 0 && (
        <ul className={styles.entries}>
          {entries.map((entry) => (
            <EntryLine key={entry.id} entry={entry} {...actions} />
          ))}
        </ul>
      )}
      {entries.some(waitsForDecision) && (
        <p className={styles.warning}>Logging out discards what is not saved.</p>
      )}
    </div>
  )
}

const waitsForDecision = ({ state }: Entry) => state === 'refused' || state === 'draft'

type EntryLineProps = { entry: Entry } & Omit<OutboxStripProps, 'entries' | 'onLeft'>

function EntryLine({ entry, onRetry, onEdit, onUndo, onDiscard }: EntryLineProps) {
  const { id } = entry
  const action = (label: string, act: (id: string) => void, title?: string) => (
    <Button aria-describedby={id} title={title} onClick={() => act(id)}>
      {label}
    </Button>
  )
  switch (entry.state) {
    case 'sending':
      return <SlowLine since={entry.since}>{sendingWords(entry.operation)} …</SlowLine>
    case 'deleted':
      return (
        <li className={styles.entry}>
          <Words id={id}>
            Deleted <bdi>{entry.employee.eName}</bdi>
          </Words>
          <span className={styles.actions}>
            {action('Undo', onUndo)}
            {action('Dismiss', onDiscard)}
          </span>
        </li>
      )
    case 'imported':
      return (
        <li className={styles.entry}>
          <Words id={id}>
            Imported: {resultWords(entry.batch, entry.result)}. {keptWords(entry.result.kept.length)}
          </Words>
          <span className={styles.actions}>
            {action('Undo import', onUndo)}
            {action('Dismiss', onDiscard)}
          </span>
        </li>
      )
    case 'undone':
      return (
        <li className={styles.entry}>
          <Words id={id}>The import is undone. {keptWords(entry.kept)}</Words>
          <span className={styles.actions}>{action('Dismiss', onDiscard)}</span>
        </li>
      )
    case 'draft':
      return (
        <li className={styles.entry}>
          <Words id={id}>
            Put aside: <bdi>{entry.draft.fields.eName || 'a record without a name'}</bdi>
          </Words>
          <span className={styles.actions}>
            {action('Edit', onEdit)}
            {action('Discard', onDiscard)}
          </span>
        </li>
      )
    case 'refused': {
      const { operation, refusal } = entry
      const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
      // An import is never sent again behind a person's back.
      const passes = refusal.code === 'offline' && operation.kind !== 'import'
      const reason = wasDeleted ? 'Someone has deleted this record.' : refusal.message
      return (
        <li className={passes ? styles.entry : `${styles.entry} ${styles.refused}`}>
          <Words id={id}>
            {failures[operation.kind]}: <bdi>{subjectOf(operation)}</bdi>.{' '}
            {passes ? 'It is sent when the connection is back.' : reason}
          </Words>
          <span className={styles.actions}>
            {action(wasDeleted ? 'Put back' : 'Retry', onRetry)}
            {!isBatch(operation) && action('Edit', onEdit)}
            {action('Discard', onDiscard, operation.kind === 'remove' ? 'Keep the record' : undefined)}
          </span>
        </li>
      )
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
  if (operation.kind === 'import') return `Importing ${sizeWords(operation.batch)}`
  if (operation.kind === 'undo-import') return 'Undoing the import'
  return `Saving ${nameOf(operation) || 'a record'}`
}

function Words({ id, children }: { id: string; children: React.ReactNode }) {
  return (
    <span id={id} className={styles.words}>
      {children}
    </span>
  )
}

/** Says nothing of what is quick: only what takes more than a second is worth a line. */
function SlowLine({ since, children }: { since: number; children: React.ReactNode }) {
  const [slow, setSlow] = useState(Date.now() - since > 1000)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(0, since + 1000 - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return slow && <li className={styles.entry}>{children}</li>
}
