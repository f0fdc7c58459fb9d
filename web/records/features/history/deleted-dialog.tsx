import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { fieldOf, secretFieldNames } from '../../../../contract/employees.ts'
import type { DeletedEmployee, DeletedList } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useServiceList } from '../../../backends/use-service-list.ts'
import { t } from '../../../language/translate.ts'
import { actAfter, noAutofill } from '../../../lib/dom.ts'
import { isolate, removeMarks } from '../../../lib/isolate.ts'
import { hasTerms } from '../../../lib/texts/has-terms.ts'
import { describeTime, formatTime } from '../../../lib/times/times.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../../../ui/list.tsx'
import { SecretCell } from '../../../ui/secret-cell.tsx'
import { useAppSelector, useAppStore } from '../../model/book/store.ts'
import {
  capitalize,
  captionOf,
  displayName,
  fieldViews,
  readableField,
  textFieldNames,
} from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { describePerson } from '../../model/history/use-details.ts'
import { openedOutboxes } from '../../model/outbox/use-outbox.ts'
import { getSearchText, parseSearchTerms } from '../../model/search/search.ts'
import styles from './deleted-dialog.module.css'
import { takeBackDeletion } from './take-back-deletion.ts'

type Deletion = DeletedList['deletions'][number]

/** A list that fits on the screen needs no search. */
const minForSearch = 8
/** More are not rendered at once. */
const maxShown = 100
/** The list is read again when the records have not changed for this time, in ms. */
const reloadDelayMs = 500

export function DeletedDialog({ service, onClose }: { service: HistoryService; onClose(): void }) {
  const { deletedList, info, hasSearch, restored, restore, restoreTogether } = useDeletedList(service)
  const { list, isGone } = deletedList
  const [query, setQuery] = useState('')
  const terms = parseSearchTerms(query)
  const found = list?.filter((deleted) => hasTerms(terms, getSearchText(deleted))) ?? []
  const shown = found.slice(0, maxShown)
  const counts = { shown: shown.length, total: found.length }
  return (
    <Dialog title={t('Recently deleted')} size="wide" onClose={onClose}>
      <div tabIndex={-1} className={listStyles.column}>
        {list && info && <p>{describeList(list.length, info.keptDays)}</p>}
        {hasSearch && (
          <Field
            label={t('Search deleted records')}
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            {...noAutofill}
          />
        )}
        <ul className={listStyles.list}>
          {info?.deletions.map((deletion) => (
            <DeletedTogether
              key={`${deletion.since} ${deletion.by}`}
              item={deletion}
              isDone={restored.includes(deletion)}
              onClick={() => restoreTogether(deletion)}
            />
          ))}
        </ul>
        <ul className={listStyles.list}>
          {shown.map((deleted) => (
            <DeletedRecord
              key={deleted.id}
              item={deleted}
              isDone={isGone(deleted)}
              onClick={() => restore(deleted)}
            />
          ))}
        </ul>
        {list && list.length > 0 && found.length === 0 && (
          <p role="status">{t('No deleted record matches.')}</p>
        )}
        {shown.length < found.length && (
          <p>{t('These are {shown, number} of {total, number}. Search to find others.', counts)}</p>
        )}
        {list && info && info.total > list.length && (
          <p>
            {t('Only the latest {listed, number} of {total, number} are listed.', {
              listed: list.length,
              total: info.total,
            })}
          </p>
        )}
        <ListStatus {...deletedList} />
      </div>
    </Dialog>
  )
}

