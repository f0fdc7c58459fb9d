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

/** Uses the language and time zone of the browser. */
export function formatDate(isoTime: string): string {
  return new Date(isoTime).toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** Returns date and time, as `formatDate`. */
export function formatTime(isoTime: string): string {
  return new Date(isoTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const

/** Older times are told as a month. */
const maxDays = 30

/** "3 days ago", "in 7 days", or "in May 2026" of what is older. In English, because it stands in a sentence. */
export function describeTime(isoTime: string, now = currentTime()): string {
  const time = Date.parse(isoTime)
  const ageMs = now - time
  if (ageMs >= maxDays * units[0][1])
    return `in ${new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format(new Date(time))}`
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(ageMs) >= ms) ?? []
  if (!unit) return 'just now'
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(ageMs / unitMs), unit)
}

/** "14:03" within the last day, else "3 May", with the year if it is an earlier one. In English, because it stands in a sentence. */
export function formatEnd(isoTime: string, now = currentTime()): string {
  const time = new Date(isoTime)
  if (now - time.getTime() < units[0][1]) return time.toLocaleTimeString('en-GB', { timeStyle: 'short' })
  const isThisYear = time.getFullYear() === new Date(now).getFullYear()
  return time.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}
