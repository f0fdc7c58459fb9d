import { defaultSort, type Sort } from './sort.ts'

/** The query and the sort order. The URL contains them, so that a search can be shared. */
export interface SearchParams {
  query: string
  sort: Sort
}

/** Values of the `sort` parameter; the prefix `-` means descending. */
const sortKeyByParam = { added: 'added', name: 'eName', email: 'email' } as const

export function readSearchParams(urlSearch: string): SearchParams {
  const urlParams = new URLSearchParams(urlSearch)
  return { query: urlParams.get('q') ?? '', sort: parseSort(urlParams.get('sort') ?? '') }
}

/** Updates a URL's search string. Omits default values and preserves other parameters. */
export function writeSearchParams(urlSearch: string, { query, sort }: SearchParams): string {
  const urlParams = new URLSearchParams(urlSearch)
  setOrDelete(urlParams, 'q', query)
  setOrDelete(urlParams, 'sort', formatSort(sort))
  const text = urlParams.toString()
  return text && `?${text}`
}

function parseSort(text: string): Sort {
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (!Object.hasOwn(sortKeyByParam, column)) return defaultSort
  return { by: sortKeyByParam[column as keyof typeof sortKeyByParam], descending }
}

function formatSort({ by, descending }: Sort): string {
  if (by === 'added' && !descending) return ''
  const column = by === 'eName' ? 'name' : by
  return descending ? `-${column}` : column
}

function setOrDelete(urlParams: URLSearchParams, name: string, value: string) {
  if (value) urlParams.set(name, value)
  else urlParams.delete(name)
}
