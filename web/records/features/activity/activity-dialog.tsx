import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Colleague } from '../../../../contract/accounts.ts'
import { type ActivityEntry, type ActivityGroup, groupNames } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { noAutofill, whenSettled } from '../../../lib/dom.ts'
import { toSearchable } from '../../../lib/normalize-text.ts'
import { Button } from '../../../ui/button.tsx'
import chipStyles from '../../../ui/chip.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListStatus } from '../../../ui/list.tsx'
import { Text } from '../../../ui/message.tsx'
import { groupLabels } from '../../model/activity/describe-item.ts'
import { useAppSelector } from '../../model/book/store.ts'
import { displayName } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { parseSearchTerms } from '../../model/search/search.ts'
import { useView } from '../../model/view.ts'
import styles from './activity-dialog.module.css'
import { readActivityHash, toActivityHash } from './activity-hash.ts'
import { ActivityList } from './activity-list.tsx'
import { groupEntries } from './group-entries.ts'
import { useActivity } from './use-activity.ts'
import { type BatchMatches, useBatchSearch } from './use-batch-search.ts'

/** So many items have fewer than 2,000 elements. Others are rendered as one scrolls. */
const maxRendered = 120
const step = maxRendered / 2

/** So many matches fill the dialog; fewer make a search read on, up to a number of entries. */
const enoughMatches = 30
const maxSearched = 2_000

interface ActivityDialogProps {
  title: string
  service: HistoryService
  onClose(): void
}

/** Lists who did what, the latest first. */
export function ActivityDialog({ title, service, onClose }: ActivityDialogProps) {
  const { email } = useHistory()
  const { focus } = useView()
  const [kind, setKind] = useGroupInAddress()
  const [by, setBy] = useState<string>()
  const [query, setQuery] = useState('')
  const deferred = useDeferredValue(query)
  const names = useNames()
  const activity = useActivity(service, { ...(kind && { kind }), ...(by !== undefined && { by }) })
  const { entries, isBusy, problem } = activity
  const terms = useMemo(() => parseSearchTerms(deferred), [deferred])
  const matches = useBatchSearch(service, entries ?? noEntries, terms, names)
  // Each filter has a list of its own, which begins with the latest.
  const found = useItems(activity, { terms, names, matches }, `${kind} ${by} ${query}`)
  const { shown, isReadingOn } = found

  function show(id: string) {
    onClose()
    focus({ on: 'row', id, ifHidden: 'show all' })
  }

  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <div tabIndex={-1} className={`${listStyles.column} ${styles.column}`}>
        <div className={styles.search}>
          <Field
            label={t('Search by name or email')}
            type="search"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            {...noAutofill}
          />
          <PersonSelect value={by} onChange={setBy} />
        </div>
        <GroupChips value={kind} onChange={setKind} />
        <div>
          {found.showNewer && <Edge label={t('Show newer')} onReach={found.showNewer} />}
          <ActivityList items={shown} ownEmail={email} names={names} matches={matches} onShow={show} />
          {found.showOlder && <Edge key={found.edgeKey} label={t('Show older')} onReach={found.showOlder} />}
        </div>
        <p role="status">
          <Text>{entries && !isBusy && !isReadingOn && shown.length === 0 ? t('Nothing found.') : ''}</Text>
        </p>
        <ListStatus {...{ ...activity, list: entries, outcome: null, error: problem }} />
        <p className={styles.hint}>
          {t('Who looked at the list is not known, and what a page reports can be missing.')}
          {activity.isByPages &&
            ` ${t('Nor are refused sign-ins, passwords reset by email and what is done in Firebase’s console.')}`}
        </p>
      </div>
    </Dialog>
  )
}

const noEntries: readonly ActivityEntry[] = []

interface Search {
  terms: readonly string[]
  /** Those of the existing records by their ids. */
  names: ReadonlyMap<string, string>
  matches: BatchMatches
}

