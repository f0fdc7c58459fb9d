import { capitalize, fieldViews, visibleFieldNames } from '../fields.tsx'

/** The messages of the search. */

export const search = 'Search'
export const placeholder = capitalize(visibleFieldNames.map((name) => fieldViews[name].noun).join(' or '))
export const clear = 'Clear search'
export const lastChanged = 'Last changed'
export const lastChangedIn = (descending: boolean) =>
  `${lastChanged}, ${descending ? 'newest' : 'oldest'} first`
export const issuesLegend = 'Passwords to replace'
/** Follows the number and the issue. */
export const passwords = (count: number) => (count === 1 ? ' password' : ' passwords')
export const records = (count: number) => (count === 1 ? ' record' : ' records')
export const ofTotal = (total: string) => ` of ${total}`
export const found = (count: string, total: string) => `${count}${ofTotal(total)} found`
export const loaded = ' loaded'
export const allLoaded = 'All records loaded.'
