import { currentLocale, t } from '../../language/translate.ts'
import { currentTime } from './clock.ts'

/** Uses the language of the page and the time zone of the browser. */
export function formatDate(isoTime: string): string {
  return new Date(isoTime).toLocaleDateString(currentLocale(), { dateStyle: 'medium' })
}

export function formatTime(isoTime: string): string {
  return new Date(isoTime).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' })
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const

/** Older times are told as a month. */
const maxDays = 30

/** "3 days ago", "in 7 days", or "in May 2026" of what is older. From a day on, days of the calendar are counted. */
export function describeTime(isoTime: string, now = currentTime()): string {
  const time = Date.parse(isoTime)
  const ageMs = now - time
  if (ageMs >= maxDays * units[0][1]) return t('in {month}', { month: formatMonth(time) })
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(ageMs) >= ms) ?? []
  if (!unit) return ageMs >= 0 ? t('just now') : t('in a moment')
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' })
  return format.format(unit === 'day' ? countDays(now, time) : -Math.trunc(ageMs / unitMs), unit)
}

/** The days from one date of the calendar to another, at least one: where clocks are changed, a day can have 25 hours. */
function countDays(from: number, to: number): number {
  const toDay = (time: number) => {
    const date = new Date(time)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / units[0][1]
  }
  return toDay(to) - toDay(from) || Math.sign(to - from)
}

const formatMonth = (time: number) =>
  new Intl.DateTimeFormat(currentLocale(), { month: 'long', year: 'numeric' }).format(time)

/**
 * For each of some times the shortest text that no other has: of today the time, such as "14:03", else the day, such as "3 May", with
 * the year if it is an earlier one; then both, then the seconds too.
 */
export function formatEnds(isoTimes: readonly string[], now = currentTime()): string[] {
  const formats = [
    (isoTime: string) => formatEnd(isoTime, now),
    formatTime,
    (isoTime: string) =>
      new Date(isoTime).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'medium' }),
  ]
  return isoTimes.map((isoTime) => {
    const isUnique = (format: (isoTime: string) => string) =>
      isoTimes.filter((other) => format(other) === format(isoTime)).length === 1
    const format = formats.find(isUnique) ?? formats.at(-1)
    return format?.(isoTime) ?? ''
  })
}

function formatEnd(isoTime: string, now: number): string {
  const time = new Date(isoTime)
  if (time.toDateString() === new Date(now).toDateString())
    return time.toLocaleTimeString(currentLocale(), { timeStyle: 'short' })
  const isThisYear = time.getFullYear() === new Date(now).getFullYear()
  return time.toLocaleDateString(currentLocale(), {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}
