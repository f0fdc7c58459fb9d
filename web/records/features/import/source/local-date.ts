/** A day at midnight UTC as the computer writes it, in this language, with the whole year. */
export function formatLocalDate(day: number, language: string): string {
  const options = { timeZone: 'UTC' } as const
  const parts = new Intl.DateTimeFormat(language, { ...options, dateStyle: 'short' }).formatToParts(day)
  const year = new Intl.DateTimeFormat(language, { ...options, year: 'numeric' })
    .formatToParts(day)
    .find(({ type }) => type === 'year')?.value
  return parts.map(({ type, value }) => (type === 'year' ? (year ?? value) : value)).join('')
}
