import { titleField, visibleFieldNames } from '../fields.ts'
import { defaultSort, type Sort } from './sort.ts'

export const issues = ['weak', 'reused', 'old'] as const

export type Issue = (typeof issues)[number]

/** What is wrong with a password, in words, and the place of its group among the records with this issue. */
export interface PasswordIssue {
  note: string
  rank: number
}

/** The issues by the ids of the records. */
export type PasswordIssues = Readonly<Record<Issue, ReadonlyMap<string, PasswordIssue>>>

/** The query, the sort order and what the table is narrowed to. The URL contains them, so that a search can be shared. */
export interface SearchParams {
  query: string
  /** Shows only records whose password has this issue; null for all. */
  issue: Issue | null
  /** Shows only records whose password the account with this id could read and nobody changed since; null for all. */
  leaver: string | null
  sort: Sort
}

export const sortKeys: readonly Sort['by'][] = ['added', 'changed', ...visibleFieldNames]

/** Returns the value of the `sort` parameter without a prefix. */
const toSortParam = (by: Sort['by']) => (by === titleField ? 'name' : by)

export function readSearchParams(urlSearch: string): SearchParams {
  const urlParams = new URLSearchParams(urlSearch)
  return {
    query: urlParams.get('q') ?? '',
    issue: issues.find((issue) => issue === urlParams.get('only')) ?? null,
    leaver: urlParams.get('leaver') || null,
    sort: parseSort(urlParams.get('sort') ?? ''),
  }
}

/** Updates a URL's search string. Omits default values, preserves other parameters and writes these in one order. */
export function writeSearchParams(urlSearch: string, { query, issue, leaver, sort }: SearchParams): string {
  const urlParams = new URLSearchParams(urlSearch)
  for (const [name, value] of Object.entries({ q: query, only: issue, leaver, sort: formatSort(sort) })) {
    urlParams.delete(name)
    if (value) urlParams.append(name, value)
  }
  const text = urlParams.toString()
  return text && `?${text}`
}

/** The search string of a URL that narrows the table to what must change because this account leaves. */
export function formatLeaver(leaver: string): string {
  return writeSearchParams('', { query: '', issue: null, leaver, sort: defaultSort })
}

/** Returns the default for an unknown text. */
export function parseSort(text: string): Sort {
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  const by = sortKeys.find((key) => toSortParam(key) === column)
  return by ? { by, descending } : defaultSort
}

/** Empty for the default. The prefix `-` means descending. */
export function formatSort({ by, descending }: Sort): string {
  if (by === 'added' && !descending) return ''
  return descending ? `-${toSortParam(by)}` : toSortParam(by)
}
