import { type ReactNode, useRef, useState } from 'react'
import { useListFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { EmployeeName } from '../fields.tsx'
import { type Entry, type EntryInState, isWaiting, type OperationError } from './entry.ts'
import * as messages from './messages.ts'
import { getRecord, isBatch, type Operation } from './operation.ts'
import styles from './outbox-list.module.css'

interface OutboxListProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onDiscard(id: string): void
  /** Called when the last entry is removed while it had the focus. */
  onEmpty(): void
}

/** More entries than this are collapsed into their number. */
const maxEntriesShown = 2

/**
 * The box of changes that are not saved, between the form and the table. A screen reader announces each of them once, not
 * what is shown again when the box collapses or expands.
 */
export function OutboxList({ entries, onEmpty, ...actions }: OutboxListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  const focus = useListFocus(listRef, onEmpty)
  const [isExpanded, setExpanded] = useState(false)
  const unsaved = entries.filter((entry) => entry.state === 'refused' || entry.state === 'draft')
  const canCollapse = unsaved.length > maxEntriesShown
  const toggle = isExpanded ? messages.hide : messages.show
  const { liveRegion, announce } = useLiveRegion()
  if (unsaved.length === 0 && isExpanded) setExpanded(false)
  useAnnounceNew(
    unsaved,
    (entry) => `${entry.state === 'refused' ? entry.refusal.code : entry.state} ${entry.id}`,
    (added) =>
      announce(
        added.length > maxEntriesShown
          ? messages.notSaved(added.length)
          : added.map((entry) => <span key={entry.id}>{describeEntry(entry, actions).message} </span>),
      ),
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div ref={listRef} role="group" aria-label={messages.unsavedChanges}>
        {canCollapse && (
          <p className={styles.summary}>
            <span>{messages.notSaved(unsaved.length)}</span>
            <Button
              variant="ghost"
              aria-label={toggle.label}
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              {toggle.text}
            </Button>
          </p>
        )}
        {unsaved.length > 0 && (isExpanded || !canCollapse) && (
          // Stays open when entries are added while one of them has the focus.
          <ul className={styles.entries} {...focus} onFocusCapture={() => setExpanded(true)}>
            {unsaved.map((entry) => (
              <OutboxItem key={entry.id} id={entry.id} {...describeEntry(entry, actions)} />
            ))}
          </ul>
        )}
      </div>
      {liveRegion}
    </>
  )
}

interface EntryContent {
  message: ReactNode
  buttons: { label: string; onClick(id: string): void }[]
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
          {buttons.map(({ label, onClick }) => (
            <Button key={label} aria-describedby={id} onClick={() => onClick(id)}>
              {label}
            </Button>
          ))}
        </span>
      )}
    </li>
  )
}

type EntryActions = Omit<OutboxListProps, 'entries' | 'onEmpty'>

function describeEntry(
  entry: EntryInState<'refused' | 'draft'>,
  { onRetry, onEdit, onDiscard }: EntryActions,
): EntryContent {
  switch (entry.state) {
    case 'draft':
      return {
        message: (
          <>
            {entry.draft.editing ? messages.unfinishedEdit : messages.unfinishedDraft}{' '}
            <EmployeeName record={entry.draft.fields} />
          </>
        ),
        buttons: [
          { label: messages.edit, onClick: onEdit },
          { label: messages.discard, onClick: onDiscard },
        ],
      }
    case 'refused': {
      const { operation, refusal } = entry
      const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
      const isConflict = operation.kind === 'update' && refusal.code === 'conflict'
      const isDelete = operation.kind === 'remove'
      const canEdit = !isBatch(operation) && !isDelete
      const isFailure = !isWaiting(entry)
      const reason = wasDeleted ? messages.wasDeleted : refusal.message
      return {
        isRefused: isFailure,
        message: (
          <>
            {describeFailure(operation)}: <Subject operation={operation} />.{' '}
            {isFailure ? reason : waitingLabels[refusal.code]}
          </>
        ),
        buttons: [
          ...(isConflict
            ? []
            : [{ label: wasDeleted ? messages.restore : messages.retry, onClick: onRetry }]),
          ...(canEdit ? [{ label: isConflict ? messages.choose : messages.edit, onClick: onEdit }] : []),
          { label: isDelete ? messages.keepRecord : messages.discard, onClick: onDiscard },
        ],
      }
    }
  }
}

function describeFailure(operation: Operation): string {
  const isUndo = operation.kind === 'update' && operation.isUndo
  return messages.failures[isUndo ? 'undo-import' : operation.kind]
}

/** The label of a waiting change, by the code of its error. */
const waitingLabels: Partial<Record<OperationError['code'], string>> = {
  offline: messages.waiting,
  busy: messages.busy,
}

/** The name of the record, or the size of the import. */
function Subject({ operation }: { operation: Operation }) {
  return isBatch(operation) ? (
    messages.describeBatchSize(operation.batch)
  ) : (
    <EmployeeName record={getRecord(operation)} />
  )
}