/** The list, what was deleted together, and what restores them. */
function useDeletedList(service: HistoryService) {
  const { uid } = useHistory()
  const store = useAppStore()
  /** Its deletions are those of the first reading, in the order in which they stay. */
  const [info, setInfo] = useState<Omit<DeletedList, 'documents'> | null>(null)
  /** As at the first reading: a field that appears later would move what is pointed at. */
  const [hasSearch, setHasSearch] = useState<boolean>()
  const [restored, setRestored] = useState<Deletion[]>([])
  const read = useCallback(async () => {
    const { documents, ...latest } = await service.listDeleted()
    setInfo((first) => ({ ...latest, deletions: first?.deletions ?? latest.deletions }))
    setHasSearch((isShown) => isShown ?? documents.length >= minForSearch)
    return documents
  }, [service])
  const deletedList = useServiceList('The deleted records were not read or restored:', read)
  const { change } = deletedList
  useReloadAfterChanges(deletedList.refresh)

  function restore(deleted: DeletedEmployee) {
    const { id } = deleted
    const message = t('{name} restored.', { name: isolate(displayName(deleted)) })
    void change(message, async () => {
      takeBackDeletion(await openedOutboxes.get(store)?.get(uid), id)
      return service.restoreDeleted(id)
    })
  }

  async function restoreTogether(deletion: Deletion) {
    const { count } = deletion
    const message = t('{count, plural, one {# record} other {# records}} restored.', { count })
    const isDone = await change(message, () => service.restoreDeletion(deletion))
    if (isDone) setRestored([...restored, deletion])
  }

  return { deletedList, info, hasSearch, restored, restore, restoreTogether }
}

function DeletedTogether({ item, ...button }: OnceItemProps<Deletion>) {
  const { email } = useHistory()
  const { count, until, by } = item
  const values = { count, account: describePerson(by, email), time: formatTime(until) }
  const text = t('{count, plural, one {# record} other {# records}} deleted by {account}, {time}', values)
  const name = removeMarks(text)
  return (
    <ListItem name={text} details={[]} className={styles.together}>
      <OnceButton
        {...button}
        verbs={[t('Restore all'), t('Restored')]}
        labels={[t('Restore all: {name}', { name }), t('Restored {name}', { name })]}
      />
    </ListItem>
  )
}

function DeletedRecord({ item: deleted, ...button }: OnceItemProps<DeletedEmployee>) {
  const { email, report } = useHistory()
  const { id, deletedAt, deletedBy } = deleted
  const name = displayName(deleted)
  const account = describePerson(deletedBy, email)
  const when = t('Deleted {when} by {account}', { when: describeTime(deletedAt), account })
  return (
    <ListItem
      name={isolate(name)}
      details={[
        ...textFieldNames
          .map((field) => readableField(deleted, field))
          .filter(Boolean)
          .map(isolate),
        when,
      ]}
      className={styles.record}
    >
      <div className={styles.password}>
        {secretFieldNames
          .filter((field) => deleted[field])
          .map((field) => (
            <SecretCell
              key={field}
              label={capitalize(t('{field} of {name}', { field: t(fieldViews[field].noun), name }))}
              showLabel={t('Show {field} of {name}', { field: t(fieldViews[field].noun), name })}
              caption={captionOf(field)}
              value={fieldOf(deleted, field)}
              onReveal={() => report({ kind: 'reveal', ids: [id] })}
            />
          ))}
      </div>
      <OnceButton
        {...button}
        verbs={[t('Restore'), t('Restored')]}
        labels={[t('Restore {name}', { name }), t('Restored {name}', { name })]}
      />
    </ListItem>
  )
}

function describeList(count: number, keptDays: number): string {
  if (keptDays === 0) return t('This register keeps no deleted records.')
  return count === 0
    ? t('No deleted records.')
    : t(
        'Deleted records are kept for {days, plural, one {one day} other {# days}}. Anyone can restore them.',
        { days: keptDays },
      )
}

function useReloadAfterChanges(reload: () => void) {
  const book = useAppSelector((state) => state.book)
  const [initialBook] = useState(book)
  const latestReload = useEffectEvent(reload)
  useEffect(() => {
    if (book !== initialBook) return actAfter(reloadDelayMs, latestReload)
  }, [book, initialBook])
}
