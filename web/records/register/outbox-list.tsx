import { type ReactNode, useRef, useState } from 'react'
import { useListFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { Name, Text } from '../../ui/message.tsx'
import { getRecord, isBatch, type Operation } from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import { useCloseOnEscape } from '../model/keys/use-page-shortcuts.ts'
import { type Entry, type EntryInState, isWaiting, type OperationError } from '../model/outbox/entry.ts'
import * as messages from '../model/outbox/messages.ts'
import styles from './outbox-list.module.css'

interface OutboxListProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  onDiscard(id: string): void
}

type UnsavedEntry = EntryInState<'refused' | 'draft'>

/** More entries than this are collapsed into one card. What only waits for the connection needs no decision. */
const maxShown = { waiting: 1, unsaved: 2 }

/**
 * The changes that are not saved, between the form and the table. A screen reader announces each of them once, not what is
 * shown again when a card collapses or expands.
 */
export function OutboxList({ entries, ...actions }: OutboxListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  const focus = useListFocus(listRef)
  const unsaved = entries.filter((entry) => entry.state === 'refused' || entry.state === 'draft')
  const others = unsaved.filter((entry) => !isOffline(entry))
  const waiting = unsaved.filter(isOffline)
  const { liveRegion, announce } = useLiveRegion()
  useAnnounceNew(
    unsaved,
    (entry) => `${entry.state === 'refused' ? entry.refusal.code : entry.state} ${entry.id}`,
    (added) =>
      announce(
        added.length > maxShown.unsaved
          ? messages.notSaved(added.length)
          : added.map((entry) => <span key={entry.id}>{describeEntry(entry, actions).message} </span>),
      ),
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div ref={listRef} role="group" aria-label={messages.unsavedChanges} className={styles.list} {...focus}>
        {others.length > 0 && <EntryCard kind="unsaved" entries={others} actions={actions} />}
        {waiting.length > 0 && <EntryCard kind="waiting" entries={waiting} actions={actions} />}
      </div>
      {liveRegion}
    </>
  )
}

const isOffline = (entry: Entry): entry is EntryInState<'refused'> =>
  entry.state === 'refused' && isWaiting(entry) && entry.refusal.code === 'offline'

interface EntryCardProps {
  kind: keyof typeof maxShown
  entries: readonly UnsavedEntry[]
  actions: EntryActions
}

/** Lists entries, or collapses them into a summary. */
function EntryCard({ kind, entries, actions }: EntryCardProps) {
  const toggleButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  const isWaitingCard = kind === 'waiting'
  const canCollapse = entries.length > maxShown[kind]
  const toggle = isExpanded ? messages.hide : messages.show
  useCloseOnEscape(isExpanded && canCollapse, () => {
    if (list.current?.contains(document.activeElement)) toggleButton.current?.focus()
    setExpanded(false)
  })
  return (
    <div className={canCollapse ? styles.card : ''}>
      {canCollapse && (
        <p className={styles.summary}>
          <span className={styles.message}>
            <Text>
              {isWaitingCard ? messages.changesWait(entries.length) : messages.notSaved(entries.length)}{' '}
            </Text>
            {isWaitingCard && <Names entries={entries} />}
          </span>
          <Button
            ref={toggleButton}
            variant="ghost"
            aria-label={toggle.label(kind)}
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {toggle.text}
          </Button>
        </p>
      )}
      {(isExpanded || !canCollapse) && (
        // Stays open when entries are added while one of them has the focus.
        <ul ref={list} className={styles.entries} onFocusCapture={() => setExpanded(true)}>
          {entries.map((entry) => (
            <OutboxItem
              key={entry.id}
              id={entry.id}
              {...describeEntry(entry, actions, isWaitingCard && canCollapse)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Names at most; more do not fit into the line. */
const maxNames = 20

/** The names of the records that wait, each once. */
function Names({ entries }: { entries: readonly UnsavedEntry[] }) {
  const names = entries
    .filter(isOffline)
    .map(({ operation }) =>
      isBatch(operation) ? messages.describeBatchSize(operation.batch) : displayName(getRecord(operation)),
    )
  return (
    <span className={styles.names}>
      {[...new Set(names)].slice(0, maxNames).map((name, index) => (
        <Text key={name}>
          {index > 0 && ', '}
          <bdi translate="no">{name}</bdi>
        </Text>
      ))}
    </span>
  )
}

interface EntryContent {
  message: ReactNode
  buttons: { label: string; onClick(id: string): void }[]
  kind?: 'refused' | 'waiting'
}

function OutboxItem({ id, message, buttons, kind }: EntryContent & { id: string }) {
  return (
    <li className={kind ? `${styles.entry} ${styles[kind]}` : styles.entry}>
      <span id={id} className={styles.message}>
        <Text>{message}</Text>
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

/** `isReasonKnown`: its card says why it waits. */
function describeEntry(
  entry: UnsavedEntry,
  { onRetry, onEdit, onDiscard }: EntryActions,
  isReasonKnown = false,
): EntryContent {
  const edit = { label: messages.edit, onClick: onEdit }
  const discard = { label: messages.discard, onClick: onDiscard }
  if (entry.state === 'draft') {
    const { editing, fields } = entry.draft
    const message = (
      <>
        {editing ? messages.unfinishedEdit : messages.unfinishedDraft} <Name>{displayName(fields)}</Name>
      </>
    )
    return { message, buttons: [edit, discard] }
  }
  const { operation, refusal } = entry
  const kind = isWaiting(entry) ? 'waiting' : 'refused'
  const subject = describeSubject(operation)
  const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
  if (wasDeleted && !operation.isUndo) {
    const [before, after] = messages.editOfDeleted
    const message = (
      <>
        {before} {subject} {after}
      </>
    )
    return { kind, message, buttons: [{ label: messages.restoreEdited, onClick: onRetry }, edit, discard] }
  }
  const reason = wasDeleted ? messages.wasDeleted : refusal.message
  const message = (
    <>
      {describeFailure(operation)}: {subject}.{' '}
      {kind === 'refused' ? reason : !isReasonKnown && waitingLabels[refusal.code]}
    </>
  )
  const retry = { label: wasDeleted ? messages.restore : messages.retry, onClick: onRetry }
  if (isBatch(operation)) return { kind, message, buttons: [retry, discard] }
  if (operation.kind === 'remove')
    return { kind, message, buttons: [retry, { ...discard, label: messages.keepRecord }] }
  const isConflict = operation.kind === 'update' && refusal.code === 'conflict'
  return {
    kind,
    message,
    buttons: isConflict ? [{ ...edit, label: messages.choose }, discard] : [retry, edit, discard],
  }
}

function describeFailure(operation: Operation): string {
  const isUndo = operation.kind === 'update' && operation.isUndo
  return messages.failures[isUndo ? 'undo' : operation.kind]
}

/** The label of a waiting change, by the code of its error. */
const waitingLabels: Partial<Record<OperationError['code'], string>> = {
  offline: messages.waiting,
  busy: messages.busy,
}

function describeSubject(operation: Operation): ReactNode {
  return isBatch(operation) ? (
    messages.describeBatchSize(operation.batch)
  ) : (
    <Name>{displayName(getRecord(operation))}</Name>
  )
}
