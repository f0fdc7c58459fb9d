import { useRef, useState } from 'react'
import { currentLanguage, type Message, msg, t } from '../../language/translate.ts'
import { useListFocus } from '../../lib/focus.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button } from '../../ui/button.tsx'
import { useAnnounceNew, useLiveRegion } from '../../ui/live-region.tsx'
import { cutName, Text } from '../../ui/message.tsx'
import { describeBatchSize, getRecord, isBatch, type Operation } from '../model/book/operation.ts'
import { displayName } from '../model/fields.ts'
import { useCloseOnEscape } from '../model/keys/use-page-shortcuts.ts'
import { type Entry, type EntryInState, isWaiting } from '../model/outbox/entry.ts'
import styles from './outbox-list.module.css'

interface OutboxListProps {
  entries: readonly Entry[]
  onRetry(id: string): void
  onEdit(id: string): void
  /** Takes a deletion back. */
  onKeep(id: string): void
  onDiscard(id: string): void
}

type UnsavedEntry = EntryInState<'refused' | 'draft'>

/** More entries than this are collapsed into one card. What only waits for the connection needs no decision. */
const maxShown = { waiting: 1, unsaved: 2 }

/** The changes that are not saved. A screen reader announces each once, not again when a card collapses or expands. */
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
          ? describeUnsaved(added.length)
          : added.map((entry) => describeEntry(entry, actions).message).join(' '),
      ),
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div ref={listRef} role="group" aria-label={t('Unsaved changes')} className={styles.list} {...focus}>
        {others.length > 0 && <EntryCard kind="unsaved" entries={others} actions={actions} />}
        {waiting.length > 0 && <EntryCard kind="waiting" entries={waiting} actions={actions} />}
      </div>
      {liveRegion}
    </>
  )
}

const describeUnsaved = (count: number) =>
  t('{count, plural, one {# change is not saved} other {# changes are not saved}}', { count })

const isOffline = (entry: Entry): entry is EntryInState<'refused'> =>
  entry.state === 'refused' && isWaiting(entry) && entry.refusal.code === 'offline'

interface EntryCardProps {
  kind: keyof typeof maxShown
  entries: readonly UnsavedEntry[]
  actions: EntryActions
}

