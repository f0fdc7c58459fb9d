import { currentLocale, t } from '../language/translate.ts'

let clockErrorMs = 0

/** The response may have taken this long, in ms. */
const maxDelayMs = 60_000

/** Compares the clock of this machine with the header `date` of a response of the server, which has set all other times. */
export function checkClock(date: string | null): void {
  const errorMs = Date.now() - Date.parse(date ?? '')
  if (!Number.isNaN(errorMs)) clockErrorMs = Math.abs(errorMs) > maxDelayMs ? errorMs : 0
}

/** The time of the server, in ms since 1970. */
export const currentTime = () => Date.now() - clockErrorMs

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

/** The time, such as "14:03", within the last day, else the day, such as "3 May", with the year if it is an earlier one. */
export function formatEnd(isoTime: string, now = currentTime()): string {
  const time = new Date(isoTime)
  if (now - time.getTime() < units[0][1])
    return time.toLocaleTimeString(currentLocale(), { timeStyle: 'short' })
  const isThisYear = time.getFullYear() === new Date(now).getFullYear()
  return time.toLocaleDateString(currentLocale(), {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}
