import { asAdded, type Sort } from './sort.ts'

/** How the register is looked at. It stands in the address, so that it can be shared. */
export interface View {
  query: string
  sort: Sort
}

/** The words for the columns in an address; `-` before one says descending. */
const columns = { added: 'added', name: 'eName', email: 'email' } as const

export function viewOf(address: string): View {
  const parameters = new URLSearchParams(address)
  return { query: parameters.get('q') ?? '', sort: parseSort(parameters.get('sort') ?? '') }
}

/** The address's search part of a view: empty for the register as it is. Other parameters stay. */
export function withView(address: string, { query, sort }: View): string {
  const parameters = new URLSearchParams(address)
  setOrDelete(parameters, 'q', query)
  setOrDelete(parameters, 'sort', formatSort(sort))
  const text = parameters.toString()
  return text && `?${text}`
}

function parseSort(text: string): Sort {
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (!Object.hasOwn(columns, column)) return asAdded
  return { by: columns[column as keyof typeof columns], descending }
}

function formatSort({ by, descending }: Sort): string {
  if (by === 'added' && !descending) return ''
  const column = by === 'eName' ? 'name' : by
  return descending ? `-${column}` : column
}

function setOrDelete(parameters: URLSearchParams, name: string, value: string) {
  if (value) parameters.set(name, value)
  else parameters.delete(name)
}
