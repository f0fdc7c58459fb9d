import { memo, type ReactNode, useDeferredValue, useMemo, useSyncExternalStore } from 'react'
import { translateBrowser } from '../../../language/browser-name.ts'
import { currentLocale, t } from '../../../language/translate.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { currentTime } from '../../../lib/times/clock.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Text } from '../../../ui/message.tsx'
import { describeAuthor, describeKind } from '../../model/activity/describe-item.ts'
import { describeLookAlikes, type LookAlikes } from '../../model/activity/look-alikes.ts'
import styles from './activity-dialog.module.css'
import { findIcon } from './find-icon.ts'
import type { FindName } from './find-name.ts'
import { type ActivityItem, summarize, toDay } from './group-entries.ts'
import type { BatchMatches } from './use-batch-search.ts'

/** More are not named. */
const maxNamed = 3

interface ActivityListProps {
  items: readonly ActivityItem[]
  ownEmail: string
  findName: FindName
  /** Those that a search has found among many. */
  matches: BatchMatches
  lookAlikes: LookAlikes
  onShow(id: string): void
}

/** An item for each of so many px of the window's height fills the dialog. These are rendered first. */
const windowPxPerItem = 90

/** What happened, by days. */
export function ActivityList({ items, ...props }: ActivityListProps) {
  // Creating one takes longer than all else of an item.
  const timeFormat = useMemo(() => new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short' }), [])
  const firstCount = Math.ceil(innerHeight / windowPxPerItem)
  const maxCount = useDeferredValue(items.length > 0 ? Number.POSITIVE_INFINITY : firstCount, firstCount)
  const today = useSyncExternalStore(watchClock, readToday)
  const days = Map.groupBy(items.slice(0, maxCount), ({ entries: [first] }) => toDay(first as { at: string }))
  return [...days].map(([day, ofDay]) => (
    <section key={day}>
      <h3 className={styles.day}>{formatDay(day, today)}</h3>
      <ul className={styles.items}>
        {ofDay.map((item) => (
          <Item key={item.id} item={item} timeFormat={timeFormat} {...props} />
        ))}
      </ul>
    </section>
  ))
}

type ItemProps = Omit<ActivityListProps, 'items'> & { item: ActivityItem; timeFormat: Intl.DateTimeFormat }

const Item = memo(function Item({
  item,
  timeFormat,
  ownEmail,
  findName,
  matches,
  lookAlikes,
  onShow,
}: ItemProps) {
  const [latest] = item.entries
  if (!latest) return null
  const { records, count, times } = summarize(item)
  const found = [...new Set(item.entries.flatMap(({ id }) => matches.get(id) ?? []))]
  const listed = listRecords(records, count, findName, latest.kind === 'delete')
  const parts = found.length > 0 ? addFound(listed, found, findName) : listed
  const text = removeMarks(parts.map(({ text }) => text).join(''))
  const { author, account } = describeLookAlikes(latest, lookAlikes)
  const details = [
    account,
    times && t('{count, plural, one {# time} other {# times}}', { count: times }),
    describeAuthor(latest, ownEmail),
    author,
    latest.browser && translateBrowser(latest.browser),
    latest.isReported && t('as the page reported'),
  ]
  return (
    <li className={styles.item}>
      <Icon name={findIcon(latest.kind)} className={styles.icon} />
      <p className={styles.what}>
        <Text
          renderValue={(value) =>
            value === text ? <RecordParts parts={parts} onShow={onShow} /> : <bdi translate="no">{value}</bdi>
          }
        >
          {describeKind(latest, text, count, ownEmail)}
        </Text>
      </p>
      <time className={styles.time} dateTime={latest.at}>
        <bdi>{formatSpan(item, timeFormat)}</bdi>
      </time>
      <p className={styles.details}>
        <Text>{details.filter(Boolean).join(' · ')}</Text>
      </p>
    </li>
  )
})

/** A part of a text about records: with an `id`, the name of one. */
interface RecordPart {
  text: string
  id?: string
}

/** The names of records, or their number. */
function listRecords(
  records: readonly string[],
  count: number | undefined,
  findName: FindName,
  isDeletion: boolean,
): RecordPart[] {
  const areUnnamed = records.length === 0 || records.length > maxNamed
  // That a record is deleted is said already.
  if (areUnnamed || (isDeletion && !records.some((id) => findName(id) !== undefined)))
    return [
      {
        text:
          count === undefined
            ? t('records')
            : t('{count, plural, one {# record} other {# records}}', { count }),
      },
    ]
  // Creating a format takes longer than all else of an item, and most are about one record.
  const list =
    records.length > 1
      ? new Intl.ListFormat(currentLocale()).formatToParts(records)
      : records.map((value) => ({ type: 'element', value }))
  return list.map(({ type, value }) => {
    const name = type === 'element' ? findName(value) : value
    if (name === undefined) return { text: t('a record deleted since') }
    return type === 'element' ? { text: name, id: value } : { text: name }
  })
}

/** "214 records, among them Ada Lovelace". */
function addFound(listed: readonly RecordPart[], found: readonly string[], findName: FindName): RecordPart[] {
  const [all, some] = ['\u{F0000}', '\u{F0001}']
  const text = t('{records}, among them {names}', { records: all, names: some })
  return text.split(new RegExp(`(${all}|${some})`, 'u')).flatMap((part) => {
    if (part === all) return listed
    return part === some
      ? listRecords(found.slice(0, maxNamed), undefined, findName, false)
      : [{ text: part }]
  })
}

/** The names are links to the rows. */
function RecordParts({ parts, onShow }: { parts: RecordPart[]; onShow(id: string): void }): ReactNode {
  return parts.map(({ text, id }, index) => {
    if (id === undefined) {
      const isAfterName = parts[index - 1]?.id !== undefined
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a list keep their places
      return <span key={index}>{isAfterName ? text.replace(leadingMarks, '') : text}</span>
    }
    const [marks] = leadingMarks.exec(parts[index + 1]?.text ?? '') ?? []
    return (
      <button key={id} type="button" className={styles.link} translate="no" onClick={() => onShow(id)}>
        {text}
        {/* A name of several lines is a box, after which it would begin a line of its own. */}
        {marks && (
          <span aria-hidden="true" className={styles.marks}>
            {marks}
          </span>
        )}
      </button>
    )
  })
}

/** Such as a comma. */
const leadingMarks = /^\p{Po}+/u

const dayMs = 24 * 60 * 60_000

const readToday = () => new Date(currentTime()).toDateString()

/** The day may end while the list is shown. */
function watchClock(onTick: () => void) {
  const timer = setInterval(onTick, 5_000)
  return () => clearInterval(timer)
}

/** "Today", "Yesterday", or the date. */
function formatDay(day: string, today: string): string {
  const time = Date.parse(day)
  const days = Math.round((time - Date.parse(today)) / dayMs)
  if (days === 0 || days === -1) {
    const name = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' }).format(days, 'day')
    return name.charAt(0).toLocaleUpperCase(currentLocale()) + name.slice(1)
  }
  return new Date(time).toLocaleDateString(currentLocale(), {
    ...{ weekday: 'long', day: 'numeric', month: 'long' },
    ...(new Date(today).getFullYear() !== new Date(time).getFullYear() && { year: 'numeric' }),
  })
}

/** "7:42 PM", or "11:15 – 11:24 AM". */
function formatSpan({ entries }: ActivityItem, format: Intl.DateTimeFormat): string {
  const [last = 0, first = 0] = [entries[0], entries.at(-1)].map((entry) => Date.parse(entry?.at ?? ''))
  // Faster by half.
  if (entries.length === 1) return format.format(first)
  // The clock may have been set back between them.
  return format.formatRange(Math.min(first, last), Math.max(first, last))
}