/** The items that a search finds, of which some are shown, and what shows others. `listKey` names the list. */
function useItems(
  { entries, hasOlder, isBusy, loadOlder }: ReturnType<typeof useActivity>,
  { terms, names, matches }: Search,
  listKey: string,
) {
  const items = useMemo(
    () => groupEntries(filterEntries(entries ?? noEntries, { terms, names, matches })),
    [entries, terms, names, matches],
  )
  const [position, setPosition] = useState({ listKey, start: 0 })
  const start = position.listKey === listKey ? position.start : 0
  const moveTo = (next: number) => setPosition({ listKey, start: Math.max(0, next) })
  const hasMore = start + maxRendered < items.length

  // A search may find little in what was read.
  const isShort = terms.length > 0 && items.length < enoughMatches
  const isReadingOn = isShort && hasOlder && (entries?.length ?? 0) < maxSearched
  const readOn = useEffectEvent(loadOlder)
  useEffect(() => {
    if (isReadingOn && !isBusy) void readOn()
  }, [isReadingOn, isBusy])

  return {
    shown: items.slice(start, start + maxRendered),
    isReadingOn,
    showNewer: start > 0 ? () => moveTo(start - step) : null,
    showOlder: hasMore ? () => moveTo(start + step) : hasOlder && !isReadingOn ? loadOlder : null,
    /** An edge that is still in sight after a step is reached again. */
    edgeKey: `${start} ${items.length}`,
  }
}

interface GroupChipsProps {
  value: ActivityGroup | undefined
  onChange(group: ActivityGroup | undefined): void
}

const GroupChips = ({ value, onChange }: GroupChipsProps) => (
  <fieldset className={styles.chips}>
    <legend className="visually-hidden">{t('What happened')}</legend>
    {groupNames.map((group) => (
      <button
        key={group}
        type="button"
        className={chipStyles.chip}
        aria-pressed={group === value}
        onClick={() => onChange(group === value ? undefined : group)}
      >
        {t(groupLabels[group])}
      </button>
    ))}
  </fieldset>
)

/** The chosen kind, which stands in the address. */
function useGroupInAddress() {
  const [group, setGroup] = useState(() => readActivityHash(location.hash))
  useEffect(() => {
    history.replaceState(history.state, '', toActivityHash(group))
    return () => history.replaceState(history.state, '', location.pathname + location.search)
  }, [group])
  return [group, setGroup] as const
}

/** The names of the existing records by their ids. */
function useNames(): ReadonlyMap<string, string> {
  const book = useAppSelector((state) => state.book)
  return useMemo(() => new Map(book.map((record) => [record.id, displayName(record)])), [book])
}

function filterEntries(
  entries: readonly ActivityEntry[],
  { terms, names, matches }: Search,
): readonly ActivityEntry[] {
  if (terms.length === 0) return entries
  return entries.filter(({ id, by = '', account = '', record = '' }) => {
    if (matches.has(id)) return true
    const text = toSearchable(`${by} ${account} ${names.get(record) ?? ''}`)
    return terms.every((term) => text.includes(term))
  })
}

interface EdgeProps {
  label: string
  onReach(): void
}

/** A button at an end of what is rendered, which presses itself when it is scrolled into view. */
function Edge({ label, onReach }: EdgeProps) {
  const button = useRef<HTMLDivElement>(null)
  const reach = useEffectEvent(onReach)
  useEffect(() => {
    if (!button.current) return
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) reach()
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={button} className={styles.edge}>
      <Button onClick={onReach}>{label}</Button>
    </div>
  )
}

interface PersonSelectProps {
  value: string | undefined
  onChange(by: string | undefined): void
}

const everyone = 'everyone'

function PersonSelect({ value = everyone, onChange }: PersonSelectProps) {
  const { email: ownEmail, listColleagues } = useHistory()
  const [people, setPeople] = useState<Colleague[]>([])
  useEffect(() => listColleagues && whenSettled(listColleagues(), setPeople), [listColleagues])
  if (people.length === 0) return null
  return (
    <span className={styles.person}>
      <select
        aria-label={t('Person')}
        value={value}
        onChange={({ target }) => onChange(target.value === everyone ? undefined : target.value)}
      >
        <option value={everyone}>{t('Everyone')}</option>
        {people.map(({ id, email }) => (
          <option key={id} value={id} translate="no">
            {email === ownEmail ? t('{email} (you)', { email }) : email}
          </option>
        ))}
        <option value="">{t('Administrator')}</option>
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}
