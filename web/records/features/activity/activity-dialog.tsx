import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Colleague } from '../../../../contract/accounts.ts'
import { type ActivityEntry, type ActivityGroup, groupNames } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { afterPaint, listen, noAutofill, whenSettled } from '../../../lib/dom.ts'
import { hasTerms } from '../../../lib/texts/has-terms.ts'
import { type Searchable, toSearchable } from '../../../lib/texts/normalize-text.ts'
import { describeTime } from '../../../lib/times/times.ts'
import { Button } from '../../../ui/button.tsx'
import chipStyles from '../../../ui/chip.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListStatus } from '../../../ui/list.tsx'
import { Text } from '../../../ui/message.tsx'
import { groupLabels } from '../../model/activity/describe-item.ts'
import { findLookAlikes } from '../../model/activity/look-alikes.ts'
import { useAppSelector } from '../../model/book/store.ts'
import { useHistory } from '../../model/history/history.ts'
import { getSearchText, parseSearchTerms } from '../../model/search/search.ts'
import { useView } from '../../model/view.ts'
import styles from './activity-dialog.module.css'
import { isActivityHash, readActivityHash, toActivityHash } from './activity-hash.ts'
import { ActivityList } from './activity-list.tsx'
import { createFindName, type FindName } from './find-name.ts'
import { findSubjects, type Subjects } from './find-subjects.ts'
import { groupEntries } from './group-entries.ts'
import { useActivity } from './use-activity.ts'
import { type BatchMatches, useBatchSearch } from './use-batch-search.ts'

/** So many items have fewer than 2,000 elements. Others are rendered as one scrolls. */
const maxRendered = 120
const step = maxRendered / 2

/** So many matches fill the dialog; fewer make a search read on. */
const enoughMatches = 30
/** So many entries are read at a time, of which a search finds few, or shows many as one. */
const searchStep = 2_000

interface ActivityDialogProps {
  title: string
  service: HistoryService
  onClose(): void
}

