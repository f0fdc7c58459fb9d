import { defaultSort, type Sort } from './sort.ts'

/** How the register is looked at. It stands in the address, so that it can be shared. */
export interface SearchParams {
  query: string
  sort: Sort
}

/** The words for the columns in an address; `-` before one says descending. */
const sortKeyByParam = { added: 'added', name: 'eName', email: 'email' } as const

export function readSearchParams(urlSearch: string): SearchParams {
  const urlParams = new URLSearchParams(urlSearch)
  return { query: urlParams.get('q') ?? '', sort: parseSort(urlParams.get('sort') ?? '') }
}

/** The address's search part of a view: empty for the register as it is. Other parameters stay. */
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
