import { capitalize, fieldViews, visibleFieldNames } from '../fields.ts'
import type { Sort } from './sort.ts'

export const search = 'Search'
export const placeholder = capitalize(visibleFieldNames.map((name) => fieldViews[name].noun).join(' or '))
export const clear = 'Clear search'
export const sort = 'Sort'
export const sortOrder = ({ by, descending }: Sort) => {
  if (by === 'added') return descending ? 'Newest first' : 'Oldest first'
  if (by === 'changed') return descending ? 'Last changed' : 'Changed longest ago'
  return `${capitalize(fieldViews[by].noun)} ${descending ? 'Z–A' : 'A–Z'}`
}
export const sortedBy = (sort: Sort) => `Sorted: ${sortOrder(sort)}`
export const issuesLegend = 'Passwords to replace'
/** Follows the number and the issue. */
export const passwords = (count: number) => (count === 1 ? ' password' : ' passwords')
export const records = (count: number) => (count === 1 ? ' record' : ' records')
export const ofTotal = (total: string) => ` of ${total}`
export const found = (count: string, total: string) => `${count}${ofTotal(total)} found`
export const loaded = ' loaded'
export const showAll = 'Show all records'
export const allLoaded = 'All records loaded.'

/** A visible message, with a name that also makes sense alone. */
export const start = { text: 'Start', label: 'Start changing these passwords' } as const
