import type { ActivityEntry, ActivityKind } from '../../../../contract/activity/activity.ts'

/** What one person did of one kind within some minutes. `entries`: the latest first, at least one. */
export interface ActivityItem {
  /** That of the oldest entry: an item that grows keeps it. */
  id: string
  entries: ActivityEntry[]
}

/** What happens later than this after the entry before is an item of its own, in ms. */
const maxGapMs = 10 * 60_000

/** About the whole register: the numbers of two would count its records twice. */
const wholeKinds: readonly ActivityKind[] = ['export', 'export-passwords', 'emergency']

/** Groups entries, the latest first, into items, which do not reach over midnight. */
export function groupEntries(entries: readonly ActivityEntry[]): ActivityItem[] {
  const items: ActivityItem[] = []
  for (const entry of entries) {
    const item = items.at(-1)
    const after = item?.entries.at(-1)
    if (item && after && belongTogether(entry, after)) {
      item.entries.push(entry)
      item.id = entry.id
    } else items.push({ id: entry.id, entries: [entry] })
  }
  return items
}

const belongTogether = (entry: ActivityEntry, after: ActivityEntry) =>
  entry.kind === after.kind &&
  !wholeKinds.includes(entry.kind) &&
  entry.by === after.by &&
  entry.account === after.account &&
  entry.browser === after.browser &&
  // The clock may have been set back between them.
  Math.abs(Date.parse(after.at) - Date.parse(entry.at)) <= maxGapMs &&
  toDay(entry) === toDay(after)

/** The day of an entry in the time zone of the browser, for comparison. */
export const toDay = ({ at }: Pick<ActivityEntry, 'at'>): string => new Date(at).toDateString()

interface Summary {
  records: string[]
  count: number | undefined
  /** How often it was done, where the text of its kind says it once. */
  times?: number
}

/** What an item is about: the records, if each is named, or their number; none if it is not about records. */
export function summarize({ entries }: ActivityItem): Summary {
  const records = [...new Set(entries.flatMap(({ record }) => record ?? []))]
  const counts = entries.flatMap(({ count }) => count ?? [])
  if (counts.length === 0) {
    const isTold = entries.length === 1 || records.length > 1
    return { records, count: records.length || undefined, ...(!isTold && { times: entries.length }) }
  }
  return { records: [], count: counts.reduce((sum, count) => sum + count, records.length) }
}