/** Lists who did what, the latest first. */
export function ActivityDialog({ title, service, onClose }: ActivityDialogProps) {
  const { email } = useHistory()
  const { focus } = useView()
  const [filter, setFilter] = useFilterInAddress()
  const [query, setQuery] = useState('')
  const findName = useFindName()
  const people = usePeople()
  const { kind } = filter
  // An address may name somebody of another register.
  const by = !people || !filter.by || people.some(({ id }) => id === filter.by) ? filter.by : undefined
  const lookAlikes = useMemo(() => findLookAlikes(people ?? []), [people])
  const { activity, matches, ...found } = useSearchedActivity(service, { kind, by, query, people })
  const { entries, problem } = activity
  const { shown } = found

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
          <PersonSelect people={people ?? []} value={by} onChange={(by) => setFilter({ kind, by })} />
        </div>
        <GroupChips value={kind} onChange={(kind) => setFilter({ kind, by })} />
        <div>
          {found.showNewer && <Edge label={t('Show newer')} onReach={found.showNewer} />}
          <ActivityList {...{ findName, matches, lookAlikes }} items={shown} ownEmail={email} onShow={show} />
          {found.showOlder && <Edge key={found.edgeKey} label={t('Show older')} onReach={found.showOlder} />}
        </div>
        <p role="status">
          <Text>{shown.length === 0 ? found.status : ''}</Text>
        </p>
        {found.searchOlder && (
          <p>
            <Button onClick={found.searchOlder}>{t('Search older')}</Button>
          </p>
        )}
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

interface Wanted {
  kind: ActivityGroup | undefined
  by: string | undefined
  query: string
  people: readonly Colleague[] | undefined
}

/** The activity that passes the filters, and what a search finds in it. */
function useSearchedActivity(service: HistoryService, { kind, by, query, people }: Wanted) {
  const deferred = useDeferredValue(query)
  const terms = useMemo(() => parseSearchTerms(deferred), [deferred])
  const texts = useTexts(terms.length > 0)
  const subjects = useMemo(
    () => (terms.length > 0 && people ? findSubjects(terms, texts, people) : undefined),
    [terms, texts, people],
  )
  const activity = useActivity(service, { ...(kind && { kind }), ...(by !== undefined && { by }) }, subjects)
  const matches = useBatchSearch(service, activity.entries ?? noEntries, terms, texts)
  // Each filter has a list of its own, which begins with the latest.
  const found = useItems(activity, { terms, texts, matches, subjects }, `${kind} ${by} ${query}`)
  return { activity, matches, ...found }
}

interface Search {
  terms: readonly string[]
  /** The searched texts of the existing records by their ids. */
  texts: ReadonlyMap<string, Searchable>
  matches: BatchMatches
  /** Those that the service is asked for; undefined if they are too many. */
  subjects: Subjects | undefined
}

/** The items that a search finds, of which some are shown, and what shows others. `listKey` names the list. */
function useItems(activity: ReturnType<typeof useActivity>, search: Search, listKey: string) {
  const { entries, next, isCurrent, loadOlder } = activity
  const { terms, texts, matches, subjects } = search
  // To one term the service has given the answer: a batch is found by any of its records.
  const isFiltered = subjects !== undefined && !isEmpty(subjects) && isCurrent && terms.length === 1
  const items = useMemo(() => {
    const some = entries ?? noEntries
    return groupEntries(isFiltered ? some : filterEntries(some, terms, texts, matches))
  }, [entries, isFiltered, terms, texts, matches])
  const [position, setPosition] = useState({ listKey, start: 0 })
  const start = position.listKey === listKey ? position.start : 0
  const moveTo = (to: number) => setPosition({ listKey, start: Math.max(0, to) })
  const hasMore = start + maxRendered < items.length
  const { hasOlder, isReadingOn, ...reading } = useReadingOn(activity, search, items.length, listKey)

  return {
    ...reading,
    shown: items.slice(start, start + maxRendered),
    showNewer: start > 0 ? () => moveTo(start - step) : null,
    showOlder: hasMore
      ? () => moveTo(start + step)
      : hasOlder && !isReadingOn && !reading.searchOlder
        ? loadOlder
        : null,
    /** An edge that is still in sight after a step is reached again. */
    edgeKey: `${start} ${items.length} ${next}`,
  }
}

const isEmpty = ({ records, people }: Subjects) => records.length + people.length === 0

/** Reads older entries until a filter has found some, or a search enough, or they are many. `status`: what is said while nothing is found. */
function useReadingOn(
  { entries, next, hasOlder, isBusy, isCurrent, problem, loadOlder }: ReturnType<typeof useActivity>,
  { terms, subjects }: Search,
  count: number,
  listKey: string,
) {
  const [search, setSearch] = useState({ listKey, end: searchStep })
  const end = search.listKey === listKey ? search.end : searchStep
  const read = entries?.length ?? 0
  const isNowhere = subjects !== undefined && isEmpty(subjects)
  const enough = terms.length > 0 ? enoughMatches : 1
  const isShort = count < enough && hasOlder && !isNowhere
  // Of what the service was asked for, it sends nothing else.
  const isReadingOn = isShort && (read < end || (subjects !== undefined && count === 0)) && problem === ''
  const readOn = useEffectEvent(loadOlder)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may be read within one frame, in which `isBusy` does not change
  useEffect(() => {
    if (isReadingOn && !isBusy) void readOn()
  }, [isReadingOn, isBusy, next])

  const isAsked = isReadingOn || (isBusy && entries !== null)
  return {
    isReadingOn,
    hasOlder: hasOlder && !isNowhere,
    searchOlder: isShort && !isReadingOn ? () => setSearch({ listKey, end: read + searchStep }) : undefined,
    status: isNowhere ? t('Nothing found.') : isAsked ? t('Loading…') : describeNothing(),
  }

  function describeNothing() {
    if (!isCurrent || problem !== '') return ''
    return isShort
      ? t('Nothing found in the latest {count, plural, one {# entry} other {# entries}}.', { count: read })
      : t('Nothing found.')
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

/** The chosen kind and person, which stand in the address. */
function useFilterInAddress() {
  const [filter, setFilter] = useState(() => readActivityHash(location.hash))
  useEffect(() => {
    // Another filter may be opened by its address.
    const follow = () => isActivityHash(location.hash) && setFilter(readActivityHash(location.hash))
    return listen(window, 'hashchange', follow)
  }, [])
  useEffect(() => {
    // It takes a tenth of the press that opens the dialog.
    const write = (address: string) => history.replaceState(history.state, '', address)
    const cancel = whenSettled(afterPaint(), () => write(toActivityHash(filter)))
    return () => {
      cancel()
      write(location.pathname + location.search)
    }
  }, [filter])
  return [filter, setFilter] as const
}

function useFindName(): FindName {
  const book = useAppSelector((state) => state.book)
  return useMemo(() => createFindName(book), [book])
}

/** What is searched of the existing records, by their ids; empty unless something is searched. */
function useTexts(isNeeded: boolean): ReadonlyMap<string, Searchable> {
  const book = useAppSelector((state) => state.book)
  return useMemo(
    () => new Map(isNeeded ? book.map((record) => [record.id, getSearchText(record)]) : []),
    [book, isNeeded],
  )
}

/** Undefined until they are read. */
function usePeople(): readonly Colleague[] | undefined {
  const { listColleagues } = useHistory()
  const [people, setPeople] = useState<Colleague[]>()
  useEffect(
    () => listColleagues && whenSettled(afterPaint().then(listColleagues), setPeople),
    [listColleagues],
  )
  return people
}

function filterEntries(
  entries: readonly ActivityEntry[],
  terms: readonly string[],
  texts: ReadonlyMap<string, Searchable>,
  matches: BatchMatches,
): readonly ActivityEntry[] {
  if (terms.length === 0) return entries
  return entries.filter(({ id, by = '', account = '', record = '' }) => {
    if (matches.has(id)) return true
    return hasTerms(terms, toSearchable('', `${by} ${account}`), texts.get(record))
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
  people: readonly Colleague[]
  value: string | undefined
  onChange(by: string | undefined): void
}

const everyone = 'everyone'

function PersonSelect({ people, value = everyone, onChange }: PersonSelectProps) {
  const { email: ownEmail } = useHistory()
  if (people.length === 0) return null
  return (
    <span className={styles.person}>
      <select
        className="arrow"
        aria-label={t('Person')}
        value={value}
        onChange={({ target }) => onChange(target.value === everyone ? undefined : target.value)}
      >
        <option value={everyone}>{t('Everyone')}</option>
        {people.map((person) => (
          <option key={person.id} value={person.id} translate="no">
            {describeColleague(person, ownEmail)}
          </option>
        ))}
        <option value="">{t('Administrator')}</option>
      </select>
    </span>
  )
}

/** A removed account may have the email of a present one. */
function describeColleague({ email, removedAt }: Colleague, ownEmail: string): string {
  if (removedAt) return `${email} · ${t('Removed {when}', { when: describeTime(removedAt) })}`
  return email === ownEmail ? t('{email} (you)', { email }) : email
}