function EntryCard({ kind, entries, actions }: EntryCardProps) {
  const toggleButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  const isWaitingCard = kind === 'waiting'
  const canCollapse = entries.length > maxShown[kind]
  const isRefused = entries.some(({ state }) => state === 'refused')
  const look = isWaitingCard ? styles.waiting : isRefused ? styles.refused : ''
  useCloseOnEscape(isExpanded && canCollapse, () => {
    if (list.current?.contains(document.activeElement)) toggleButton.current?.focus()
    setExpanded(false)
  })
  return (
    <div className={canCollapse ? `${styles.card} ${look}` : ''}>
      {canCollapse && (
        <p className={styles.summary}>
          <span className={styles.message}>
            <Text>{isWaitingCard ? describeWaiting(entries) : describeUnsaved(entries.length)}</Text>
          </span>
          <Button
            ref={toggleButton}
            variant="ghost"
            aria-label={
              isExpanded
                ? t('{kind, select, waiting {Hide waiting changes} other {Hide unsaved changes}}', { kind })
                : t('{kind, select, waiting {Show waiting changes} other {Show unsaved changes}}', { kind })
            }
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? t('Hide') : t('Show')}
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

/** Tells how many changes wait, and of which records, each once. */
function describeWaiting(entries: readonly UnsavedEntry[]): string {
  const names = entries.filter(isOffline).map(({ operation }) => isolate(describeSubject(operation)))
  const listed = [...new Set(names)].slice(0, maxNames)
  return t(
    '{count, plural, one {# change waits for the connection: {names}} other {# changes wait for the connection: {names}}}',
    { count: entries.length, names: new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(listed) },
  )
}

interface EntryContent {
  message: string
  buttons: { label: string; onClick(id: string): void }[]
  kind?: 'refused' | 'waiting'
}

function OutboxItem({ id, message, buttons, kind }: EntryContent & { id: string }) {
  return (
    <li className={kind ? `${styles.entry} ${styles[kind]}` : styles.entry}>
      <span id={id} className={styles.message}>
        <Text renderValue={cutName}>{message}</Text>
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
  { onRetry, onEdit, onKeep, onDiscard }: EntryActions,
  isReasonKnown = false,
): EntryContent {
  const edit = { label: t('Edit'), onClick: onEdit }
  const discard = { label: t('Discard'), onClick: onDiscard }
  if (entry.state === 'draft') {
    const name = isolate(displayName(entry.draft.fields))
    const message = entry.draft.editing
      ? t('Unfinished edit: {name}', { name })
      : t('Unfinished draft: {name}', { name })
    return { message, buttons: [edit, discard] }
  }
  const { operation, refusal } = entry
  const kind = isWaiting(entry) ? 'waiting' : 'refused'
  const subject = isBatch(operation) ? describeSubject(operation) : isolate(describeSubject(operation))
  const wasDeleted = operation.kind === 'update' && refusal.code === 'not-found'
  if (wasDeleted && !operation.isUndo) {
    const message = t('Your edit of {name} wasn’t saved because someone deleted it.', { name: subject })
    return { kind, message, buttons: [{ label: t('Restore'), onClick: onRetry }, edit, discard] }
  }
  const act = operation.kind === 'update' && operation.isUndo ? 'undo' : operation.kind
  const waitingText = isOffline(entry) ? waitingTexts[act] : undefined
  const message = waitingText
    ? t(waitingText, { subject, when: entry.mayBeDone ? 'maybe' : `${isReasonKnown}` })
    : t(failures[act], { subject, reason: describeReason(entry, wasDeleted) })
  const retry = { label: wasDeleted ? t('Restore') : t('Retry'), onClick: onRetry }
  const keep = { label: t('Keep the record'), onClick: onKeep }
  if (operation.kind === 'remove') return { kind, message, buttons: [retry, keep] }
  if (operation.kind === 'delete-many')
    return { kind, message, buttons: [retry, { ...keep, label: discard.label }] }
  if (isBatch(operation)) return { kind, message, buttons: [retry, discard] }
  const isConflict = operation.kind === 'update' && refusal.code === 'conflict'
  return {
    kind,
    message,
    buttons: isConflict ? [{ ...edit, label: t('Choose') }, discard] : [retry, edit, discard],
  }
}

const failures: Record<Operation['kind'] | 'undo', Message> = {
  add: msg('Not saved: {subject}. {reason}'),
  update: msg('Not saved: {subject}. {reason}'),
  remove: msg('Not deleted: {subject}. {reason}'),
  restore: msg('Not restored: {subject}. {reason}'),
  import: msg('Not imported: {subject}. {reason}'),
  'undo-import': msg('Not undone: {subject}. {reason}'),
  'delete-many': msg('Not deleted: {subject}. {reason}'),
  'restore-many': msg('Not restored: {subject}. {reason}'),
  undo: msg('Not undone: {subject}. {reason}'),
}

const waiting = {
  save: msg(
    '{when, select, maybe {May already be saved} true {Will be saved} other {Will be saved when you reconnect}}: {subject}',
  ),
  remove: msg(
    '{when, select, maybe {May already be deleted} true {Will be deleted} other {Will be deleted when you reconnect}}: {subject}',
  ),
  restore: msg(
    '{when, select, maybe {May already be restored} true {Will be restored} other {Will be restored when you reconnect}}: {subject}',
  ),
  undo: msg(
    '{when, select, maybe {May already be undone} true {Will be undone} other {Will be undone when you reconnect}}: {subject}',
  ),
}

/** What will be done once there is a connection. An import waits for somebody. */
const waitingTexts: Partial<typeof failures> = {
  add: waiting.save,
  update: waiting.save,
  remove: waiting.remove,
  restore: waiting.restore,
  'undo-import': waiting.undo,
  'delete-many': waiting.remove,
  'restore-many': waiting.restore,
  undo: waiting.undo,
}

function describeReason(entry: EntryInState<'refused'>, wasDeleted: boolean): string {
  const { code, message } = entry.refusal
  if (!isWaiting(entry)) return wasDeleted ? t('Someone deleted this record.') : message
  return code === 'busy' ? t('The register is busy. Trying again in a moment.') : ''
}

const describeSubject = (operation: Operation): string =>
  isBatch(operation) ? describeBatchSize(operation.batch) : displayName(getRecord(operation))
