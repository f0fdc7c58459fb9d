import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isBatch, nameOf, type Operation } from './operation.ts'
import type { Entry } from './outbox.ts'
import styles from './outbox-strip.module.css'
import { keptWords, resultWords, sizeWords } from './transfer/batch-words.ts'

interface OutboxStripProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onUndo(id: string): void
  onDiscard(id: string): void
}

/** The strip between form and table that is there only when it has something to say. */
export function OutboxStrip({ entries, ...actions }: OutboxStripProps) {
  return (
    <div role="status" aria-label="Not saved yet, and just deleted" className={styles.strip}>
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

type EntryLineProps = { entry: Entry } & Omit<OutboxStripProps, 'entries'>

function EntryLine({ entry, onRetry, onEdit, onUndo, onDiscard }: EntryLineProps) {
  const { id } = entry
  switch (entry.state) {
    case 'sending':
      return <SlowLine since={entry.since}>{sendingWords(entry.operation)} …</SlowLine>
    case 'deleted':
      return (
        <li className={styles.entry}>
          <Words>
            Deleted <bdi>{entry.employee.eName}</bdi>
          </Words>
          <span className={styles.actions}>
            <Button onClick={() => onUndo(id)}>Undo</Button>
            <Button onClick={() => onDiscard(id)}>Dismiss</Button>
          </span>
        </li>
      )
    case 'imported':
      return (
        <li className={styles.entry}>
          <Words>
            Imported: {resultWords(entry.batch, entry.result)}. {keptWords(entry.result.kept.length)}
          </Words>
          <span className={styles.actions}>
            <Button onClick={() => onUndo(id)}>Undo import</Button>
            <Button onClick={() => onDiscard(id)}>Dismiss</Button>
          </span>
        </li>
      )
    case 'undone':
      return (
        <li className={styles.entry}>
          <Words>The import is undone. {keptWords(entry.kept)}</Words>
          <span className={styles.actions}>
            <Button onClick={() => onDiscard(id)}>Dismiss</Button>
          </span>
        </li>
      )
    case 'draft':
      return (
        <li className={styles.entry}>
          <Words>
            Put aside: <bdi>{entry.draft.fields.eName || 'a record without a name'}</bdi>
          </Words>
          <span className={styles.actions}>
            <Button onClick={() => onEdit(id)}>Edit</Button>
            <Button onClick={() => onDiscard(id)}>Discard</Button>
          </span>
        </li>
      )
    case 'refused': {
      const { operation, refusal } = entry
      const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
      const reason = wasDeleted ? 'Someone has deleted this record.' : refusal.message
      return (
        <li className={`${styles.entry} ${styles.refused}`}>
          <Words>
            {failures[operation.kind]}: <bdi>{subjectOf(operation)}</bdi>
            <span className={styles.reason}> {reason}</span>
          </Words>
          <span className={styles.actions}>
            <Button onClick={() => onRetry(id)}>{wasDeleted ? 'Put back' : 'Retry'}</Button>
            {!isBatch(operation) && <Button onClick={() => onEdit(id)}>Edit</Button>}
            <Button onClick={() => onDiscard(id)}>Discard</Button>
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

function Words({ children }: { children: React.ReactNode }) {
  return <span className={styles.words}>{children}</span>
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
